// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_TRANSFORMS_EXPANDSTRUCTURE_H
#define NEURITE_COMPILER_TRANSFORMS_EXPANDSTRUCTURE_H

#include "dialects/dend/Dend.h"

namespace neurite {

/// Writes the structure ops of a verified model, in `dend.when` regions too, as
/// body arithmetic with the same bits for every value: `compartment`, `soma`,
/// `fire`, `join`, `delta_rule` and `cuba`; and `dend.math` of fixed point as
/// its recipe. New ops stand at the location of the old one. `ssf` stays: it is
/// one instruction. A `cuba` stays whose parameters have other uses.
void expandStructure(dend::NeuronOp model);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_EXPANDSTRUCTURE_H
