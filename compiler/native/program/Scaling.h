// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How integers are brought into a width, and products scaled by powers of two,
// as code for all lanes.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_SCALING_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_SCALING_H

#include "compiler/native/program/Visit.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::program {

/// What kind of code shifts by an amount that is read when the code runs; 0 if
/// the amount of the step stands in its code. Steps of one number have the same
/// code, so that programs that differ in amounts alone share theirs.
int openAmount(const Step &step);

/// x modulo 2^width, in two's complement; x is held in at least as many bits.
Lane wrap(Lanes &l, const Lane &x, unsigned width);
Lane clip(Lanes &l, const Lane &x, unsigned width);
/// A term of a sum of products, modulo 2^width.
Lane termOf(const Step &step, const Lane &x, const Lane &y, Visit &v);

/// Products and shifts.
void populateScalingPatterns(mlir::RewritePatternSet &patterns,
                             VisitState &state);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_SCALING_H
