// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Trials.h"

#include "compiler/mapping/cluster/Grow.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/Permute.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::cluster {

/// Whether it depends on how lists are stored.
static bool goesByWords(Resource resource) {
  return resource == SynapseWords || resource == CoreBytes;
}

Clusters Trials::coresOf(const std::vector<uint32_t> &part,
                         uint32_t cores) const {
  Clusters clusters;
  clusters.cores = cores;
  for (const std::vector<uint32_t> &of : vertices.of) {
    std::vector<uint32_t> core;
    core.reserve(of.size());
    for (uint32_t v : of)
      core.push_back(part[v]);
    clusters.core.push_back(std::move(core));
  }
  return clusters;
}

Result Trials::solve(uint32_t cores, double times) {
  effort = options.effort * times;
  limits.setCores(network, target, graph, cores);
  if (!start.empty()) {
    std::vector<uint32_t> from = start;
    for (uint32_t &part : from)
      part = std::min(part, cores - 1);
    return improved(std::move(from), cores, false);
  }
  std::vector<uint32_t> given = chunks(graph, cores, true);
  Score score = scoreOf(Parts(graph, limits, cores, given));
  std::vector<uint32_t> even = chunks(graph, cores, false);
  const Score other = scoreOf(Parts(graph, limits, cores, even));
  if (other.betterThan(score)) {
    given = std::move(even);
    score = other;
  }
  const bool local = isLocal(score, cores);
  if (local)
    return improved(std::move(given), cores, true);
  Result found =
      partition(graph, limits, cores, options.seed, effort, workers, {});
  // The bound of words knows nothing of lists that an order makes dense.
  if (!fits(found, cores) && goesByWords(resourceOf(found, cores)))
    found = improved(std::move(found.part), cores, false);
  if (score.cost > 1.2 * found.score.cost)
    return found;
  Result ours = improved(std::move(given), cores, false);
  const bool fitting = fits(ours, cores);
  if (fitting != fits(found, cores))
    return fitting ? ours : found;
  // The words of both are known in different ways.
  const bool better = fitting ? ours.score.cost < found.score.cost
                              : ours.score.betterThan(found.score);
  return better ? ours : found;
}

Result Trials::improved(std::vector<uint32_t> given, uint32_t cores,
                        bool brief) {
  if (limits.countsWords) {
    const Words words =
        wordsOf(network, target, options, coresOf(given, cores));
    const std::vector<double> bound =
        Parts(graph, limits, cores, given)
            .wordsByTable(network.projections.size());
    std::vector<double> factors;
    for (size_t i = 0; i < bound.size(); ++i)
      factors.push_back(bound[i] > 0 ? words.ofProjection[i] / bound[i] : 1);
    limits.scaleWords(factors);
  }
  Result result;
  if (brief) {
    Parts parts(graph, limits, cores, given);
    RefineOptions how;
    how.seed = options.seed;
    how.sweeps = uint32_t(std::lround(std::max(3 * effort, 1.0)));
    how.fine = 20;
    how.strict = true;
    result.score = refine(graph, parts, how, workers);
    result.part = parts.all();
  } else {
    result =
        partition(graph, limits, cores, options.seed, effort, workers, given);
  }
  limits.setCores(network, target, graph, cores);
  Result before;
  before.part = std::move(given);
  if (fits(before, cores) && !fits(result, cores)) {
    before.score = scoreOf(Parts(graph, limits, cores, before.part));
    return before;
  }
  return result;
}

bool Trials::isLocal(const Score &score, uint32_t cores) const {
  constexpr uint64_t kLong = 8'000'000; // pins
  if (graph.pins.value.size() < kLong)
    return false;
  double most = 0;
  for (uint32_t e = 0; e < graph.nets(); ++e)
    most +=
        graph.rate[e] * double(std::min<uint64_t>(graph.pins.size(e), cores));
  return score.cost < 0.1 * most;
}

Words Trials::exactWords(const std::vector<uint32_t> &part,
                         uint32_t cores) const {
  Words words = wordsOf(network, target, options, coresOf(part, cores));
  for (uint32_t v = 0; v < graph.vertices(); ++v)
    words.ofPart[part[v]] += graph.needs[v].words;
  return words;
}

bool Trials::fits(const Result &found, uint32_t cores) const {
  const Parts parts(graph, limits, cores, found.part);
  Words words;
  for (uint32_t p = 0; p < cores; ++p) {
    Needs use = parts.useOf(p);
    if (goesByWords(limits.worst(use))) {
      if (words.ofPart.empty())
        words = exactWords(found.part, cores);
      use.words = words.ofPart[p];
    }
    if (limits.worst(use) != numResources || parts.tokensExceed(p))
      return false;
  }
  return true;
}

Resource Trials::resourceOf(const Result &found, uint32_t cores) const {
  Parts parts(graph, limits, cores, found.part);
  uint32_t worst = 0;
  for (uint32_t p = 1; p < cores; ++p)
    if (parts.excessOf(p) > parts.excessOf(worst))
      worst = p;
  Resource resource = limits.worst(parts.useOf(worst));
  return resource == numResources ? ThresholdProfiles : resource;
}

uint32_t Trials::next(const Result &found, uint32_t cores) const {
  Parts parts(graph, limits, cores, found.part);
  Needs all;
  for (uint32_t p = 0; p < cores; ++p)
    all += parts.useOf(p);
  if (limits.countsWords) {
    all.words = 0;
    for (double words : exactWords(found.part, cores).ofPart)
      all.words += words;
  }
  const double filled = std::max(
      {all.slots * limits.slots, all.words * limits.words, all.in * limits.in,
       all.out * limits.out, limits.bytesOf(all) * limits.bytes});
  return std::max(cores + std::max(cores / 50, 1u),
                  uint32_t(std::ceil(filled)));
}

namespace {

/// The synapses of one source into one part.
struct TargetSpan {
  uint32_t count = 0, first = 0, last = 0;
};

} // namespace

Words wordsOf(const MapNetwork &network, const Target &target,
              const ClusterOptions &options, const Clusters &clusters) {
  const uint32_t parts = clusters.cores;
  Words words;
  words.ofPart.resize(parts);
  words.ofProjection.resize(network.projections.size());
  // The place of each neuron among those of its population on its core.
  NeuronOrder places = orderOf(network, target, clusters);
  for (size_t p = 0; p < places.size(); ++p) {
    std::vector<uint32_t> next(parts, 0), place(network.populations[p].size);
    for (uint32_t at = 0; at < place.size(); ++at) {
      const uint32_t neuron = places[p].empty() ? at : places[p][at];
      place[neuron] = next[clusters.core[p][neuron]]++;
    }
    places[p] = std::move(place);
  }
  std::vector<TargetSpan> reach(parts);
  std::vector<uint32_t> reached;
  for (size_t i = 0; i < network.projections.size(); ++i) {
    const MapProjection &p = network.projections[i];
    if (p.target < options.ranges.size() && !options.ranges[p.target].empty())
      continue;
    const uint32_t each = network.populations[p.target].accumulators;
    const std::vector<uint32_t> &core = clusters.core[p.target];
    const std::vector<uint32_t> &place = places[p.target];
    const ListPlanner planner(target.synapses, p.synapseBits(), false);
    for (size_t s = 0; s + 1 < p.begin.size(); ++s) {
      for (uint64_t k = p.begin[s]; k < p.begin[s + 1]; ++k) {
        if (p.weight[k] == 0)
          continue;
        const uint32_t neuron = p.accumulator[k] / each;
        const uint32_t index = place[neuron] * each + p.accumulator[k] % each;
        const uint32_t at = core[neuron];
        TargetSpan &r = reach[at];
        if (r.count++ == 0) {
          reached.push_back(at);
          r.first = r.last = index;
        }
        r.first = std::min(r.first, index);
        r.last = std::max(r.last, index);
      }
      for (uint32_t at : reached) {
        const TargetSpan &r = reach[at];
        const double taken =
            double(planner.plan(r.count, r.first, r.last).words);
        words.ofPart[at] += taken;
        words.ofProjection[i] += taken;
        reach[at] = {};
      }
      reached.clear();
    }
  }
  return words;
}

} // namespace dendrolith::cluster
