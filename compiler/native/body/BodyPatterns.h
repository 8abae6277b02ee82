// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of a step body become ops of arith, math, vector, scf and llvm: a pattern
// for each kind of op. A value is no converted value, because most of them are
// words of a memory or computed where they are read. Patterns find what they
// read by its place (Elements.h), and the ops stay until all have been
// converted.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_BODYPATTERNS_H
#define DENDROLITH_COMPILER_NATIVE_BODY_BODYPATTERNS_H

#include "compiler/native/body/BodyState.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::body {

void populateBodyToVectorPatterns(mlir::RewritePatternSet &patterns,
                                  BodyState &state);

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_BODYPATTERNS_H
