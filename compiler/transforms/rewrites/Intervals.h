// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer step bodies on intervals: what every value can be, if ports,
// parameters and states are in given intervals. A tensor has one interval for
// all its elements.

#ifndef NEURITE_COMPILER_TRANSFORMS_REWRITES_INTERVALS_H
#define NEURITE_COMPILER_TRANSFORMS_REWRITES_INTERVALS_H

#include "dialects/dend/Dend.h"
#include "dialects/dend/FixedPoint.h"

#include "llvm/ADT/DenseMap.h"

namespace neurite {

/// Integers from low to high.
struct Interval {
  dend::Int128 low = 0, high = 0;

  bool is(dend::Int128 x) const { return low == x && high == x; }
  bool within(const Interval &other) const {
    return low >= other.low && high <= other.high;
  }
  bool operator==(const Interval &other) const {
    return low == other.low && high == other.high;
  }
  bool operator!=(const Interval &other) const { return !(*this == other); }
};

/// The smallest interval with both.
Interval hull(const Interval &a, const Interval &b);
/// All that a type can hold; 64-bit integers where that is no integer type.
Interval rangeOf(mlir::Type type);

using Intervals = llvm::DenseMap<mlir::Value, Interval>;

/// Adds the interval of every result in a body whose arguments have theirs. An
/// op that it has no rule for gives all that its type can hold; so does a sum
/// that may wrap.
void evaluateIntervals(mlir::Block &body, Intervals &values);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_REWRITES_INTERVALS_H
