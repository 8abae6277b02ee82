// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consecutive elements of an array that somebody else owns.

#ifndef DENDROLITH_TARGETS_SUPPORT_SPAN_H
#define DENDROLITH_TARGETS_SUPPORT_SPAN_H

#include <cstddef>

namespace dendrolith {

template <typename T> struct Span {
  const T *first = nullptr, *last = nullptr;
  const T *begin() const { return first; }
  const T *end() const { return last; }
  size_t size() const { return last - first; }
  const T &operator[](size_t i) const { return first[i]; }
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_SPAN_H
