// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the partitioner hold its answers against.

#ifndef DENDROLITH_TESTS_COMPILER_MAPPING_CLUSTER_GROUPS_H
#define DENDROLITH_TESTS_COMPILER_MAPPING_CLUSTER_GROUPS_H

#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/cluster/Order.h"
#include "tests/compiler/mapping/Networks.h"

#include <set>

namespace dendrolith::test {

/// The verdict of verify() on the clusters: "" = they fit.
inline std::string
verdict(const MapNetwork &network, const Target &target,
        const Clusters &clusters,
        const std::vector<std::vector<uint32_t>> &ranges = {}) {
  Target large = target; // as many cores as there are clusters
  large.mesh.tilesX = clusters.cores;
  large.mesh.tilesY = large.mesh.coresPerTile = 1;
  auto fit =
      verify(permute(network, orderOf(network, target, clusters, ranges)),
             large, slicesOf(network, clusters, ranges));
  return fit ? "" : fit.misfit().message;
}

/// Messages counted source by source, as the definition has it.
inline double messagesOf(const MapNetwork &network, const Clusters &clusters) {
  double sum = 0;
  for (const MapProjection &p : network.projections)
    for (uint32_t s = 0; s < network.sourceSize(p); ++s) {
      std::set<uint32_t> cores;
      for (uint64_t i = p.begin[s]; i < p.begin[s + 1]; ++i)
        if (p.weight[i] != 0)
          cores.insert(
              clusters
                  .core[p.target][p.accumulator[i] /
                                  network.populations[p.target].accumulators]);
      if (!p.fromInput)
        cores.erase(
            clusters.core[p.source][s / network.populations[p.source].sources]);
      sum += network.rate(p.fromInput, p.source, s) * double(cores.size());
    }
  return sum;
}

/// One population of neurons in groups, each connected to most of its own
/// group, in an order that mixes the groups.
inline MapNetwork planted(uint32_t groups, uint32_t size) {
  MapNetwork network;
  addPopulation(network, "p", groups * size);
  connect(network, false, 0, 0,
          [&](uint32_t s, uint32_t t) -> std::optional<int> {
            if (s % groups == t % groups && (s * 7 + t * 3) % 5 != 0)
              return 1;
            return std::nullopt;
          });
  return network;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_MAPPING_CLUSTER_GROUPS_H
