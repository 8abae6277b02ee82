// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network whose mapping the targets for placements and constraints ask for:
// that of tests/runtime/ProgramFixture.h in its names and sizes, on the chip
// `tiny`, with one more population.

#ifndef DENDROLITH_TESTS_FUZZ_SMALLNETWORK_H
#define DENDROLITH_TESTS_FUZZ_SMALLNETWORK_H

#include "compiler/mapping/MapNetwork.h"
#include "compiler/mapping/constraints/PlacementFile.h"
#include "tests/fuzz/Scratch.h"

namespace dendrolith::fuzz {

/// Every neuron of population `source` onto every one of `target`.
inline void connectAll(MapNetwork &network, uint32_t source, uint32_t target) {
  MapProjection projection;
  projection.source = source;
  projection.target = target;
  projection.begin.push_back(0);
  for (uint32_t s = 0; s < network.populations[source].size; ++s) {
    for (uint32_t t = 0; t < network.populations[target].size; ++t) {
      projection.accumulator.push_back(t);
      projection.weight.push_back(int16_t(1 + s + t));
    }
    projection.begin.push_back(projection.accumulator.size());
  }
  network.projections.push_back(std::move(projection));
}

inline MapNetwork smallNetwork() {
  MapNetwork network;
  for (auto [name, size] : {std::pair("a", 3u), {"b", 2u}, {"hidden", 12u}}) {
    MapPopulation population;
    population.name = name;
    population.size = size;
    network.populations.push_back(population);
  }
  connectAll(network, 0, 2);
  connectAll(network, 2, 1);
  return network;
}

/// Maps the network as a file asks for it. Each neuron lies on one core then,
/// and the mapping, written as a placement, gives itself.
inline void mapsOnto(const MapNetwork &network, const Target &target,
                     const MappingOptions &options) {
  Fit<Mapping> mapping = mapNetwork(network, target, options);
  if (!mapping)
    return;
  const std::string text = formatPlacement(network, *mapping);
  MemoryFile written(text);
  MappingOptions again;
  again.placementFile = written.path();
  Fit<Mapping> same = mapNetwork(network, target, again);
  require(bool(same), "a mapping's placement does not fit:\n" + text);
  require(formatPlacement(network, *same) == text,
          "a mapping's placement gives another one:\n" + text);
}

} // namespace dendrolith::fuzz

#endif // DENDROLITH_TESTS_FUZZ_SMALLNETWORK_H
