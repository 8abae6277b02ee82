// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDCUBA_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDCUBA_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith {

/// Whether nothing else uses the parameters and the count of the op, whose
/// types expandCuba() changes.
bool isExpandable(dend::CubaOp op);

/// Replaces an expandable dend.cuba by fixed-point arithmetic. Results are the
/// same for every value of its states and parameters, as long as the input and
/// the bias leave 64 bits room. Parameters and the refractory count become
/// !dend.fx<32, 0>, which binds the same integers.
mlir::LogicalResult expandCuba(dend::CubaOp op,
                               mlir::PatternRewriter &rewriter);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDCUBA_H
