// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Bounds.h"

#include <unordered_set>

namespace dendrolith {

namespace {

uint64_t roundedUp(uint64_t total, uint64_t each) {
  return each ? total / each + (total % each != 0) : total;
}

/// Parts of a list, at least so many, take whole words each and no fewer blocks
/// than the list, so they never take less than this together.
uint64_t leastWords(const SynapseFormat &format, uint64_t entries,
                    uint64_t weightBits, uint64_t parts) {
  uint64_t blocks = std::max(parts, roundedUp(entries, format.blockSynapses));
  return roundedUp(entries * weightBits + format.headerBits * blocks,
                   format.wordBits);
}

/// How many of the costs, least first, add up to no more than there is; one at
/// least.
uint64_t mostWithin(std::vector<uint64_t> costs, uint64_t has) {
  std::sort(costs.begin(), costs.end());
  uint64_t many = 0;
  while (many < costs.size() && costs[many] <= has)
    has -= costs[many++];
  return std::max<uint64_t>(many, 1);
}

class NeedCounter {
public:
  NeedCounter(const MapNetwork &network, const Target &target)
      : network(network), target(target), by(network.populations.size()) {
    for (uint32_t p = 0; p < by.size(); ++p)
      addNeurons(p);
    countRoom();
    for (const MapProjection &projection : network.projections)
      projection.kernel   ? addKernel(projection)
      : projection.shared ? addShared(projection)
                          : addLists(projection);
    const EntryBytes bytes(target);
    for (Demand &demand : by)
      demand.addEntryBytes(bytes);
  }

  LowerBounds bounds() const {
    LowerBounds result;
    const Capacity capacity(target);
    double most = 0; // cores before they are rounded up
    for (int r = 0; r < numResources; ++r) {
      Bound &bound = result.of[r];
      for (uint32_t p = 0; p < by.size(); ++p) {
        uint64_t used = r < numSums ? by[p].sums[r] : members[p][r - numSums];
        bound.total += used;
        if (used > bound.most)
          bound.population = p, bound.most = used;
      }
      if (capacity.of[r] == unlimited)
        continue;
      bound.cores = roundedUp(bound.total, capacity.of[r]);
      double share = double(bound.total) / double(capacity.of[r]);
      if (share > most)
        result.binding = Resource(r), most = share;
    }
    if (result.of[NeuronSlots].total > 0)
      result.of[NeuronSlots].cores =
          std::max<uint64_t>(result.of[NeuronSlots].cores, 1);
    return result;
  }

private:
  /// Counts what neurons share for the first population that has it.
  void addNeurons(uint32_t p) {
    const MapPopulation &population = network.populations[p];
    std::array<uint64_t, numSums> &sums = by[p].sums;
    members.push_back({});
    sums[NeuronSlots] = population.size;
    sums[OutAxons] = uint64_t(population.size) * network.hostOutputs(p);
    if (population.size == 0)
      return;
    population.forEachRun(
        0, population.size,
        [&](const NeuronNeeds &needs, uint32_t, uint32_t count) {
          sums[CoreBytes] += needs.neuronBytes * count;
        });
    for (const Shared &entry :
         sharedOf(network, p, 0, population.size, EntryBytes(target)))
      if (seenShared.insert(entry.id).second)
        addTo(sums, entry);
    addProfiles(p, DecayProfiles, population.decayProfile);
    addProfiles(p, ThresholdProfiles, population.thresholdProfile);
  }

  void addMember(uint32_t population, Resource resource, uint64_t member) {
    int s = resource - numSums;
    members[population][s] += seen[s].insert(member).second;
  }

  void addProfiles(uint32_t population, Resource resource,
                   const std::vector<uint32_t> &profiles) {
    const size_t entries = profiles.empty() ? 1 : profiles.size();
    for (uint32_t n = 0; n < entries; ++n)
      addMember(population, resource, profileOf(profiles, population, n));
  }

  /// How many neurons of each population a core has room for at the most, by
  /// their slots, their bytes, and the weights of their own lists.
  void countRoom() {
    std::vector<std::vector<uint64_t>> bits; // of weights, by neuron
    for (const MapPopulation &population : network.populations)
      bits.emplace_back(population.size, 0);
    for (const MapProjection &projection : network.projections) {
      if (projection.shared)
        continue;
      const uint32_t each = network.populations[projection.target].accumulators;
      for (size_t i = 0; i < projection.accumulator.size(); ++i)
        if (projection.weight[i] != 0)
          bits[projection.target][projection.accumulator[i] / each] +=
              projection.synapseBits();
    }
    const Capacity capacity(target);
    const uint64_t word = target.synapses.wordBits;
    auto inBits = [&](uint64_t limit) {
      return limit > unlimited / word ? unlimited : limit * word;
    };
    for (uint32_t p = 0; p < bits.size(); ++p) {
      uint64_t most =
          std::min(capacity.of[NeuronSlots],
                   mostWithin(bits[p], inBits(capacity.of[SynapseWords])));
      for (uint32_t n = 0; n < bits[p].size(); ++n)
        bits[p][n] = bits[p][n] * EntryBytes(target).synapseWord +
                     network.populations[p].needsOf(n).neuronBytes * word;
      room.push_back(
          std::min(most, mostWithin(bits[p], inBits(capacity.of[CoreBytes]))));
    }
  }

  /// The cores on which so many accumulators of a population lie.
  uint64_t partsOf(uint32_t population, uint64_t entries) const {
    return roundedUp(entries, room[population] *
                                  network.populations[population].accumulators);
  }

  /// Out-axons of sources that have targets, whose number for each source it
  /// gives; a format at the least for each width of weights.
  std::vector<uint32_t> addSources(const MapProjection &projection) {
    std::vector<uint32_t> entries(network.sourceSize(projection), 0);
    bool any = false;
    for (size_t s = 0; s < entries.size(); ++s) {
      for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i)
        entries[s] += projection.weight[i] != 0;
      any |= entries[s] > 0;
      if (!projection.fromInput)
        by[projection.source].sums[OutAxons] +=
            partsOf(projection.target, entries[s]);
    }
    if (any)
      addMember(projection.target, SynapseFormats, projection.formatBits());
    return entries;
  }

  void addLists(const MapProjection &projection) {
    std::array<uint64_t, numSums> &sums = by[projection.target].sums;
    for (uint32_t entries : addSources(projection))
      if (uint64_t parts = partsOf(projection.target, entries)) {
        sums[InAxons] += parts;
        sums[SynapseWords] += leastWords(target.synapses, entries,
                                         projection.synapseBits(), parts);
      }
  }

  /// A kernel that lies on one core; more of them have no fewer weights.
  void addKernel(const MapProjection &projection) {
    const MapKernel &kernel = projection.kernel;
    std::array<uint64_t, numSums> &sums = by[projection.target].sums;
    addSources(projection);
    const std::unordered_set<uint32_t> channels(kernel.channel.begin(),
                                                kernel.channel.end());
    sums[InAxons] += kernel.inAxons;
    sums[SynapseWords] +=
        leastWords(target.synapses,
                   uint64_t(channels.size()) * kernel.sources * kernel.taps,
                   projection.weightBits, 0);
  }

  void addShared(const MapProjection &projection) {
    const MapPopulation &to = network.populations[projection.target];
    std::array<uint64_t, numSums> &sums = by[projection.target].sums;
    std::vector<bool> taken(uint64_t(to.size) * to.accumulators, false);
    std::vector<bool> weights(1 << 16, false);
    uint64_t distinct = 0;
    std::vector<uint32_t> entries = addSources(projection);
    for (size_t s = 0; s < entries.size(); ++s) {
      bool apart = entries[s] > 0;
      for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i) {
        if (projection.weight[i] == 0)
          continue;
        apart = apart && !taken[projection.accumulator[i]];
        auto weight = weights[uint16_t(projection.weight[i])];
        distinct += !weight;
        weight = true;
      }
      if (!apart)
        continue;
      sums[InAxons] += partsOf(projection.target, entries[s]);
      for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i)
        if (projection.weight[i] != 0)
          taken[projection.accumulator[i]] = true;
    }
    sums[SynapseWords] +=
        leastWords(target.synapses, distinct, projection.synapseBits(), 0);
  }

  const MapNetwork &network;
  const Target &target;
  std::vector<Demand> by;     // by population; its sets stay empty
  std::vector<uint64_t> room; // of a core, by population, in neurons
  /// By population, the entries of a table of distinct ones that no earlier
  /// population has.
  std::vector<std::array<uint64_t, numSets>> members;
  std::array<std::unordered_set<uint64_t>, numSets> seen;
  std::unordered_set<uint64_t> seenShared;
};

} // namespace

LowerBounds lowerBounds(const MapNetwork &network, const Target &target) {
  return NeedCounter(network, target).bounds();
}

} // namespace dendrolith
