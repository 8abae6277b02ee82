// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and arrays as bytes, from one process of a run to another. One
// function over a stream describes both directions, as Writer and Reader have
// the same names: the writer does not change what it visits.

#ifndef DENDROLITH_RUNTIME_HOST_WIRE_H
#define DENDROLITH_RUNTIME_HOST_WIRE_H

#include "runtime/host/Content.h"
#include "runtime/host/Heap.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace dendrolith {

/// More bytes than this do not come from a process of ours: traces of the
/// longest runs take up to 16 GiB.
constexpr uint64_t kMaxResult = uint64_t(1) << 36;

/// Gives the pages inside of memory back, which reads 0 afterwards.
inline void letGo(const void *from, size_t size) {
  const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE)),
                  at = reinterpret_cast<uintptr_t>(from),
                  first = (at + page - 1) / page * page,
                  last = (at + size) / page * page;
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
}

/// The part of a vector that is not all zeros.
struct SparseRange {
  uint64_t size = 0; // of the vector
  uint64_t first = 0, count = 0;
};

class Writer {
public:
  static constexpr bool reads = false;

  /// With `last` nobody reads long arrays afterwards: they go piece by piece,
  /// so that they are in memory once while they cross.
  explicit Writer(const ByteSink &sink, bool last = false)
      : sink(sink), last(last) {}

  template <typename T> void plain(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    sink({reinterpret_cast<const char *>(&value), sizeof value});
  }
  /// Writes the number of elements that follow.
  template <typename Container> void size(const Container &container) {
    plain(uint64_t(container.size()));
  }
  template <typename T> void block(const std::vector<T> &values) {
    size(values);
    items(values.data(), values.size());
  }
  /// Writes elements whose number the other side knows.
  template <typename T> void items(const T *values, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char *bytes = reinterpret_cast<const char *>(values);
    const size_t all = count * sizeof(T), piece = last ? size_t(1) << 20 : all;
    for (size_t at = 0; at < all; at += piece) {
      sink({bytes + at, std::min(piece, all - at)});
      if (last)
        letGo(bytes + at, std::min(piece, all - at));
    }
  }
  /// A vector of zeros but for a part, which alone is written.
  template <typename T> void sparse(const ZeroedVector<T> &values) {
    const auto isSet = [](T value) { return value != 0; };
    const auto end = std::find_if(values.rbegin(), values.rend(), isSet).base();
    const auto first = std::find_if(values.begin(), end, isSet);
    const SparseRange range{values.size(), uint64_t(first - values.begin()),
                            uint64_t(end - first)};
    plain(range);
    items(values.data() + range.first, range.count);
  }
  void block(const std::string &text) {
    size(text);
    sink(text);
  }

private:
  const ByteSink &sink;
  const bool last;
};

class Reader {
public:
  static constexpr bool reads = true;

  /// Reads at most `left` bytes.
  Reader(const ByteSource &source, uint64_t left)
      : source(source), left(left) {}

  template <typename T> void plain(T &value) {
    take(reinterpret_cast<char *>(&value), sizeof value);
  }
  template <typename T> void size(std::vector<T> &container) {
    container.resize(count(1));
  }
  template <typename T> void block(std::vector<T> &values) {
    values.resize(count(sizeof(T)));
    items(values.data(), values.size());
  }
  /// Reads into a vector of the size that the writer's has.
  template <typename T> void sparse(ZeroedVector<T> &values) {
    SparseRange range;
    plain(range);
    if (range.size != values.size() || range.first > range.size ||
        range.count > range.size - range.first)
      fail();
    clearWritten(values);
    items(values.data() + range.first, range.count);
  }
  template <typename T> void items(T *values, size_t count) {
    take(reinterpret_cast<char *>(values), count * sizeof(T));
  }
  void block(std::string &text) {
    text.resize(count(1));
    take(text.data(), text.size());
  }
  /// Reads a count of elements that take at least `each` bytes, and refuses one
  /// that the rest of the bytes cannot hold.
  uint64_t count(uint64_t each) {
    uint64_t n = 0;
    plain(n);
    if (n > left / each)
      fail();
    return n;
  }
  bool atEnd() const { return left == 0; }
  [[noreturn]] static void fail() {
    throw Error("a process of this run sent an incomplete result");
  }

private:
  void take(char *to, size_t size) {
    if (size > left)
      fail();
    left -= size;
    while (size > 0) {
      const size_t got = source(to, size);
      if (got == 0)
        fail();
      to += got;
      size -= got;
    }
  }

  const ByteSource &source;
  uint64_t left;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_WIRE_H
