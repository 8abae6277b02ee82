// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one number in fixed point, made of body ops whose values have at
// most 32 bits (products go straight into a `rescale`). Formulas and the
// derivation of the bounds: README.md beside this file, section "Recipes".

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_RECIPES_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_RECIPES_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith {

/// Replaces a verified dend.math by its recipe; fails for one of reals, which
/// has none. reciprocal(0) and
/// rsqrt(x <= 0) give the largest value of the result's type, sqrt(x < 0) gives
/// 0; what lies outside the type saturates.
mlir::LogicalResult expandMath(dend::MathOp op,
                               mlir::PatternRewriter &rewriter);

/// Largest distance, in real units, of a recipe's result from the function's
/// value clamped into the range of `out`, over every input of type `in`.
/// Defined for what the verifier of dend.math admits.
double recipeBound(dend::Function function, dend::FxType in, dend::FxType out);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_RECIPES_H
