// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/Reorder.h"

namespace dendrolith {

/// Positions that run the same program one after the other.
static std::vector<ProgramRun>
runsByPosition(const LoweredPopulation &population) {
  const std::vector<ProgramRun> &byNeuron = population.microcode.runs;
  if (byNeuron.size() < 2)
    return byNeuron;
  std::vector<uint32_t> programOf(population.order.size());
  for (const ProgramRun &run : byNeuron)
    std::fill_n(programOf.begin() + run.first, run.count, run.program);
  std::vector<ProgramRun> runs;
  for (uint32_t at = 0; at < population.order.size(); ++at) {
    uint32_t program = programOf[population.order[at]];
    if (runs.empty() || runs.back().program != program)
      runs.push_back({at, 0, program});
    ++runs.back().count;
  }
  return runs;
}

void reorder(LoweredNetwork &network, const NeuronOrder &order) {
  if (order.empty())
    return;
  network.map = permute(std::move(network.map), order);
  for (size_t p = 0; p < network.populations.size(); ++p) {
    if (p >= order.size() || order[p].empty())
      continue;
    LoweredPopulation &population = network.populations[p];
    std::vector<uint32_t> neurons = order[p];
    if (!population.order.empty())
      for (uint32_t &neuron : neurons)
        neuron = population.order[neuron];
    population.order = std::move(neurons);
    population.runs = runsByPosition(population);
  }
}

NeuronOrder numbersByPosition(const LoweredNetwork &network,
                              const NeuronOrder &numbers) {
  NeuronOrder all = numbers;
  for (size_t p = 0; p < all.size(); ++p) {
    const std::vector<uint32_t> &order = network.populations[p].order;
    if (order.empty())
      continue;
    all[p] = order;
    if (!numbers[p].empty())
      for (uint32_t &number : all[p])
        number = numbers[p][number];
  }
  return all;
}

} // namespace dendrolith
