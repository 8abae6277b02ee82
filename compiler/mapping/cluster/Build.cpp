// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/network/ListTally.h"
#include "compiler/mapping/network/ListWalk.h"

#include "targets/support/Error.h"

#include <map>
#include <tuple>

namespace dendrolith::cluster {

static bool hasRanges(const ClusterOptions &options, size_t population) {
  return population < options.ranges.size() &&
         !options.ranges[population].empty();
}

Vertices verticesOf(const MapNetwork &network, const ClusterOptions &options) {
  Vertices vertices;
  for (size_t p = 0; p < network.populations.size(); ++p) {
    std::vector<uint32_t> of(network.populations[p].size);
    size_t range = 0;
    for (uint32_t n = 0; n < of.size(); ++n) {
      if (!hasRanges(options, p)) {
        of[n] = vertices.count++;
        continue;
      }
      const std::vector<uint32_t> &starts = options.ranges[p];
      while (range + 1 < starts.size() && starts[range + 1] <= n)
        ++range;
      if (starts[range] == n)
        ++vertices.count;
      of[n] = vertices.count - 1;
    }
    vertices.of.push_back(std::move(of));
  }
  return vertices;
}

namespace {

class Builder {
public:
  Builder(const MapNetwork &network, const Target &target,
          const ClusterOptions &options, const Vertices &vertices,
          CoreLimits &limits)
      : network(network), target(target), options(options), vertices(vertices),
        limits(limits) {}

  Hypergraph build() {
    graph.needs.resize(vertices.count);
    for (uint32_t p = 0; p < network.populations.size(); ++p)
      addNeurons(p);
    addTokens();
    uint64_t synapses = 0;
    for (const MapProjection &projection : network.projections)
      synapses += projection.accumulator.size();
    graph.pins.value.reserve(synapses);
    for (size_t i = 0; i < network.projections.size(); ++i)
      addNets(i);
    bool single = true;
    for (uint32_t weight : graph.pinWeight)
      single = single && weight == 1;
    if (single)
      graph.pinWeight = {};
    graph.transpose();
    return std::move(graph);
  }

private:
  void addNeurons(uint32_t p) {
    const MapPopulation &population = network.populations[p];
    // Accumulators are numbered as neuron slots are, unless cores are
    // programmed.
    double slots = target.engines.has("microcode")
                       ? 1
                       : std::max<uint32_t>(population.accumulators, 1);
    bool works = p < options.work.size() && !options.work[p].empty();
    for (uint32_t n = 0; n < population.size; ++n) {
      Needs &needs = graph.needs[vertices.of[p][n]];
      needs.slots += slots;
      needs.out += network.hostOutputs(p);
      needs.bytes += double(population.needsOf(n).neuronBytes);
      needs.work += works ? options.work[p][n] : 1;
    }
  }

  /// Tokens that can exceed no limit, whatever shares a core, are left out.
  void addTokens() {
    std::map<std::tuple<int, uint64_t>, uint32_t> known;
    std::vector<std::vector<uint32_t>> of(vertices.count);
    auto token = [&](Resource resource, uint64_t id, double words,
                     double bytes) {
      auto [at, fresh] = known.emplace(std::make_tuple(int(resource), id),
                                       uint32_t(limits.tokens.size()));
      if (fresh)
        limits.tokens.push_back({resource, words, bytes});
      return at->second;
    };
    for (uint32_t p = 0; p < network.populations.size(); ++p) {
      const MapPopulation &population = network.populations[p];
      std::vector<Shared> shared;
      const NeuronNeeds *like = nullptr;
      for (uint32_t n = 0; n < population.size; ++n) {
        std::vector<uint32_t> &all = of[vertices.of[p][n]];
        if (const NeuronNeeds *needs = &population.needsOf(n); needs != like) {
          like = needs;
          shared = sharedOf(network, p, n, n + 1, limits.entry);
        }
        for (const Shared &entry : shared)
          all.push_back(token(ProgramWords, entry.id,
                              double(entry.programWords),
                              double(entry.coreBytes)));
        all.push_back(token(DecayProfiles,
                            profileOf(population.decayProfile, p, n), 0, 0));
        all.push_back(token(ThresholdProfiles,
                            profileOf(population.thresholdProfile, p, n), 0,
                            0));
      }
    }
    std::array<double, numResources> total{};
    for (const Token &token : limits.tokens) {
      total[token.resource] += token.resource == ProgramWords ? token.words : 1;
      total[CoreBytes] += token.bytes;
    }
    std::vector<bool> counts(numResources);
    for (int r :
         {int(ProgramWords), int(DecayProfiles), int(ThresholdProfiles)})
      counts[r] = limits.capacity.of[r] != unlimited &&
                  total[r] > double(limits.capacity.of[r]);
    if (limits.capacity.of[CoreBytes] != unlimited && total[CoreBytes] > 0)
      counts[ProgramWords] = true;
    std::vector<Token> kept;
    std::vector<uint32_t> numbers(limits.tokens.size(), none);
    for (size_t t = 0; t < numbers.size(); ++t)
      if (counts[limits.tokens[t].resource]) {
        numbers[t] = uint32_t(kept.size());
        kept.push_back(limits.tokens[t]);
      }
    limits.tokens = std::move(kept);
    for (std::vector<uint32_t> &all : of) {
      std::vector<uint32_t> left;
      for (uint32_t t : all)
        if (numbers[t] != none)
          left.push_back(numbers[t]);
      std::sort(left.begin(), left.end());
      left.erase(std::unique(left.begin(), left.end()), left.end());
      graph.tokens.value.insert(graph.tokens.value.end(), left.begin(),
                                left.end());
      graph.tokens.begin.push_back(graph.tokens.value.size());
    }
  }

  void addNets(size_t index) {
    const MapProjection &projection = network.projections[index];
    const uint32_t each = network.populations[projection.target].accumulators;
    const std::vector<uint32_t> &to = vertices.of[projection.target];
    const bool fixed = hasRanges(options, projection.target);
    const uint32_t sources =
        projection.fromInput ? 1
                             : network.populations[projection.source].sources;
    if (fixed)
      addFixed(projection);
    for (uint32_t s = 0; s + 1 < projection.begin.size(); ++s) {
      const size_t begin = graph.pins.value.size();
      uint32_t last = none; // targets rise, so that equal ones are neighbours
      for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i) {
        if (projection.weight[i] == 0)
          continue;
        uint32_t v = to[projection.accumulator[i] / each];
        if (v == last) {
          weigh();
          ++graph.pinWeight.back();
          continue;
        }
        last = v;
        graph.pins.value.push_back(v);
        if (weighs)
          graph.pinWeight.push_back(1);
      }
      if (graph.pins.value.size() == begin)
        continue;
      graph.pins.begin.push_back(graph.pins.value.size());
      graph.rate.push_back(
          network.rate(projection.fromInput, projection.source, s));
      graph.source.push_back(projection.fromInput
                                 ? none
                                 : vertices.of[projection.source][s / sources]);
      graph.table.push_back(fixed ? fixedNet : uint16_t(index));
    }
  }

  /// From here on pins have weights of their own.
  void weigh() {
    weighs = true;
    graph.pinWeight.resize(graph.pins.value.size(), 1);
  }

  /// Ranges are slices, whose lists do not depend on what shares their core.
  void addFixed(const MapProjection &projection) {
    const std::vector<uint32_t> &starts = options.ranges[projection.target];
    const MapPopulation &population = network.populations[projection.target];
    const ListWalk walk(target.synapses, projection, starts,
                        population.accumulators, /*contents=*/true);
    const uint32_t sources =
        projection.fromInput ? 1
                             : network.populations[projection.source].sources;
    std::vector<ListTally> tallies = talliesOf(walk);
    for (uint32_t s = 0; s + 1 < projection.begin.size(); ++s)
      walk.forEach(s, [&](size_t k, const ListPlan &plan, uint64_t, uint64_t) {
        tallies[k].add(plan);
        if (!projection.fromInput)
          graph.needs[vertices.of[projection.source][s / sources]].out += 1;
      });
    for (size_t k = 0; k < starts.size() && starts[k] < population.size; ++k) {
      Needs &needs = graph.needs[vertices.of[projection.target][starts[k]]];
      needs.in += double(tallies[k].inAxons());
      needs.words += double(tallies[k].synapseWords());
    }
  }

  const MapNetwork &network;
  const Target &target;
  const ClusterOptions &options;
  const Vertices &vertices;
  CoreLimits &limits;
  Hypergraph graph;
  bool weighs = false;
};

} // namespace

Hypergraph hypergraphOf(const MapNetwork &network, const Target &target,
                        const ClusterOptions &options, const Vertices &vertices,
                        CoreLimits &limits) {
  return Builder(network, target, options, vertices, limits).build();
}

} // namespace dendrolith::cluster
