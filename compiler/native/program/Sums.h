// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made of many elements: sums, the maximum, products of matrices, and
// marks of the largest ones.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_SUMS_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_SUMS_H

#include "compiler/native/program/Visit.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::program {

/// Whether a step makes one word of all elements.
inline bool isReduction(const Step &step) {
  return shapeOf(step.code.op) == MicroShape::Terms;
}
/// Where it begins and ends: a loop carries it from one element to the next.
Lane beginSum(const Step &step, Visit &v);
void endSum(const Step &step, const Lane &sum, Visit &v);

void populateSumPatterns(mlir::RewritePatternSet &patterns, VisitState &state);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_SUMS_H
