// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for large networks: all that this project asks of the system beyond
// new and delete. None of it changes a result, and where the C library or the
// system lacks a means, the plain twin is what remains: std::vector for
// HugeArray, and nothing at all for returnFreed().

#ifndef DENDROLITH_RUNTIME_HOST_HEAP_H
#define DENDROLITH_RUNTIME_HOST_HEAP_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace dendrolith {

/// Gives memory that was freed in many small pieces back to the system. With it
/// a run of the study network of 100,000 neurons takes 235 MB instead of 252.
void returnFreed();

/// An array of 32-bit words that grows up to a size said before, in pages of
/// 2 MiB where the system has them: random rows of a large array otherwise miss
/// the translation buffer once each. tests/bench/study.py shows the gain: with
/// pages of 4 KiB, the networks of 10,000 and 100,000 neurons run 6 % and 12 %
/// longer, and take 4 to 6 % longer to prepare.
class HugeArray {
public:
  HugeArray() = default;
  HugeArray(const HugeArray &) = delete;
  HugeArray &operator=(const HugeArray &) = delete;
  ~HugeArray();

  /// Called once, before extend(). Throws std::bad_alloc.
  void reserve(size_t words);
  /// Appends `count` words within what was reserved, and returns the first.
  uint32_t *extend(size_t count) {
    used += count;
    return words + used - count;
  }
  /// Words that extend() can still give.
  size_t room() const { return reserved - used; }
  uint32_t *begin() { return words; }
  uint32_t *end() { return words + used; }
  const uint32_t *data() const { return words; }
  size_t size() const { return used; }

private:
  uint32_t *words = nullptr;
  void *mapping = nullptr;
  size_t mapped = 0;             // bytes
  size_t reserved = 0, used = 0; // words
};

// Arrays of zeros that take no memory where nobody writes. A process that has
// some cores of a large network indexes its arrays by the neurons of all, as
// the others do, and touches its own part alone.

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

#endif // DENDROLITH_RUNTIME_HOST_HEAP_H
