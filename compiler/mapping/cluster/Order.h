// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From cores of neurons to an order in which slices are contiguous.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_ORDER_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_ORDER_H

#include "compiler/mapping/cluster/Clusters.h"
#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// The order that brings the neurons of a core together: by core, then those of
/// one program, then by number, or where words count more than time
/// (SynapseFormat::skipsZeros) as their lists take fewest words (InnerOrder).
/// Ranges of a population stay whole. Empty for a
/// population that is in this order already.
NeuronOrder orderOf(const MapNetwork &network, const Target &target,
                    const Clusters &clusters,
                    const std::vector<std::vector<uint32_t>> &ranges = {});

/// The slices of the network in that order, one for each population and core,
/// or one for each of the population's ranges, in order of (core, base). The
/// cores are those of the clusters, so that a place has yet to be found.
std::vector<Slice>
slicesOf(const MapNetwork &network, const Clusters &clusters,
         const std::vector<std::vector<uint32_t>> &ranges = {});

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_ORDER_H
