// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_TRANSFORMS_STRUCTURE_EXPANDBRANCH_H
#define NEURITE_COMPILER_TRANSFORMS_STRUCTURE_EXPANDBRANCH_H

#include "dialects/dend/Dend.h"

namespace neurite {

/// Writes the dend.branch ops of a model as real arithmetic with the same bits.
/// Complex numbers become pairs: a state or parameter "A" becomes "A.re" and
/// "A.im", with constants @A.re and @A.im bound in every population of the
/// model. A branch `for` a range of neurons becomes a region that the others
/// skip, under a hidden parameter "present.<first>.<end>", one bit per neuron.
/// A complex mode costs 8 multiplications, 6 without an input gain; a real one
/// 3 and 2. A model is left alone whose
/// complex constants have no elements yet (`extern`), or that holds complex
/// literals.
void expandBranches(dend::NeuronOp model);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_STRUCTURE_EXPANDBRANCH_H
