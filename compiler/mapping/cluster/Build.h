// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a network to vertices, nets and what each vertex needs.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_BUILD_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_BUILD_H

#include "compiler/mapping/cluster/Limits.h"

namespace dendrolith::cluster {

/// Neurons as vertices, or the ranges of a population where it has such.
struct Vertices {
  /// By population: vertex of each neuron.
  std::vector<std::vector<uint32_t>> of;
  uint32_t count = 0;
};
Vertices verticesOf(const MapNetwork &network, const ClusterOptions &options);

/// The network as it is before anything is merged. Adds to `limits.tokens`.
Hypergraph hypergraphOf(const MapNetwork &network, const Target &target,
                        const ClusterOptions &options, const Vertices &vertices,
                        CoreLimits &limits);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_BUILD_H
