// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From elements of one output and one port to the sources and accumulators of
// whole populations.

#ifndef DENDROLITH_COMPILER_LOWERING_PLACESYNAPSES_H
#define DENDROLITH_COMPILER_LOWERING_PLACESYNAPSES_H

#include "compiler/lowering/NetworkToMap.h"
#include "compiler/transforms/network/Synapses.h"

namespace dendrolith {

/// Where the elements of one output or port lie among those of a neuron.
struct ElementPlace {
  uint32_t perNeuron = 1; // sources or accumulators of a neuron
  uint32_t first = 0, elements = 1;
  bool split = false; // two sources each, the second for negative spikes
};

/// Whether neurons have one element each, which is numbered as they are.
bool isPlain(const ElementPlace &place);

/// Where the elements of the output of that name lie; "" names the only one.
ElementPlace placeOfOutput(const LoweredPopulation &population,
                           llvm::StringRef name);
ElementPlace placeOfPort(const LoweredPopulation &population,
                         const MapPopulation &mapped, llvm::StringRef name);

/// The projection's rows by source. Fails with a diagnostic when its synapses
/// cannot be read (Synapses.h), a weight does not fit 16 bits or two synapses
/// join the same ends.
mlir::FailureOr<MapProjection> placeSynapses(dend::ProjectOp project,
                                             const ElementPlace &from,
                                             const ElementPlace &to,
                                             uint64_t sources);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_PLACESYNAPSES_H
