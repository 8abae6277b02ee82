// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/Network.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace dendrolith {

namespace {

void checkProfiles(const MapPopulation &population,
                   const std::vector<uint32_t> &profiles, const char *what) {
  if (!profiles.empty() && profiles.size() != population.size)
    throw Error(fmt::format("population '{}': expected no or {} {} profiles, "
                            "found {}",
                            population.name, population.size, what,
                            profiles.size()));
}

/// The image numbers the accumulators of a core, and sources, by int32; and the
/// core of an ideal chip holds all that there are.
void checkElements(const MapNetwork &network) {
  constexpr uint64_t most = std::numeric_limits<int32_t>::max();
  uint64_t accumulators = 0;
  for (const MapPopulation &p : network.populations) {
    uint64_t sources = uint64_t(p.size) * p.sources;
    if (sources > most)
      throw Error(fmt::format("population '{}': expected at most {} sources, "
                              "found {} neurons with {} each",
                              p.name, most, p.size, p.sources));
    accumulators += uint64_t(p.size) * p.accumulators;
    if (accumulators > most)
      throw Error(fmt::format("population '{}': expected at most {} "
                              "accumulators in a network, found {} up to its "
                              "{} neurons with {} each",
                              p.name, most, accumulators, p.size,
                              p.accumulators));
  }
}

void checkRuns(const MapPopulation &population) {
  for (size_t r = 0; r < population.runs.size(); ++r) {
    const MapRun &run = population.runs[r];
    bool rises = r == 0 ? run.first == 0
                        : run.first > population.runs[r - 1].first &&
                              run.first < population.size;
    if (!rises)
      throw Error(fmt::format("population '{}': expected runs that rise from "
                              "neuron 0 to below {}, found run {} at neuron {}",
                              population.name, population.size, r, run.first));
    if (run.program == ownProgram)
      throw Error(fmt::format("population '{}': run {} names no program",
                              population.name, r));
  }
}

void checkPrograms(const MapNetwork &network) {
  using Seen = std::pair<const NeuronNeeds *, const MapPopulation *>;
  std::map<uint32_t, Seen> seen;
  for (const MapPopulation &p : network.populations)
    p.forEachRun(0, p.size, [&](const NeuronNeeds &needs, uint32_t, uint32_t) {
      if (needs.program == ownProgram)
        return;
      auto [first, other] =
          seen.emplace(needs.program, Seen(&needs, &p)).first->second;
      if (first->programWords != needs.programWords)
        throw Error(fmt::format(
            "population '{}': expected {} words of program {}, as population "
            "'{}' has, found {}",
            p.name, first->programWords, needs.program, other->name,
            needs.programWords));
    });
}

void checkRates(const std::vector<double> &rates, uint32_t size,
                const std::string &name) {
  if (!rates.empty() && rates.size() != size)
    throw Error(fmt::format("'{}': expected no or {} rates, found {}", name,
                            size, rates.size()));
  for (double rate : rates)
    if (!std::isfinite(rate) || rate < 0)
      throw Error(fmt::format("'{}': expected finite rates >= 0 per tick, "
                              "found {}",
                              name, rate));
}

void checkActivity(const MapNetwork &network,
                   const std::vector<uint64_t> &activity, uint64_t size,
                   const MapSchedule &schedule, const std::string &name) {
  if (activity.empty())
    return;
  if (activity.size() != size * schedule.ticks)
    throw Error(fmt::format("'{}': expected the activity of no or {} elements "
                            "in {} ticks, found {} words",
                            name, size, schedule.ticks, activity.size()));
  if (uint64_t(network.samples) * network.sampledTicks > 64)
    throw Error(fmt::format("'{}': expected at most 64 sampled ticks, found {} "
                            "samples of {}",
                            name, network.samples, network.sampledTicks));
}

void checkProjection(const MapNetwork &network, size_t index) {
  const MapProjection &p = network.projections[index];
  auto fail = [&](const std::string &message) {
    throw Error(fmt::format("projection {}: {}", index, message));
  };
  size_t sources =
      p.fromInput ? network.inputs.size() : network.populations.size();
  if (p.source >= sources)
    fail(
        fmt::format("expected a source below {}, found {}", sources, p.source));
  if (p.target >= network.populations.size())
    fail(fmt::format("expected a target below {}, found {}",
                     network.populations.size(), p.target));
  uint64_t rows = network.sourceSize(p);
  uint32_t size = network.populations[p.target].size *
                  network.populations[p.target].accumulators;
  if (p.begin.size() != rows + 1 || p.begin.front() != 0 ||
      p.begin.back() != p.accumulator.size() ||
      p.weight.size() != p.accumulator.size() ||
      (!p.delays.empty() && p.delays.size() != p.accumulator.size()))
    fail(fmt::format("expected row starts for {} sources, from 0 to the number "
                     "of synapses",
                     rows));
  // Rows are checked first: a start that falls would send the loop below out of
  // range.
  for (uint64_t row = 0; row < rows; ++row)
    if (p.begin[row] > p.begin[row + 1])
      fail(fmt::format("the row of source {} ends before it starts", row));
  for (uint64_t row = 0; row < rows; ++row)
    for (uint64_t i = p.begin[row]; i < p.begin[row + 1]; ++i) {
      if (p.accumulator[i] >= size)
        fail(fmt::format("source {}: expected target accumulators below {}, "
                         "found {}",
                         row, size, p.accumulator[i]));
      if (i > p.begin[row] && p.accumulator[i] <= p.accumulator[i - 1])
        fail(fmt::format("source {}: expected rising target accumulators, "
                         "found {} after {}",
                         row, p.accumulator[i], p.accumulator[i - 1]));
    }
}

} // namespace

void check(const MapNetwork &network) {
  for (const MapPopulation &population : network.populations) {
    checkProfiles(population, population.decayProfile, "decay");
    checkProfiles(population, population.thresholdProfile, "threshold");
    checkRuns(population);
  }
  checkElements(network);
  checkPrograms(network);
  for (size_t i = 0; i < network.projections.size(); ++i)
    checkProjection(network, i);
  for (size_t i = 0; i < network.inputRate.size(); ++i)
    if (i < network.inputs.size())
      checkRates(network.inputRate[i], network.inputs[i].size,
                 network.inputs[i].name);
  for (size_t i = 0; i < network.inputActivity.size(); ++i)
    if (i < network.inputs.size())
      checkActivity(network, network.inputActivity[i], network.inputs[i].size,
                    network.inputs[i].schedule, network.inputs[i].name);
  for (size_t i = 0; i < network.populationActivity.size(); ++i)
    if (i < network.populations.size())
      checkActivity(network, network.populationActivity[i],
                    uint64_t(network.populations[i].size) *
                        network.populations[i].sources,
                    network.populations[i].schedule,
                    network.populations[i].name);
  for (size_t i = 0; i < network.populationRate.size(); ++i)
    if (i < network.populations.size())
      checkRates(network.populationRate[i],
                 network.populations[i].size * network.populations[i].sources,
                 network.populations[i].name);
}

} // namespace dendrolith
