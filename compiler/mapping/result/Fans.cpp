// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Fans.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

static Misfit misfit(const Target &target, const char *resource,
                     const char *limitName, const std::string &population,
                     uint64_t used, uint64_t limit, const char *counted,
                     const char *remedy) {
  return {resource, population, used, limit,
          fmt::format("population '{}': a neuron has {} {}, '{}' has at most "
                      "{}: what would make it fit is {}, another target, or "
                      "--override-limit {}",
                      population, used, counted, target.name, limit, remedy,
                      limitName)};
}

std::optional<Misfit> fanInMisfit(const MapNetwork &network,
                                  const Target &target) {
  if (!target.limits.fanIn)
    return std::nullopt;
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    std::vector<uint64_t> synapses(population.size, 0);
    for (const MapProjection &projection : network.projections)
      for (size_t k = 0;
           projection.target == p && k < projection.accumulator.size(); ++k)
        if (projection.weight[k] != 0)
          ++synapses[projection.accumulator[k] / population.accumulators];
    const uint64_t most =
        synapses.empty() ? 0
                         : *std::max_element(synapses.begin(), synapses.end());
    if (most > *target.limits.fanIn)
      return misfit(target, "fan-in", "fan_in", population.name, most,
                    *target.limits.fanIn, "synapses",
                    "fewer sources per neuron");
  }
  return std::nullopt;
}

/// By population and neuron, the core that it lies on.
static std::vector<std::vector<uint32_t>>
coresByNeuron(const MapNetwork &network, const std::vector<Slice> &slices) {
  std::vector<std::vector<uint32_t>> cores;
  for (const MapPopulation &population : network.populations)
    cores.emplace_back(population.size, 0);
  for (const Slice &slice : slices)
    std::fill_n(cores[slice.population].begin() + slice.first, slice.count,
                slice.core);
  return cores;
}

std::optional<Misfit> fanOutMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const std::vector<Slice> &slices) {
  if (!target.limits.fanOut)
    return std::nullopt;
  const auto cores = coresByNeuron(network, slices);
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    std::vector<uint64_t> messages(population.size, 0);
    std::vector<uint32_t> reached;
    for (const MapProjection &projection : network.projections) {
      if (projection.fromInput || projection.source != p)
        continue;
      const uint32_t each = network.populations[projection.target].accumulators;
      for (size_t s = 0; s + 1 < projection.begin.size(); ++s) {
        reached.clear();
        for (uint64_t k = projection.begin[s]; k < projection.begin[s + 1]; ++k)
          reached.push_back(
              cores[projection.target][projection.accumulator[k] / each]);
        std::sort(reached.begin(), reached.end());
        messages[s / population.sources] += uint64_t(
            std::unique(reached.begin(), reached.end()) - reached.begin());
      }
    }
    const uint64_t most =
        messages.empty() ? 0
                         : *std::max_element(messages.begin(), messages.end());
    if (most > *target.limits.fanOut)
      return misfit(target, "fan-out", "fan_out", population.name, most,
                    *target.limits.fanOut, "lists of synapses to send to",
                    "targets on fewer cores");
  }
  return std::nullopt;
}

const char *const kOutAxonsOfNeuron = "out-axons of a neuron";

std::optional<Misfit> outAxonsMisfit(const MapNetwork &network,
                                     const Target &target,
                                     const std::vector<Slice> &slices) {
  if (!target.limits.outAxonsPerNeuron)
    return std::nullopt;
  const uint64_t limit = *target.limits.outAxonsPerNeuron;
  const auto cores = coresByNeuron(network, slices);
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    std::vector<uint64_t> elsewhere(population.size, 0);
    for (const MapProjection &projection : network.projections) {
      if (projection.fromInput || projection.source != p)
        continue;
      const uint32_t each = network.populations[projection.target].accumulators;
      for (size_t s = 0; s + 1 < projection.begin.size(); ++s) {
        const auto neuron = uint32_t(s / population.sources);
        for (uint64_t k = projection.begin[s]; k < projection.begin[s + 1]; ++k)
          elsewhere[neuron] +=
              projection.weight[k] != 0 &&
              cores[projection.target][projection.accumulator[k] / each] !=
                  cores[p][neuron];
      }
    }
    for (uint32_t n = 0; n < population.size; ++n)
      if (elsewhere[n] > limit)
        return Misfit{
            kOutAxonsOfNeuron, population.name, elsewhere[n], limit,
            fmt::format(
                "population '{}': neuron {} has {} synapses on other cores, a "
                "neuron of '{}' has entries for {}: what would make it fit is "
                "its targets on its own core (fewer --cores, or a core with "
                "more synapse memory), another target, or --override-limit "
                "out_axons_per_neuron",
                population.name, n, elsewhere[n], target.name, limit)};
  }
  return std::nullopt;
}

} // namespace dendrolith
