// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the neurons of one population that share a core. Neurons that
// hear the same sources become neighbours: a list whose targets lie side by
// side needs no indices, and a chip stores and reads fewer words for it.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_INNERORDER_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_INNERORDER_H

#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/Network.h"

#include <vector>

namespace dendrolith::cluster {

/// Neurons that may change places with each other: `count` of an order, from
/// `first`, on a core where the population begins at `slice`.
struct NeuronGroup {
  uint32_t first = 0, count = 0, slice = 0;
};

/// Sorts the neurons of population `p` within each group of `order`, which has
/// a neuron at each position. A group stays as it is unless its lists then take
/// fewer words in `format`.
///
/// A list is an interval of an order that suits it, and the one that suits most
/// is found by averages: each source stands where its targets stand on
/// average, each neuron where its sources do, again and again, beginning with
/// distances from an outermost neuron. That approaches the order of the second
/// eigenvector (Atkins, Boman, Hendrickson: "A spectral algorithm for seriation
/// and the consecutive ones problem", 1998).
void orderInside(const MapNetwork &network, const SynapseFormat &format,
                 uint32_t p, const std::vector<NeuronGroup> &groups,
                 std::vector<uint32_t> &order);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_INNERORDER_H
