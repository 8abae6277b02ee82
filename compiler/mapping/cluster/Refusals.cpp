// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Refusals.h"

#include "compiler/mapping/result/Misfits.h"

#include <fmt/format.h>

namespace dendrolith::cluster {

std::optional<Misfit> vertexMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const CoreLimits &limits,
                                   const Vertices &vertices,
                                   const Hypergraph &graph) {
  for (size_t p = 0; p < vertices.of.size(); ++p)
    for (uint32_t n = 0; n < vertices.of[p].size(); ++n) {
      const uint32_t v = vertices.of[p][n];
      Needs needs = graph.needs[v];
      for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i) {
        const uint16_t table = graph.table[graph.in.value[i]];
        if (table == fixedNet)
          continue;
        needs.in += 1;
        // A dense list at the least; how wide indices are is not known yet.
        if (limits.countsWords)
          needs.words += double(
              target.synapses.listWords(ListFormat::Dense, graph.weightOfIn(i),
                                        network.projections[table].weightBits));
      }
      for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
        needs.out += graph.table[graph.out.value[i]] != fixedNet;
      const Resource worst = limits.worst(needs);
      if (worst == numResources || worst == NeuronSlots)
        continue;
      const double used[] = {needs.slots, needs.words, needs.in, needs.out,
                             limits.bytesOf(needs)};
      return neuronMisfit(target, network.populations[p].name, n, worst,
                          uint64_t(used[worst]));
    }
  return std::nullopt;
}

Misfit regroupingMisfit(const MapNetwork &network, const Target &target,
                        const CoreLimits::CoreBound &bound, uint32_t cores,
                        uint32_t fitting, Resource resource) {
  const ResourceName &name = describe(resource);
  std::string found =
      fitting ? fmt::format("; it fits {} cores by regrouping", fitting)
      : bound.cores > cores ? std::string()
                            : "; no regrouping was found to fit";
  size_t largest = 0;
  for (size_t p = 1; p < network.populations.size(); ++p)
    if (network.populations[p].size > network.populations[largest].size)
      largest = p;
  return {name.name, network.populations[largest].name,
          fitting ? fitting : bound.cores, cores,
          fmt::format("the network does not fit {} cores of '{}': {} {} per "
                      "core is what runs out, and no fewer than {} cores "
                      "have enough {} for all of it{}: what would make it "
                      "fit is {}, another target, or --override-limit {}",
                      cores, target.name, Capacity(target).of[resource],
                      name.counted, bound.cores,
                      describe(bound.resource).counted, found, name.less,
                      name.limit)};
}

} // namespace dendrolith::cluster
