// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch of MMDEND's dendrite (eq. 10 to 14) as real arithmetic.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDBRANCH_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDBRANCH_H

#include "dialects/dend/Dend.h"

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDBRANCH_H
