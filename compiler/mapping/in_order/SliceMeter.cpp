// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/SliceMeter.h"

#include "compiler/mapping/network/ListTally.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <limits>
#include <set>

namespace dendrolith {

SliceMeter::SliceMeter(const MapNetwork &network, const SynapseFormat &format,
                       const Capacity &capacity, const EntryBytes &bytes)
    : network(network), capacity(capacity), bytes(bytes), format(format) {
  fanIn.resize(network.populations.size());
  kernels.resize(network.populations.size());
  endOf.resize(network.populations.size());
  tooMany.resize(network.populations.size(),
                 std::numeric_limits<uint32_t>::max());
  uint64_t keys = 0;
  for (const MapProjection &projection : network.projections) {
    planners.emplace_back(format, projection.synapseBits(), projection.shared);
    firstKey.push_back(uint32_t(keys));
    keys += network.sourceSize(projection);
    if (projection.kernel)
      kernels[projection.target].push_back(
          {&projection, KernelMeter(format, projection)});
  }
  if (keys > std::numeric_limits<uint32_t>::max())
    throw Error("the network has more than 2^32 sources of projections");
  ends.resize(keys);
}

void SliceMeter::sortFanIn(uint32_t population) {
  FanIn &in = fanIn[population];
  if (!in.begin.empty())
    return;
  lists.resize(ends.size());
  projectionOf.resize(ends.size());
  in.begin.assign(uint64_t(network.populations[population].size) + 1, 0);
  const auto forEach = [&](auto visit) {
    for (size_t i = 0; i < network.projections.size(); ++i)
      if (const MapProjection &projection = network.projections[i];
          projection.target == population && !projection.kernel)
        visit(projection, firstKey[i]);
  };
  bool isShared = false;
  forEach([&](const MapProjection &projection, uint32_t) {
    countFanIn(projection);
    isShared |= projection.shared;
  });
  for (size_t n = 1; n < in.begin.size(); ++n)
    in.begin[n] += in.begin[n - 1];
  in.key.resize(in.begin.back());
  if (network.populations[population].accumulators > 1)
    in.accumulator.resize(in.begin.back());
  if (isShared)
    in.weight.resize(in.begin.back());
  std::vector<uint64_t> next = in.begin;
  forEach([&](const MapProjection &projection, uint32_t key) {
    fillFanIn(projection, key, next);
  });
}

void SliceMeter::countFanIn(const MapProjection &projection) {
  FanIn &in = fanIn[projection.target];
  const uint32_t each = network.populations[projection.target].accumulators;
  for (size_t i = 0; i < projection.accumulator.size(); ++i)
    in.begin[projection.accumulator[i] / each + 1] += projection.weight[i] != 0;
}

void SliceMeter::fillFanIn(const MapProjection &projection, uint32_t key,
                           std::vector<uint64_t> &next) {
  FanIn &in = fanIn[projection.target];
  const uint32_t each = network.populations[projection.target].accumulators;
  for (uint32_t s = 0; s < network.sourceSize(projection); ++s, ++key) {
    projectionOf[key] = &projection;
    for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i)
      if (projection.weight[i] != 0) {
        uint32_t accumulator = projection.accumulator[i];
        uint64_t at = next[accumulator / each]++;
        in.key[at] = key;
        if (each > 1)
          in.accumulator[at] = accumulator;
        if (!in.weight.empty())
          in.weight[at] = projection.weight[i];
      }
  }
}

void SliceMeter::add(uint32_t population, uint32_t neuron, uint32_t first,
                     uint32_t outRows) {
  addNeuron(population, neuron, first, outRows);
  addKernels(population, neuron, neuron == first);
  addFanIn(population, neuron, first);
}

void SliceMeter::addNeuron(uint32_t population, uint32_t neuron, uint32_t first,
                           uint32_t outRows) {
  const MapPopulation &p = network.populations[population];
  ++sums[NeuronSlots];
  sums[OutAxons] += outRows;
  const NeuronNeeds &needs = p.needsOf(neuron);
  sums[CoreBytes] += needs.neuronBytes;
  if (&needs != like) {
    like = &needs;
    shared = sharedOf(network, population, first, neuron + 1, bytes);
  }
  ++sets[DecayProfiles - numSums]
        [profileOf(p.decayProfile, population, neuron)];
  ++sets[ThresholdProfiles - numSums]
        [profileOf(p.thresholdProfile, population, neuron)];
}

void SliceMeter::addFanIn(uint32_t population, uint32_t neuron,
                          uint32_t first) {
  const MapPopulation &p = network.populations[population];
  std::map<uint64_t, uint64_t> &formats = sets[SynapseFormats - numSums];
  const FanIn &in = fanIn[population];
  // Lists lie in no order of memory, so that each is asked for ahead of time.
  constexpr uint64_t ahead = 12;
  for (uint64_t i = in.begin[neuron]; i < in.begin[neuron + 1]; ++i) {
    if (i + ahead < in.key.size())
      __builtin_prefetch(&lists[in.key[i + ahead]], 1);
    List &list = lists[in.key[i]];
    bool fresh = list.stamp != stamp;
    const uint32_t accumulator =
        p.accumulators > 1 ? in.accumulator[i] : neuron;
    uint32_t target = accumulator - first * p.accumulators;
    if (fresh) {
      list = {};
      list.stamp = stamp;
      list.first = target;
    }
    ++list.nonZero;
    const MapProjection &projection = *projectionOf[in.key[i]];
    const size_t index = size_t(&projection - network.projections.data());
    ListPlan plan = planners[index].plan(list.nonZero, list.first, target);
    if (projection.shared)
      extendShared(list, fresh, index, {target - list.first, in.weight[i]},
                   plan);
    else
      extend(list, fresh, plan);
    uint64_t key = formatKey(plan, projection.formatBits());
    if (fresh || key != list.format) {
      if (!fresh && --formats[list.format] == 0)
        formats.erase(list.format);
      ++formats[key];
      list.format = key;
    }
  }
  // Lists at one place that are equal get the same entries of a neuron: none of
  // them is left behind in these.
  for (uint32_t axon : emptied)
    axons.forget(axon);
  emptied.clear();
}

void SliceMeter::addKernels(uint32_t population, uint32_t neuron,
                            bool isFirst) {
  for (Kernel &kernel : kernels[population]) {
    if (isFirst) {
      kernel.meter.clear();
      sums[InAxons] += kernel.projection->kernel.inAxons;
      ++sets[SynapseFormats - numSums]
            [formatKey(ListPlan(), kernel.projection->formatBits())];
    }
    sums[SynapseWords] += kernel.meter.add(neuron);
  }
}

void SliceMeter::extend(List &list, bool fresh, const ListPlan &plan) {
  sums[InAxons] += fresh;
  sums[SynapseWords] += plan.words - list.words;
  list.words = uint32_t(plan.words);
}

void SliceMeter::extendShared(List &list, bool fresh, size_t projection,
                              ListEntry entry, const ListPlan &plan) {
  const uint32_t content = list.content, axon = list.axon; // until now
  const uint64_t origin = projection;
  list.content =
      fresh ? contents.begin(origin, entry) : contents.next(content, entry);
  // The place of a list is that of its first entry.
  list.axon = fresh ? axons.begin((origin << 32) | list.first, entry)
                    : axons.next(axon, entry);
  if (contents.enter(list.content, plan.words))
    sums[SynapseWords] += plan.words;
  sums[InAxons] += axons.enter(list.axon, 0);
  if (fresh)
    return;
  if (contents.leave(content))
    sums[SynapseWords] -= contents.wordsOf(content);
  if (axons.leave(axon)) {
    --sums[InAxons];
    emptied.push_back(axon);
  }
}

bool SliceMeter::fits(const Demand &carry) {
  std::array<uint64_t, numSums> added = beyond(carry, sumsOfSlice());
  for (resource = 0; resource < numSums; ++resource) {
    refused = added[resource] + carry.sums[resource];
    if (refused > capacity.of[resource])
      return false;
  }
  for (int s = 0; s < numSets; ++s, ++resource) {
    if (capacity.of[resource] == unlimited)
      continue;
    refused = sets[s].size();
    for (uint64_t member : carry.sets[s])
      refused += !sets[s].count(member);
    if (refused > capacity.of[resource])
      return false;
  }
  return true;
}

void SliceMeter::addLists(uint32_t population, uint32_t first, uint32_t end) {
  const uint32_t each = network.populations[population].accumulators;
  const uint32_t from = first * each;
  const uint64_t bound = uint64_t(end) * each;
  std::map<uint64_t, uint64_t> &formats = sets[SynapseFormats - numSums];
  for (size_t k = 0; k < network.projections.size(); ++k) {
    const MapProjection &projection = network.projections[k];
    if (projection.target != population)
      continue;
    const uint32_t *all = projection.accumulator.data();
    for (uint32_t s = 0; s < network.sourceSize(projection); ++s) {
      const uint32_t *row = all + projection.begin[s],
                     *stop = all + projection.begin[s + 1];
      uint32_t &at = ends[firstKey[k] + s];
      const uint32_t *next = endOf[population] == first
                                 ? row + at
                                 : std::lower_bound(row, stop, from);
      uint32_t nonZero = 0, least = 0, most = 0;
      for (; next < stop && *next < bound; ++next) {
        const bool counts = projection.weight[size_t(next - all)] != 0;
        least = nonZero == 0 ? *next : least;
        most = counts ? *next : most;
        nonZero += counts;
      }
      at = uint32_t(next - row);
      if (nonZero == 0)
        continue;
      const ListPlan plan =
          planners[k].plan(nonZero, least - from, most - from);
      ++sums[InAxons];
      sums[SynapseWords] += plan.words;
      ++formats[formatKey(plan, projection.formatBits())];
    }
  }
  endOf[population] = end;
}

bool SliceMeter::rises(uint32_t population, const Demand &carry) const {
  std::set<uint32_t> bits;
  for (const MapProjection &projection : network.projections)
    if (projection.target == population) {
      // Lists may become equal, and kernels grow by neurons.
      if (projection.shared || projection.kernel)
        return false;
      bits.insert(projection.formatBits());
    }
  const uint64_t limit = capacity.of[SynapseFormats];
  return limit == unlimited ||
         carry.sets[SynapseFormats - numSums].size() +
                 bits.size() * (1 + format.indexBitCodes.size()) <=
             limit;
}

bool SliceMeter::isDense(uint32_t population, uint32_t neurons) const {
  uint64_t sources = 0, synapses = 0;
  for (const MapProjection &projection : network.projections)
    if (projection.target == population) {
      sources += network.sourceSize(projection);
      synapses += projection.accumulator.size();
    }
  return sources * (network.populations[population].size / neurons) <= synapses;
}

bool SliceMeter::fitsWhole(uint32_t population, uint32_t first, uint32_t end,
                           const std::vector<uint32_t> &outRows,
                           const Demand &carry) {
  if (end - first >= tooMany[population] || !rises(population, carry) ||
      !isDense(population, end - first))
    return false;
  clear();
  for (uint32_t neuron = first; neuron < end; ++neuron)
    addNeuron(population, neuron, first, outRows[neuron]);
  addLists(population, first, end);
  return fits(carry);
}

void SliceMeter::clear() {
  ++stamp;
  sums = {};
  for (auto &set : sets)
    set.clear();
  shared.clear();
  contents.clear();
  axons.clear();
  like = nullptr;
}

uint32_t SliceMeter::grow(uint32_t population, uint32_t first, uint32_t end,
                          const std::vector<uint32_t> &outRows,
                          const Demand &carry) {
  const uint64_t slots = capacity.of[NeuronSlots],
                 left = slots - std::min(slots, carry.sums[NeuronSlots]);
  const uint32_t most = uint32_t(std::min<uint64_t>(end - first, left));
  if (most > 0 && fitsWhole(population, first, first + most, outRows, carry)) {
    if (most < end - first) {
      resource = NeuronSlots;
      refused = slots + 1;
    }
    return most;
  }
  clear();
  sortFanIn(population);
  for (uint32_t neuron = first; neuron < end; ++neuron) {
    add(population, neuron, first, outRows[neuron]);
    if (!fits(carry)) {
      if (carry.sums[NeuronSlots] == 0)
        tooMany[population] = neuron - first + 1;
      return neuron - first;
    }
  }
  return end - first;
}

Demand SliceMeter::sumsOfSlice() const {
  Demand result;
  result.sums = sums;
  result.addEntryBytes(bytes);
  result.addShared(shared);
  return result;
}

Demand SliceMeter::demand() const {
  Demand result = sumsOfSlice();
  for (int s = 0; s < numSets; ++s)
    for (const auto &member : sets[s])
      result.sets[s].push_back(member.first);
  return result;
}

} // namespace dendrolith
