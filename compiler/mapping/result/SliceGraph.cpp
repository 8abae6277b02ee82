// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/SliceGraph.h"

#include "compiler/mapping/network/ListTally.h"
#include "compiler/mapping/network/ListWalk.h"

#include <algorithm>
#include <map>
#include <set>

namespace dendrolith {

namespace {

class SliceGraphBuilder {
public:
  SliceGraphBuilder(const MapNetwork &network, const SynapseFormat &format,
                    const std::vector<std::vector<uint32_t>> &starts,
                    const EntryBytes &bytes, Nets nets)
      : network(network), format(format), starts(starts), bytes(bytes),
        summed(nets == Nets::Summed) {}

  SliceGraph run() {
    addSlices();
    addSources(true);
    addSources(false);
    for (size_t s = 0; s < formats.size(); ++s) {
      graph.demand[s].sets[SynapseFormats - numSums].assign(formats[s].begin(),
                                                            formats[s].end());
      graph.demand[s].addEntryBytes(bytes);
    }
    return std::move(graph);
  }

private:
  void addSlices() {
    for (uint32_t p = 0; p < network.populations.size(); ++p) {
      const MapPopulation &population = network.populations[p];
      firstSlice.push_back(static_cast<uint32_t>(graph.slices.size()));
      for (size_t k = 0; k + 1 < starts[p].size(); ++k) {
        uint32_t first = starts[p][k], count = starts[p][k + 1] - first;
        graph.slices.push_back({p, first, count});
        Demand demand;
        demand.sums[NeuronSlots] = count;
        population.forEachRun(
            first, first + count,
            [&](const NeuronNeeds &needs, uint32_t, uint32_t neurons) {
              demand.sums[CoreBytes] += neurons * needs.neuronBytes;
            });
        demand.addShared(sharedOf(network, p, first, first + count, bytes));
        std::set<uint64_t> decays, thresholds;
        double emitted = 0;
        for (uint32_t n = first; n < first + count; ++n) {
          decays.insert(profileOf(population.decayProfile, p, n));
          thresholds.insert(profileOf(population.thresholdProfile, p, n));
        }
        for (uint32_t s = first * population.sources;
             s < (first + count) * population.sources; ++s)
          emitted += network.rate(false, p, s);
        demand.sets[DecayProfiles - numSums].assign(decays.begin(),
                                                    decays.end());
        demand.sets[ThresholdProfiles - numSums].assign(thresholds.begin(),
                                                        thresholds.end());
        demand.sums[OutAxons] = uint64_t(count) * network.hostOutputs(p);
        graph.demand.push_back(std::move(demand));
        graph.work.push_back(count);
        // Each source goes to as many outputs as the population has for it.
        graph.toHost.push_back(population.sources == 0
                                   ? 0
                                   : emitted * network.hostOutputs(p) /
                                         population.sources);
      }
    }
    formats.resize(graph.slices.size());
  }

  struct Walk : ProjectionLists {
    std::vector<ListTally> tallies; // by slice of the target
  };

  /// Adds all sources of one kind, element by element over all their
  /// projections, because a net joins the projections of its source.
  void addSources(bool fromInput) {
    const auto lists =
        listsBySource(network, format, starts, fromInput, /*contents=*/true);
    for (uint32_t i = 0; i < lists.size(); ++i) {
      std::vector<Walk> walks;
      for (const ProjectionLists &each : lists[i])
        walks.push_back({each, talliesOf(each.lists)});
      std::map<Pins, double> rates; // of the current slice
      if (summed)
        sums.assign(graph.slices.size(), 0);
      uint32_t slice = fromInput ? host : firstSlice[i];
      uint32_t sources = fromInput ? 1 : network.populations[i].sources;
      uint32_t size = fromInput ? network.inputs[i].size
                                : network.populations[i].size * sources;
      for (uint32_t element = 0; element < size; ++element) {
        if (!fromInput && element == endOf(slice) * sources) {
          addNets(slice, rates);
          ++slice;
        }
        double rate = network.rate(fromInput, i, element);
        if (summed) {
          forEachOf(walks, element, slice, rate,
                    [&](uint32_t target) { sums[target] += rate; });
          continue;
        }
        Pins pins = pinsOf(walks, element, slice, rate);
        if (!pins.empty())
          rates[pins] += rate;
      }
      addNets(slice, rates);
      for (Walk &walk : walks)
        addTallies(walk);
    }
  }

  void addTallies(Walk &walk) {
    for (size_t k = 0; k < walk.tallies.size(); ++k) {
      const uint32_t slice = firstSlice[walk.projection->target] + uint32_t(k);
      walk.tallies[k].addTo(graph.demand[slice].sums, formats[slice],
                            walk.projection->formatBits());
    }
  }

  using Pins = std::vector<std::pair<uint32_t, uint32_t>>; // slice, messages

  Pins pinsOf(std::vector<Walk> &projections, uint32_t element, uint32_t source,
              double rate) {
    Pins pins;
    forEachOf(projections, element, source, rate, [&](uint32_t slice) {
      // A projection's lists rise; another one may go to the same slices.
      auto at =
          std::lower_bound(pins.begin(), pins.end(), std::make_pair(slice, 0u));
      if (at == pins.end() || at->first != slice)
        at = pins.insert(at, {slice, 0});
      ++at->second;
    });
    return pins;
  }

  /// Notes what the lists of a source take, and calls visit(slice) for each.
  template <class Visit>
  void forEachOf(std::vector<Walk> &projections, uint32_t element,
                 uint32_t source, double rate, Visit visit) {
    uint64_t messages = 0;
    for (Walk &walk : projections) {
      const MapProjection *projection = walk.projection;
      const uint32_t first = firstSlice[projection->target];
      walk.lists.forEach(
          element, [&](size_t k, const ListPlan &plan, uint64_t, uint64_t) {
            const uint32_t slice = first + uint32_t(k);
            visit(slice);
            walk.tallies[k].add(plan);
            graph.work[slice] += rate * plan.count;
            ++messages;
          });
    }
    if (source != host)
      graph.demand[source].sums[OutAxons] += messages;
  }

  uint32_t endOf(uint32_t slice) const {
    return graph.slices[slice].first + graph.slices[slice].count;
  }

  void addNets(uint32_t source, std::map<Pins, double> &rates) {
    for (const auto &entry : rates) {
      Net net;
      net.source = source;
      net.rate = entry.second;
      for (auto [slice, messages] : entry.first)
        net.pins.push_back({slice, messages});
      graph.nets.push_back(std::move(net));
    }
    rates.clear();
    for (uint32_t target = 0; target < sums.size(); ++target)
      if (sums[target] > 0)
        graph.nets.push_back({source, sums[target], {{target, 1}}});
    std::fill(sums.begin(), sums.end(), 0);
  }

  const MapNetwork &network;
  const SynapseFormat &format;
  const std::vector<std::vector<uint32_t>> &starts;
  const EntryBytes &bytes;
  const bool summed;
  std::vector<double> sums; // messages of the current slice, by target slice
  SliceGraph graph;
  std::vector<uint32_t> firstSlice; // by population
  std::vector<SmallSet> formats;
};

} // namespace

SliceGraph buildSliceGraph(const MapNetwork &network,
                           const SynapseFormat &format,
                           const std::vector<std::vector<uint32_t>> &starts,
                           const EntryBytes &bytes, Nets nets) {
  return SliceGraphBuilder(network, format, starts, bytes, nets).run();
}

} // namespace dendrolith
