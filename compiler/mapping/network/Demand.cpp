// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/Demand.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace dendrolith {

const ResourceName &describe(Resource resource) {
  static const ResourceName names[numResources] = {
      {"neurons", "neurons", "neurons", "compartments_per_core",
       "fewer neurons"},
      {"synapse memory", "words", "words of synapse memory",
       "synapse_memory_words", "fewer weight bits or fewer synapses"},
      {"in-axons", "entries", "in-axons", "in_axons",
       "fewer sources per neuron"},
      {"out-axons", "entries", "out-axons", "out_axons",
       "fewer targets per neuron"},
      {"core memory", "bytes", "bytes of core memory", "core_memory_bytes",
       "less state, fewer synapses or fewer axons"},
      {"program words", "words", "program words", "program_words",
       "shorter step bodies or fewer neuron models"},
      {"decay profiles", "profiles", "decay profiles", "decay_profiles",
       "fewer distinct time constants"},
      {"threshold profiles", "profiles", "threshold profiles",
       "threshold_profiles", "fewer distinct thresholds"},
      {"synapse formats", "formats", "synapse formats", "synapse_formats",
       "fewer distinct weight widths"},
  };
  return names[resource];
}

Capacity::Capacity(const Target &target) {
  const Limits &limits = target.limits;
  of = {limits.compartmentsPerCore.value_or(unlimited),
        limits.synapseMemoryWords.value_or(unlimited),
        limits.inAxons.value_or(unlimited),
        limits.outAxons.value_or(unlimited),
        limits.coreMemoryBytes.value_or(unlimited),
        target.microcode.programWords.value_or(unlimited),
        limits.decayProfiles.value_or(unlimited),
        limits.thresholdProfiles.value_or(unlimited),
        limits.synapseFormats.value_or(unlimited)};
}

EntryBytes::EntryBytes(const Target &target)
    : synapseWord((target.synapses.wordBits + 7) / 8),
      inAxon(target.memory.inAxonBytes), outAxon(target.memory.outAxonBytes),
      instruction(target.memory.instructionBytes) {}

void Demand::addEntryBytes(const EntryBytes &bytes) {
  sums[CoreBytes] += sums[SynapseWords] * bytes.synapseWord +
                     sums[InAxons] * bytes.inAxon +
                     sums[OutAxons] * bytes.outAxon;
}

void addTo(std::array<uint64_t, numSums> &sums, const Shared &entry) {
  sums[ProgramWords] += entry.programWords;
  sums[CoreBytes] += entry.coreBytes;
}

void takeFrom(std::array<uint64_t, numSums> &sums, const Shared &entry) {
  sums[ProgramWords] -= entry.programWords;
  sums[CoreBytes] -= entry.coreBytes;
}

static bool lowerId(const Shared &a, const Shared &b) { return a.id < b.id; }

void Demand::addShared(const std::vector<Shared> &entries) {
  for (const Shared &entry : entries)
    addTo(sums, entry);
  shared.insert(shared.end(), entries.begin(), entries.end());
  std::sort(shared.begin(), shared.end(), lowerId);
}

std::array<uint64_t, numSums> beyond(const Demand &a, const Demand &b) {
  std::array<uint64_t, numSums> sums = b.sums;
  for (const Shared &entry : b.shared)
    if (std::binary_search(a.shared.begin(), a.shared.end(), entry, lowerId))
      takeFrom(sums, entry);
  return sums;
}

void Demand::addSums(const Demand &other) {
  std::array<uint64_t, numSums> added = beyond(*this, other);
  for (int r = 0; r < numSums; ++r)
    sums[r] += added[r];
  if (other.shared.empty())
    return;
  std::vector<Shared> both;
  std::set_union(shared.begin(), shared.end(), other.shared.begin(),
                 other.shared.end(), std::back_inserter(both), lowerId);
  shared = std::move(both);
}

void Demand::add(const Demand &other) {
  addSums(other);
  for (int s = 0; s < numSets; ++s) {
    std::vector<uint64_t> both;
    std::set_union(sets[s].begin(), sets[s].end(), other.sets[s].begin(),
                   other.sets[s].end(), std::back_inserter(both));
    sets[s] = std::move(both);
  }
}

uint64_t unionSize(const std::vector<uint64_t> &a,
                   const std::vector<uint64_t> &b) {
  uint64_t size = a.size() + b.size();
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j])
      --size, ++i, ++j;
    else if (a[i] < b[j])
      ++i;
    else
      ++j;
  }
  return size;
}

int exceeded(const Demand &a, const Demand &b, const Capacity &capacity) {
  std::array<uint64_t, numSums> added = beyond(a, b);
  for (int r = 0; r < numSums; ++r)
    if (a.sums[r] > capacity.of[r] || added[r] > capacity.of[r] - a.sums[r])
      return r;
  for (int s = 0; s < numSets; ++s)
    if (capacity.of[numSums + s] != unlimited &&
        unionSize(a.sets[s], b.sets[s]) > capacity.of[numSums + s])
      return numSums + s;
  return numResources;
}

uint64_t profileOf(const std::vector<uint32_t> &profiles, uint32_t population,
                   uint32_t neuron) {
  return profiles.empty() ? (uint64_t(1) << 32) + population : profiles[neuron];
}

std::vector<Shared> sharedOf(const MapNetwork &network, uint32_t population,
                             uint32_t first, uint32_t end,
                             const EntryBytes &bytes) {
  const MapPopulation &p = network.populations[population];
  // Each program of the population has a copy of the parameters it reads.
  auto idOf = [&](uint64_t kind) { return (kind << 32) + population; };
  std::map<uint64_t, Shared> shared;
  p.forEachRun(first, end, [&](const NeuronNeeds &needs, uint32_t, uint32_t) {
    uint64_t program = needs.program == ownProgram ? idOf(1) : needs.program;
    if (needs.programWords > 0)
      shared[program] = {program, needs.programWords,
                         needs.programWords * bytes.instruction};
    auto like =
        std::find_if(p.runs.begin(), p.runs.end(), [&](const MapRun &run) {
          return run.program == needs.program;
        });
    uint64_t params =
        p.runs.empty() ? idOf(2) : idOf(2 + (like - p.runs.begin()));
    if (needs.sliceBytes > 0)
      shared[params] = {params, 0, needs.sliceBytes};
  });
  std::vector<Shared> entries;
  for (const auto &entry : shared)
    entries.push_back(entry.second);
  return entries;
}

} // namespace dendrolith
