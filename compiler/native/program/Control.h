// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements, regions that a skip guards, and what is sent.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_CONTROL_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_CONTROL_H

#include "compiler/native/program/Memories.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::program {

void populateControlPatterns(mlir::RewritePatternSet &patterns,
                             VisitState &state);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_CONTROL_H
