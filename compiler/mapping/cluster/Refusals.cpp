// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Refusals.h"

#include "compiler/mapping/result/Misfits.h"

#include <fmt/format.h>

namespace dendrolith::cluster {

/// What one vertex needs of a core that holds nothing else.
static Needs needsAlone(const MapNetwork &network, const Target &target,
                        const CoreLimits &limits, const Hypergraph &graph,
                        uint32_t v) {
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
                                    network.projections[table].synapseBits()));
  }
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
    needs.out += graph.table[graph.out.value[i]] != fixedNet;
  return needs;
}

std::optional<Misfit> vertexMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const CoreLimits &limits,
                                   const Vertices &vertices,
                                   const Hypergraph &graph) {
  // The neediest of those that exceed what the first of them exceeds.
  Resource exceeded = numResources;
  uint64_t most = 0;
  size_t population = 0;
  uint32_t neuron = 0;
  for (size_t p = 0; p < vertices.of.size(); ++p)
    for (uint32_t n = 0; n < vertices.of[p].size(); ++n) {
      const Needs needs =
          needsAlone(network, target, limits, graph, vertices.of[p][n]);
      const Resource worst = limits.worst(needs);
      if (worst == numResources || worst == NeuronSlots ||
          (exceeded != numResources && worst != exceeded))
        continue;
      const double used[] = {needs.slots, needs.words, needs.in, needs.out,
                             limits.bytesOf(needs)};
      exceeded = worst;
      if (uint64_t(used[worst]) <= most)
        continue;
      most = uint64_t(used[worst]);
      population = p;
      neuron = n;
    }
  if (exceeded == numResources)
    return std::nullopt;
  return neuronMisfit(target, network.populations[population].name, neuron,
                      exceeded, most);
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
