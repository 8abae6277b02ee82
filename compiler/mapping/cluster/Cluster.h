// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which neurons share a core, chosen neuron by neuron: a multilevel hypergraph
// partitioner under every limit of a core. README.md says how.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTER_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTER_H

#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/cluster/Clusters.h"
#include "compiler/mapping/network/Network.h"
#include "compiler/mapping/result/Fit.h"
#include "targets/loader/Target.h"

#include <optional>
#include <vector>

namespace dendrolith {

/// Groups the neurons of a network. A misfit names the resource that ends it,
/// what the network takes of it at least, and how many cores were found to do.
Fit<Clusters> clusterNeurons(const MapNetwork &network, const Target &target,
                             const ClusterOptions &options);

/// Moves neurons between cores that have places: the sum of rate times
/// `distance` (by core of the source, core of the targets; cores * cores)
/// falls, and no limit that holds is exceeded. `hostDistance` is for inputs, by
/// core.
Clusters refineClusters(const MapNetwork &network, const Target &target,
                        Clusters clusters, const std::vector<double> &distance,
                        const std::vector<double> &hostDistance,
                        const ClusterOptions &options);

} // namespace dendrolith

namespace dendrolith::cluster {

// Why neurons cannot be grouped, in words that say what would help.

/// A neuron that no core holds, if there is one.
std::optional<Misfit> vertexMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const CoreLimits &limits,
                                   const Vertices &vertices,
                                   const Hypergraph &graph);

/// The network does not fit `cores`; `fitting` is how many were found to do,
/// 0 = none.
Misfit regroupingMisfit(const MapNetwork &network, const Target &target,
                        const CoreLimits::CoreBound &bound, uint32_t cores,
                        uint32_t fitting, Resource resource);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_CLUSTER_H
