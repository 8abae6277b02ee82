// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Fans.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

/// The neuron that needs most of something, of all populations: a limit of its
/// need serves all neurons.
struct Neediest {
  uint64_t need = 0;
  uint32_t population = 0, neuron = 0;
  void see(uint32_t of, const std::vector<uint64_t> &needs) {
    for (uint32_t n = 0; n < needs.size(); ++n)
      if (needs[n] > need)
        *this = {needs[n], of, n};
  }
};

static Misfit misfit(const MapNetwork &network, const Target &target,
                     const char *resource, const char *limitName,
                     const Neediest &worst, uint64_t limit, const char *counted,
                     const char *remedy) {
  const std::string &name = network.populations[worst.population].name;
  return {resource, name, worst.need, limit,
          fmt::format("population '{}': neuron {} has {} {}, '{}' has at most "
                      "{}: what would make it fit is {}, another target, or "
                      "--override-limit {}",
                      name, worst.neuron, worst.need, counted, target.name,
                      limit, remedy, limitName)};
}

std::optional<Misfit> fanInMisfit(const MapNetwork &network,
                                  const Target &target) {
  if (!target.limits.fanIn)
    return std::nullopt;
  Neediest worst;
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    const MapPopulation &population = network.populations[p];
    std::vector<uint64_t> synapses(population.size, 0);
    for (const MapProjection &projection : network.projections)
      for (size_t k = 0;
           projection.target == p && k < projection.accumulator.size(); ++k)
        if (projection.weight[k] != 0)
          ++synapses[projection.accumulator[k] / population.accumulators];
    worst.see(p, synapses);
  }
  if (worst.need <= *target.limits.fanIn)
    return std::nullopt;
  return misfit(network, target, "fan-in", "fan_in", worst,
                *target.limits.fanIn, "synapses", "fewer sources per neuron");
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
  Neediest worst;
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
    worst.see(p, messages);
  }
  if (worst.need <= *target.limits.fanOut)
    return std::nullopt;
  return misfit(network, target, "fan-out", "fan_out", worst,
                *target.limits.fanOut, "lists of synapses to send to",
                "targets on fewer cores");
}

const char *const kOutAxonsOfNeuron = "out-axons of a neuron";

std::optional<Misfit> outAxonsMisfit(const MapNetwork &network,
                                     const Target &target,
                                     const std::vector<Slice> &slices) {
  if (!target.limits.outAxonsPerNeuron)
    return std::nullopt;
  const uint64_t limit = *target.limits.outAxonsPerNeuron;
  const auto cores = coresByNeuron(network, slices);
  Neediest worst;
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
    worst.see(p, elsewhere);
  }
  if (worst.need <= limit)
    return std::nullopt;
  const std::string &name = network.populations[worst.population].name;
  return Misfit{
      kOutAxonsOfNeuron, name, worst.need, limit,
      fmt::format(
          "population '{}': neuron {} has {} synapses on other cores, a "
          "neuron of '{}' has entries for {}: what would make it fit "
          "is its targets on its own core (fewer --cores, or a core "
          "with more synapse memory), another target, or "
          "--override-limit out_axons_per_neuron",
          name, worst.neuron, worst.need, target.name, limit)};
}

} // namespace dendrolith
