// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDSTRUCTURE_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDSTRUCTURE_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class ConversionTarget;
}

namespace dendrolith {

/// A pattern for each structure op but `branch`, and for `dend.math` of fixed
/// point, which becomes its recipe. The target says which of them must go.
void populateExpandStructure(mlir::RewritePatternSet &patterns,
                             mlir::ConversionTarget &target);

/// Writes the structure ops of a verified model, in `dend.when` regions too, as
/// body arithmetic with the same bits for every value; and `dend.math` of fixed
/// point as its recipe. New ops stand at the location of the old one. What
/// stays: `ssf` (it is one instruction), a `cuba` whose parameters have other
/// uses, a `branch` whose complex constants have no elements. A `branch`
/// changes the network around the model: see ExpandBranch.h.
void expandStructure(dend::NeuronOp model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDSTRUCTURE_H
