// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer arithmetic of the instruction set: elements that are computed
// from elements. The meaning is that of functional/neuron/MicroArithmetic.h.
// How a value is held follows from the bits of the operands, so nothing here
// overflows.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_ARITHMETIC_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_ARITHMETIC_H

#include "compiler/native/program/Memories.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::program {

/// All but products and shifts.
void populateArithmeticPatterns(mlir::RewritePatternSet &patterns,
                                VisitState &state);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_ARITHMETIC_H
