// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consecutive elements of an array that somebody else owns.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_RANGE_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_RANGE_H

#include <cstddef>

namespace dendrolith::sim {

template <typename T> struct Range {
  const T *first = nullptr, *last = nullptr;
  const T *begin() const { return first; }
  const T *end() const { return last; }
  size_t size() const { return last - first; }
  const T &operator[](size_t i) const { return first[i]; }
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_RANGE_H
