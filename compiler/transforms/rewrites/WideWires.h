// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Projections of the pieces of a wide neuron.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEWIRES_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEWIRES_H

#include "compiler/transforms/rewrites/WidePiece.h"

namespace dendrolith {

/// Joins an output of one population to a port of another, neuron by neuron:
/// elements that stand for the same position of a value, with weight 1.
void joinPieces(dend::PopulationOp from, const PieceOutput &output,
                dend::PopulationOp to, const PieceInput &input);

/// A copy of a projection into the elements of its port that `input` has, whose
/// port had `elements`. Fails with a diagnostic on weights that many targets
/// share.
mlir::LogicalResult copyInto(dend::ProjectOp project, dend::PopulationOp to,
                             const PieceInput &input, int64_t elements);

/// A range of a bound parameter, as a new constant.
mlir::FlatSymbolRefAttr rangeOf(dend::PopulationOp population,
                                dend::NeuronOp model, const PieceParam &param,
                                int64_t low, int64_t high);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEWIRES_H
