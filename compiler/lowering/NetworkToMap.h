// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mapper and the tables need of an integer network, in flat arrays.

#ifndef DENDROLITH_COMPILER_LOWERING_NETWORKTOMAP_H
#define DENDROLITH_COMPILER_LOWERING_NETWORKTOMAP_H

#include "compiler/lowering/Engines.h"
#include "compiler/mapping/network/Network.h"

#include <vector>

namespace dendrolith {

/// A population with its engine, in the order of MapNetwork::populations.
struct LoweredPopulation {
  dend::PopulationOp op;
  std::optional<CubaTable> cuba; // else microcode
  MicroTables microcode;
  std::vector<uint32_t> programs; // of microcode: ids in the network
  int64_t phase = 0, ticks = 1, stride = 1;
  uint32_t sources = 1; // of a neuron
  /// The neuron at each position of the MapPopulation; empty: positions are
  /// neurons.
  std::vector<uint32_t> order;
  std::vector<ProgramRun> runs; // of microcode, by position
};

struct LoweredNetwork {
  MapNetwork map;
  std::vector<LoweredPopulation> populations;
  std::vector<dend::InputOp> inputs;
  std::vector<uint32_t> shift; // per projection of `map`
  std::string tiles;           // of feature maps that lie in tiles, "" for none
};

/// Fails with a diagnostic when no engine of the target can run a population, a
/// phase or delay is missing (not scheduled), or a weight does not fit 16 bits.
/// With `isLast` nobody needs the network's synapses again: it lets go of them
/// one by one.
mlir::FailureOr<LoweredNetwork>
toMapNetwork(dend::NetworkOp network, const Target &chip, bool isLast = false);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_NETWORKTOMAP_H
