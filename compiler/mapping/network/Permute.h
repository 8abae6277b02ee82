// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network whose neurons are numbered in another order. A slice is a
// contiguous range, so neurons that are to share a core are brought together
// first.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_PERMUTE_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_PERMUTE_H

#include "compiler/mapping/network/Network.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith {

/// By population: the neuron at each position. An empty or missing vector
/// leaves a population as it is.
using NeuronOrder = std::vector<std::vector<uint32_t>>;

/// First one order, then one that counts in the positions of the first.
NeuronOrder compose(const NeuronOrder &first, const NeuronOrder &then);

/// By population: where each neuron of an order stands.
NeuronOrder invert(const NeuronOrder &order);

/// The network in that order: what was said of a neuron is said of its
/// position, and the synapses of a source rise again by position. A population
/// that is put into another order loses its cuts, which were between neighbours
/// in the old one. The result does not depend on the number of threads. Throws
/// Error where an order does not name each neuron once.
MapNetwork permute(const MapNetwork &network, const NeuronOrder &order,
                   unsigned threads = 1);

/// permute() that frees each projection of the old network as soon as it is in
/// the new order.
MapNetwork permute(MapNetwork &&network, const NeuronOrder &order,
                   unsigned threads = 1);

/// A network in an order, or the network itself where the order leaves all
/// populations as they are: then nothing is copied.
class Reordered {
public:
  /// `network` must outlive this.
  Reordered(const MapNetwork &network, const NeuronOrder &order,
            unsigned threads = 1);

  const MapNetwork &operator*() const { return made ? *made : given; }

private:
  const MapNetwork &given;
  std::optional<MapNetwork> made;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_PERMUTE_H
