// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intervals of integers, on which body ops say what their results can be
// (BodyOpInterface: inferIntervals). A fixed-point value counts as its raw
// integer, and a tensor has one interval for all its elements.
#ifndef DENDROLITH_DIALECTS_DEND_INTERVAL_H
#define DENDROLITH_DIALECTS_DEND_INTERVAL_H

#include "dialects/dend/FixedPoint.h"

#include "mlir/IR/Types.h"

namespace dendrolith::dend {

/// Integers from low to high.
struct Interval {
  Int128 low = 0, high = 0;

  bool is(Int128 x) const { return low == x && high == x; }
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
/// What a choice between two values can be.
Interval chosen(const Interval &condition, const Interval &yes,
                const Interval &no);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_INTERVAL_H
