// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Order.h"

#include "compiler/mapping/cluster/InnerOrder.h"

#include <algorithm>
#include <numeric>

namespace dendrolith {

static bool hasRanges(const std::vector<std::vector<uint32_t>> &ranges,
                      size_t population) {
  return population < ranges.size() && !ranges[population].empty();
}

/// Runs of one core and one program.
static std::vector<cluster::NeuronGroup>
groupsOf(const std::vector<uint32_t> &order, const std::vector<uint32_t> &core,
         const std::vector<uint32_t> &program) {
  std::vector<cluster::NeuronGroup> groups;
  for (uint32_t at = 0, slice = 0; at < order.size(); ++at) {
    const bool sameCore = at > 0 && core[order[at]] == core[order[at - 1]];
    if (!sameCore)
      slice = at;
    if (sameCore && program[order[at]] == program[order[at - 1]])
      ++groups.back().count;
    else
      groups.push_back({at, 1, slice});
  }
  return groups;
}

NeuronOrder orderOf(const MapNetwork &network, const Target &target,
                    const Clusters &clusters,
                    const std::vector<std::vector<uint32_t>> &ranges) {
  NeuronOrder order(network.populations.size());
  for (size_t p = 0; p < order.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    const std::vector<uint32_t> &core = clusters.core[p];
    std::vector<uint32_t> program(population.size, 0);
    if (!hasRanges(ranges, p))
      population.forEachRun(
          0, population.size,
          [&](const NeuronNeeds &needs, uint32_t first, uint32_t count) {
            std::fill_n(program.begin() + first, count, needs.program);
          });
    order[p].resize(population.size);
    std::iota(order[p].begin(), order[p].end(), 0);
    auto before = [&](uint32_t a, uint32_t b) {
      return std::make_pair(core[a], program[a]) <
             std::make_pair(core[b], program[b]);
    };
    std::stable_sort(order[p].begin(), order[p].end(), before);
    // Neighbours that hear the same sources also fire together, and messages
    // that leave together wait for each other: only where memory is short.
    if (!hasRanges(ranges, p) && !target.synapses.skipsZeros)
      cluster::orderInside(network, target.synapses, p,
                           groupsOf(order[p], core, program), order[p]);
    if (std::is_sorted(order[p].begin(), order[p].end()))
      order[p].clear(); // as it is
  }
  return order;
}

std::vector<Slice> slicesOf(const MapNetwork &network, const Clusters &clusters,
                            const std::vector<std::vector<uint32_t>> &ranges) {
  std::vector<Slice> slices;
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    const bool ranged = hasRanges(ranges, p);
    // Sizes by core, or those of the ranges in order of their cores.
    std::vector<std::pair<uint32_t, uint32_t>> sizes; // core, neurons
    if (ranged) {
      for (size_t r = 0; r + 1 < ranges[p].size(); ++r)
        sizes.emplace_back(clusters.core[p][ranges[p][r]],
                           ranges[p][r + 1] - ranges[p][r]);
      std::stable_sort(
          sizes.begin(), sizes.end(),
          [](const auto &a, const auto &b) { return a.first < b.first; });
    } else {
      for (uint32_t c = 0; c < clusters.cores; ++c)
        sizes.emplace_back(c, 0);
      for (uint32_t core : clusters.core[p])
        ++sizes[core].second;
    }
    uint32_t first = 0;
    for (auto [core, count] : sizes) {
      if (count > 0)
        slices.push_back({p, first, count, core, 0});
      first += count;
    }
  }
  std::stable_sort(
      slices.begin(), slices.end(),
      [](const Slice &a, const Slice &b) { return a.core < b.core; });
  for (size_t s = 1; s < slices.size(); ++s)
    if (slices[s - 1].core == slices[s].core)
      slices[s].base =
          slices[s - 1].base + accumulatorsOf(network, slices[s - 1]);
  return slices;
}

} // namespace dendrolith
