// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One neuron model from arithmetic to structure.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_RAISENEURON_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_RAISENEURON_H

#include "dialects/dend/Dend.h"

namespace dendrolith {

/// Writes compartments and thresholds for what the forms of a body say, where
/// that makes more structure and no more operations.
void raiseNeuron(dend::NeuronOp model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_RAISENEURON_H
