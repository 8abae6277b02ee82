// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/NeuronCores.h"

namespace dendrolith {

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

} // namespace dendrolith
