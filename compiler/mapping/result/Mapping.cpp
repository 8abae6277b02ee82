// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Mapping.h"

#include <algorithm>
#include <set>

namespace dendrolith {

std::vector<Slice> byNeuron(std::vector<Slice> slices) {
  std::sort(slices.begin(), slices.end(), [](const Slice &a, const Slice &b) {
    return std::make_pair(a.population, a.first) <
           std::make_pair(b.population, b.first);
  });
  return slices;
}

Cuts cutsOf(const MapNetwork &network, const std::vector<Slice> &slices) {
  Cuts cuts;
  cuts.starts.resize(network.populations.size());
  for (const Slice &slice : byNeuron(slices)) {
    cuts.starts[slice.population].push_back(slice.first);
    cuts.cores.push_back(slice.core);
  }
  for (size_t p = 0; p < cuts.starts.size(); ++p)
    cuts.starts[p].push_back(network.populations[p].size);
  return cuts;
}

std::vector<Slice> slicesOn(const MapNetwork &network,
                            const SliceStarts &starts,
                            const SliceCores &cores) {
  std::vector<Slice> slices;
  for (uint32_t p = 0; p < starts.size(); ++p)
    for (size_t k = 0; k + 1 < starts[p].size(); ++k)
      slices.push_back({p, starts[p][k], starts[p][k + 1] - starts[p][k],
                        cores[slices.size()], 0});
  std::stable_sort(
      slices.begin(), slices.end(),
      [](const Slice &a, const Slice &b) { return a.core < b.core; });
  for (size_t i = 1; i < slices.size(); ++i)
    if (slices[i].core == slices[i - 1].core)
      slices[i].base =
          slices[i - 1].base + accumulatorsOf(network, slices[i - 1]);
  return slices;
}

NeuronCores coresOf(const MapNetwork &network, const std::vector<Slice> &slices,
                    const NeuronOrder &order) {
  NeuronCores cores;
  for (const MapPopulation &population : network.populations)
    cores.emplace_back(population.size, noCore);
  for (const Slice &slice : slices) {
    const uint32_t p = slice.population;
    const bool ordered = p < order.size() && !order[p].empty();
    for (uint32_t at = slice.first; at < slice.first + slice.count; ++at)
      cores[p][ordered ? order[p][at] : at] = slice.core;
  }
  return cores;
}

uint64_t coresUsed(const SliceCores &cores) {
  return std::set<uint32_t>(cores.begin(), cores.end()).size();
}

} // namespace dendrolith
