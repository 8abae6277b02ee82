// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/SpikeCounter.h"

#include <algorithm>
#include <numeric>

namespace dendrolith::sim {

SpikeCounter::SpikeCounter(const Machine &machine) : machine(machine) {
  for (const Machine::Population &population : machine.populations())
    outputs.push_back(outputsOf(population));
}

/// Lists the outputs of a population. Its groups may run different programs,
/// but with the same outputs.
std::vector<SpikeCounter::Output>
SpikeCounter::outputsOf(const Machine::Population &population) const {
  std::vector<Output> all;
  bool fires = false;
  for (uint32_t g : population.groups) {
    const Machine::Group &group = machine.groups()[g];
    if (!group.micro) {
      fires |= !group.cuba.rules.silent;
      all.assign(fires, {population.name, 1, 0, {0, 0}});
      continue;
    }
    const std::vector<MicroProgram::Output> &of = group.micro->outputs();
    all.resize(std::max(all.size(), of.size()));
    for (size_t o = 0; o < of.size(); ++o) {
      // Silence is always possible.
      int64_t low = std::min({of[o].low, all[o].low, int64_t(0)});
      int64_t high =
          std::max({of[o].high, all[o].low + int64_t(all[o].counts.size()) - 1,
                    int64_t(0)});
      all[o] = {of.size() == 1 ? population.name
                               : population.name + ":" + of[o].name,
                of[o].elements,
                low,
                {}};
      // Both are within 32 bits.
      if (high > low && high - low < kMostSpikeValues)
        all[o].counts.resize(static_cast<size_t>(high - low + 1));
    }
  }
  return all;
}

void SpikeCounter::count(const Machine::Group &group,
                         const GroupUpdate &update) {
  if (!group.micro)
    return countSpikes(group.population, update.emissions.size());
  for (const MicroEmission &emission : update.visit.emissions)
    add(group.population, emission.output, emission.value);
}

void SpikeCounter::merge(const SpikeCounter &other) {
  for (size_t p = 0; p < outputs.size(); ++p)
    for (size_t o = 0; o < outputs[p].size(); ++o)
      for (size_t i = 0; i < outputs[p][o].counts.size(); ++i)
        outputs[p][o].counts[i] += other.outputs[p][o].counts[i];
}

void SpikeCounter::clear() {
  for (std::vector<Output> &of : outputs)
    for (Output &output : of)
      std::fill(output.counts.begin(), output.counts.end(), 0);
}

std::vector<SpikeValues> SpikeCounter::values(uint64_t tokens) const {
  std::vector<SpikeValues> all;
  for (size_t p = 0; p < outputs.size(); ++p) {
    const Machine::Population &population = machine.populations()[p];
    for (const Output &output : outputs[p]) {
      if (output.counts.empty())
        continue;
      SpikeValues values{output.name, output.low, output.counts};
      uint64_t emitted = values.updates();
      values.counts[static_cast<size_t>(-output.low)] =
          tokens * population.ticks * population.size * output.elements -
          emitted;
      all.push_back(std::move(values));
    }
  }
  return all;
}

uint64_t SpikeValues::updates() const {
  return std::accumulate(counts.begin(), counts.end(), uint64_t(0));
}

double SpikeValues::share(int64_t value) const {
  uint64_t all = updates();
  if (all == 0 || value < low || value >= low + int64_t(counts.size()))
    return 0;
  return double(counts[static_cast<size_t>(value - low)]) / double(all);
}

} // namespace dendrolith::sim
