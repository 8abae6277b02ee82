// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a neuron model back to the Lava class that it is the body of.

#ifndef DENDROLITH_COMPILER_LAVA_RECOGNISE_H
#define DENDROLITH_COMPILER_LAVA_RECOGNISE_H

#include "compiler/lava/Processes.h"

namespace dendrolith::lava {

/// Finds the form whose body a model has, if there is one: arguments,
/// operations and yielded values are the same, while names, initial values and
/// locations do not matter. A state that does not start anew with each sample
/// is no Lava process.
std::optional<NeuronForm> recognise(dend::NeuronOp model);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_RECOGNISE_H
