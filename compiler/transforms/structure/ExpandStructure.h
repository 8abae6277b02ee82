// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDSTRUCTURE_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDSTRUCTURE_H

#include "dialects/dend/Dend.h"

namespace dendrolith {

/// Writes the structure ops of a verified model, in `dend.when` regions too, as
/// body arithmetic with the same bits for every value; and `dend.math` of fixed
/// point as its recipe. New ops stand at the location of the old one. What
/// stays: `ssf` (it is one instruction), a `cuba` whose parameters have other
/// uses, a `branch` whose complex constants have no elements. A `branch`
/// changes the network around the model: see ExpandBranch.h.
void expandStructure(dend::NeuronOp model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDSTRUCTURE_H
