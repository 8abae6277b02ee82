// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and sums over elements, and the largest of them. Real sums begin at
// 0 and have their terms in index order, each sum by itself.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_SUMS_H
#define DENDROLITH_COMPILER_NATIVE_BODY_SUMS_H

#include "compiler/native/body/Places.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::body {

void populateSumPatterns(mlir::RewritePatternSet &patterns, BodyState &state);

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_SUMS_H
