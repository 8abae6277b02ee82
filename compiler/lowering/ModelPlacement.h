// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A placement that came with the model.

#ifndef DENDROLITH_COMPILER_LOWERING_MODELPLACEMENT_H
#define DENDROLITH_COMPILER_LOWERING_MODELPLACEMENT_H

#include "compiler/lowering/NetworkToMap.h"
#include "compiler/mapping/network/MappingOptions.h"

namespace dendrolith {

/// What the populations' attribute `cores` (the core of each neuron) says; none
/// unless all populations have it. Fails with a diagnostic for another number
/// of cores than neurons, and for negative ones.
mlir::FailureOr<std::vector<PlacedRange>>
modelPlacement(const LoweredNetwork &network);

/// The populations' attribute `numbers`, of those that have it. Fails with a
/// diagnostic where it cannot be read.
mlir::FailureOr<NeuronOrder> modelNumbers(const LoweredNetwork &network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MODELPLACEMENT_H
