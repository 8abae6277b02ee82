// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finished mapping takes. Counts from the network and the slices alone,
// not from what splitting and partition believed.

#include "compiler/mapping/result/Measure.h"

#include "compiler/mapping/network/ListTally.h"
#include "compiler/mapping/network/ListWalk.h"
#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/Mapping.h"
#include "compiler/mapping/result/Misfits.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace dendrolith {

namespace {

/// Slices of one population, rising.
struct PopulationSlices {
  std::vector<uint32_t> starts; // closed by the size
  std::vector<uint32_t> cores;
};

/// Slices by population; throws where neurons are missing or placed twice.
std::vector<PopulationSlices> byPopulation(const MapNetwork &network,
                                           std::vector<Slice> slices) {
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice &a, const Slice &b) {
                     return std::make_pair(a.population, a.first) <
                            std::make_pair(b.population, b.first);
                   });
  std::vector<PopulationSlices> placed(network.populations.size());
  std::vector<uint64_t> next(network.populations.size(), 0);
  for (const Slice &slice : slices) {
    if (slice.population >= placed.size())
      throw Error(fmt::format("mapping: a slice of population {}, there are {}",
                              slice.population, placed.size()));
    const MapPopulation &population = network.populations[slice.population];
    uint64_t &expected = next[slice.population];
    if (slice.count == 0)
      throw Error(fmt::format("mapping: population '{}' has an empty slice at "
                              "neuron {}",
                              population.name, slice.first));
    if (slice.first != expected)
      throw Error(fmt::format(
          "mapping: population '{}': expected neuron {} next, found a slice "
          "from {}: neurons must be placed exactly once",
          population.name, expected, slice.first));
    expected += slice.count;
    if (expected > population.size)
      throw Error(fmt::format("mapping: population '{}' has {} neurons, a "
                              "slice ends at {}",
                              population.name, population.size, expected));
    placed[slice.population].starts.push_back(slice.first);
    placed[slice.population].cores.push_back(slice.core);
  }
  for (size_t p = 0; p < placed.size(); ++p) {
    if (next[p] != network.populations[p].size)
      throw Error(fmt::format("mapping: population '{}': neurons {} to {} are "
                              "placed on no core",
                              network.populations[p].name, next[p],
                              network.populations[p].size - 1));
    placed[p].starts.push_back(network.populations[p].size);
  }
  return placed;
}

/// Use by core and population.
class Meter {
public:
  Meter(const MapNetwork &network, const Target &target,
        const std::vector<Slice> &slices)
      : network(network), bytes(target), placed(byPopulation(network, slices)) {
    for (uint32_t p = 0; p < network.populations.size(); ++p)
      addNeurons(p);
    for (const MapProjection &projection : network.projections)
      addLists(projection, target.synapses);
    addBytes();
  }

  std::vector<FitRow> rows(const Target &target) const {
    Capacity capacity(target);
    std::vector<FitRow> table;
    for (int r = 0; r < numResources; ++r) {
      // Tables of their own, or one memory for all: never both.
      if ((r == CoreBytes || r == ProgramWords) && capacity.of[r] == unlimited)
        continue;
      const ResourceName &name = describe(Resource(r));
      FitRow row;
      row.resource = name.name;
      row.unit = name.unit;
      row.limit = capacity.of[r] == unlimited ? 0 : capacity.of[r];
      for (const auto &core : cores)
        worst(core.first, core.second, r, row);
      table.push_back(std::move(row));
    }
    FitRow row;
    row.resource = row.unit = "cores";
    row.used = cores.size();
    row.limit = target.numCores();
    std::map<uint32_t, uint64_t> count;
    for (const auto &core : cores)
      for (const auto &part : core.second)
        ++count[part.first];
    uint64_t most = 0;
    for (auto [population, used] : count)
      if (used > most) {
        most = used;
        row.population = network.populations[population].name;
      }
    table.push_back(std::move(row));
    return table;
  }

private:
  struct PopulationUse {
    std::array<uint64_t, numSums> sums{};
    std::array<SmallSet, numSets> sets;
    std::map<uint32_t, uint64_t> programs; // words by id
    uint64_t of(int r) const {
      return r < numSums ? sums[r] : sets[r - numSums].size();
    }
  };
  using Core = std::map<uint32_t, PopulationUse>; // by population

  void worst(uint32_t id, const Core &core, int r, FitRow &row) const {
    uint64_t used = 0, most = 0;
    std::set<uint64_t> members;
    std::set<uint32_t> programs;
    const std::string *population = nullptr;
    for (const auto &part : core) {
      used += part.second.of(r);
      for (auto [program, words] : part.second.programs)
        if (program != ownProgram && !programs.insert(program).second)
          used -= programUse(words, r);
      if (r >= numSums)
        members.insert(part.second.sets[r - numSums].begin(),
                       part.second.sets[r - numSums].end());
      if (part.second.of(r) > most) {
        most = part.second.of(r);
        population = &network.populations[part.first].name;
      }
    }
    if (r >= numSums)
      used = members.size();
    if (used <= row.used)
      return;
    row.used = used;
    row.worstCore = id;
    row.population = *population;
  }

  /// What a program takes of a resource.
  uint64_t programUse(uint64_t words, int r) const {
    return r == ProgramWords ? words
           : r == CoreBytes  ? words * bytes.instruction
                             : 0;
  }

  void addNeurons(uint32_t p) {
    const MapPopulation &population = network.populations[p];
    size_t slice = 0;
    for (uint32_t n = 0; n < population.size; ++n) {
      slice = sliceOf(placed[p].starts, n, slice);
      PopulationUse &use = cores[placed[p].cores[slice]][p];
      const NeuronNeeds &needs = population.needsOf(n);
      ++use.sums[NeuronSlots];
      use.sums[CoreBytes] += needs.neuronBytes;
      if (use.programs.emplace(needs.program, needs.programWords).second)
        use.sums[CoreBytes] += needs.sliceBytes;
      use.sums[OutAxons] += network.hostOutputs(p);
      use.sets[DecayProfiles - numSums].insert(
          profileOf(population.decayProfile, p, n));
      use.sets[ThresholdProfiles - numSums].insert(
          profileOf(population.thresholdProfile, p, n));
    }
  }

  void addLists(const MapProjection &projection, const SynapseFormat &format) {
    const PopulationSlices &target = placed[projection.target];
    std::vector<PopulationUse *> use;
    for (uint32_t core : target.cores)
      use.push_back(&cores[core][projection.target]);
    uint32_t sources = projection.fromInput
                           ? 1
                           : network.populations[projection.source].sources;
    size_t slice = 0;
    const ListWalk walk(format, projection, target.starts,
                        network.populations[projection.target].accumulators,
                        /*contents=*/true);
    std::vector<ListTally> tallies = talliesOf(walk);
    for (uint32_t s = 0; s < network.sourceSize(projection); ++s) {
      uint64_t lists = 0;
      walk.forEach(s, [&](size_t k, const ListPlan &plan, uint64_t, uint64_t) {
        ++lists;
        tallies[k].add(plan);
      });
      if (projection.fromInput)
        continue;
      const PopulationSlices &from = placed[projection.source];
      slice = sliceOf(from.starts, s / sources, slice);
      cores[from.cores[slice]][projection.source].sums[OutAxons] += lists;
    }
    for (size_t k = 0; k < use.size(); ++k)
      tallies[k].addTo(use[k]->sums, use[k]->sets[SynapseFormats - numSums],
                       projection.formatBits());
  }

  /// What the tables and the programs take of one memory.
  void addBytes() {
    for (auto &core : cores)
      for (auto &[p, use] : core.second) {
        use.sums[CoreBytes] += use.sums[SynapseWords] * bytes.synapseWord +
                               use.sums[InAxons] * bytes.inAxon +
                               use.sums[OutAxons] * bytes.outAxon;
        for (auto [program, words] : use.programs) {
          use.sums[ProgramWords] += programUse(words, ProgramWords);
          use.sums[CoreBytes] += programUse(words, CoreBytes);
        }
      }
  }

  const MapNetwork &network;
  EntryBytes bytes;
  std::vector<PopulationSlices> placed;
  std::map<uint32_t, Core> cores;
};

} // namespace

std::vector<FitRow> measure(const MapNetwork &network, const Target &target,
                            const std::vector<Slice> &slices) {
  return Meter(network, target, slices).rows(target);
}

std::vector<Need> leastNeeds(const MapNetwork &network, const Target &target) {
  const LowerBounds bounds = lowerBounds(network, target);
  const Capacity capacity(target);
  std::vector<Need> needs;
  for (int r = 0; r < numResources; ++r) {
    if (capacity.of[r] == unlimited || network.populations.empty())
      continue;
    const ResourceName &name = describe(Resource(r));
    const Bound &bound = bounds.of[r];
    Need need;
    need.resource = name.name;
    need.unit = name.unit;
    need.population = network.populations[bound.population].name;
    need.used = bound.total;
    need.limit = target.numCores() * capacity.of[r];
    need.cores = bound.cores;
    need.available = target.numCores();
    need.remedy = remedyFor(Resource(r));
    needs.push_back(std::move(need));
  }
  return needs;
}

} // namespace dendrolith
