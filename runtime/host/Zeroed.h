// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of zeros that take no memory where nobody writes. A process that has
// some cores of a large network indexes its arrays by the neurons of all, as
// the others do, and touches its own part alone.

#ifndef DENDROLITH_RUNTIME_HOST_ZEROED_H
#define DENDROLITH_RUNTIME_HOST_ZEROED_H

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace dendrolith {

/// Memory that reads 0, and that the system backs with pages only where it is
/// written, if it is large. Throws std::bad_alloc.
void *takeZeroed(size_t bytes);
void giveZeroed(void *memory, size_t bytes);

/// Elements made without a value stay as takeZeroed() gives them.
template <typename T> struct ZeroedAllocator {
  using value_type = T;
  static_assert(std::is_arithmetic_v<T>);

  ZeroedAllocator() = default;
  template <typename U> ZeroedAllocator(const ZeroedAllocator<U> &) {}

  T *allocate(size_t count) {
    return static_cast<T *>(takeZeroed(count * sizeof(T)));
  }
  void deallocate(T *memory, size_t count) {
    giveZeroed(memory, count * sizeof(T));
  }

  template <typename U> void construct(U *) {}
  template <typename U, typename... Values>
  void construct(U *at, Values &&...values) {
    ::new (static_cast<void *>(at)) U(std::forward<Values>(values)...);
  }

  bool operator==(const ZeroedAllocator &) const { return true; }
  bool operator!=(const ZeroedAllocator &) const { return false; }
};

/// A vector whose size is given once, to its constructor. (One that shrinks and
/// grows again would find old values.)
template <typename T> using ZeroedVector = std::vector<T, ZeroedAllocator<T>>;

/// Makes all elements 0 again, without a page more than was written.
template <typename T> void clearWritten(ZeroedVector<T> &values) {
  for (T &value : values)
    if (value != 0)
      value = 0;
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_ZEROED_H
