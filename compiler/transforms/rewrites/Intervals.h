// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer step bodies on intervals: what every value can be, if ports,
// parameters and states are in given intervals. Each op has its rule itself
// (BodyOpInterface: inferIntervals).

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_INTERVALS_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_INTERVALS_H

#include "dialects/dend/Dend.h"

#include "llvm/ADT/DenseMap.h"

namespace dendrolith {

using dend::Interval;
using Intervals = llvm::DenseMap<mlir::Value, Interval>;

/// Adds the interval of every result in a body whose arguments have theirs. An
/// op that has no rule gives all that its type can hold; so does a sum that may
/// wrap.
void evaluateIntervals(mlir::Block &body, Intervals &values);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_INTERVALS_H
