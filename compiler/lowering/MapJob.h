// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --dend-to-chip asks the mapper about a network. Forms of a network are
// asked about together, before one of them gets its tables.

#ifndef DENDROLITH_COMPILER_LOWERING_MAPJOB_H
#define DENDROLITH_COMPILER_LOWERING_MAPJOB_H

#include "compiler/lowering/NetworkToMap.h"
#include "compiler/mapping/MappingMemo.h"
#include "compiler/mapping/network/MappingOptions.h"

namespace dendrolith {

// A placement that came with the model.

/// What the populations' attribute `cores` (the core of each neuron) says; none
/// unless all populations have it. Fails with a diagnostic for another number
/// of cores than neurons, and for negative ones.
mlir::FailureOr<std::vector<PlacedRange>>
modelPlacement(const LoweredNetwork &network);

/// The populations' attribute `numbers`, of those that have it. Fails with a
/// diagnostic where it cannot be read.
mlir::FailureOr<NeuronOrder> modelNumbers(const LoweredNetwork &network);

/// Its operations lie in the module of the network.
struct MapJob {
  LoweredNetwork lowered;
  Target onto; ///< without the limits that are lifted
  std::vector<std::string> lifted;
  MappingOptions options;

  MapRequest request() const { return {lowered.map, onto, lifted, options}; }
};

/// Adds to `options` what the network itself says. Throws Error; fails with a
/// diagnostic where no engine of the chip can run the network. `isLast` as of
/// toMapNetwork().
mlir::FailureOr<MapJob> mapJobOf(dend::NetworkOp network, Target onto,
                                 std::vector<std::string> lifted,
                                 MappingOptions options, bool isLast);

/// The answer that it does not fit, as a diagnostic.
mlir::LogicalResult refuse(dend::NetworkOp network, const Misfit &misfit);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MAPJOB_H
