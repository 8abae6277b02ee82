// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What some neurons do and others do not: branches, and regions with a
// condition.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_CHOICES_H
#define DENDROLITH_COMPILER_NATIVE_BODY_CHOICES_H

#include "compiler/native/body/Places.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::body {

void populateChoicePatterns(mlir::RewritePatternSet &patterns,
                            BodyState &state);

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_CHOICES_H
