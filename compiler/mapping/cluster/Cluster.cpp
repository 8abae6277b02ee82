// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Cluster.h"

#include "compiler/mapping/cluster/Grow.h"
#include "compiler/mapping/cluster/Multilevel.h"
#include "compiler/mapping/cluster/Refusals.h"
#include "compiler/mapping/cluster/Words.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <cmath>

namespace neurite {

using namespace cluster;

namespace {

/// A network while it is grouped.
class Clusterer {
public:
  Clusterer(const MapNetwork &network, const Target &target,
            const ClusterOptions &options)
      : network(network), target(target), options(options),
        limits(target, options), vertices(verticesOf(network, options)),
        graph(hypergraphOf(network, target, options, vertices, limits)),
        start(startOf()) {}

  Fit<Clusters> run() {
    if (vertices.count == 0)
      return clustersOf({}, 1);
    uint32_t named = 0;
    for (uint32_t p : start)
      named = std::max(named, p + 1);
    const uint32_t asked = options.cores ? options.cores : named;
    limits.setCores(network, target, graph, std::max(asked, 1u));
    if (auto misfit = vertexMisfit(network, target, limits, vertices, graph))
      return std::move(*misfit);
    const CoreLimits::Bound bound = limits.bound(network, target, graph);
    const uint32_t most = uint32_t(target.numCores());
    if (bound.cores > (asked ? asked : most))
      return misfit(bound, asked ? asked : most, 0, bound.resource);
    if (asked) {
      Result found = solve(asked);
      if (fits(found, asked))
        return clustersOf(found.part, asked);
      const Resource resource = resourceOf(found, asked);
      uint32_t fitting = search(next(found, asked)).second;
      return misfit(bound, asked, fitting, resource);
    }
    auto [found, cores] = search(std::max(bound.cores, bound.likely));
    if (cores > 0 && cores <= most)
      return clustersOf(found.part, cores);
    return misfit(bound, most, cores, resourceOf(found, last));
  }

  Clusters refine(const Clusters &clusters, Prices prices) {
    limits.setCores(network, target, graph, clusters.cores);
    Parts parts(graph, limits, clusters.cores, start, prices);
    RefineOptions how;
    how.seed = options.seed;
    how.fine = 20;
    how.strict = true;
    how.sweeps = uint32_t(std::lround(6 * std::max(options.effort, 0.2)));
    cluster::refine(graph, parts, how);
    return clustersOf(parts.all(), clusters.cores);
  }

private:
  std::vector<uint32_t> startOf() const {
    if (options.start.empty())
      return {};
    std::vector<uint32_t> part(vertices.count);
    for (size_t p = 0; p < network.populations.size(); ++p) {
      const MapPopulation &population = network.populations[p];
      if (p >= options.start.size() ||
          options.start[p].size() != population.size)
        throw Error(fmt::format(
            "population '{}': expected a core for each of "
            "{} neurons, found {}",
            population.name, population.size,
            p < options.start.size() ? options.start[p].size() : 0));
      for (uint32_t n = 0; n < population.size; ++n)
        part[vertices.of[p][n]] = options.start[p][n];
    }
    return part;
  }

  Clusters coresOf(const std::vector<uint32_t> &part, uint32_t cores) const {
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

  Clusters clustersOf(const std::vector<uint32_t> &part, uint32_t cores) const {
    Clusters clusters = coresOf(part, cores);
    if (!part.empty())
      clusters.km1 = Parts(graph, limits, cores, part).cost();
    return clusters;
  }

  /// The better of what the search finds and of the network's own order.
  Result solve(uint32_t cores) {
    last = cores;
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
    Result found = partition(graph, limits, cores, options.seed, options.effort,
                             options.threads, {});
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

  /// Parts that are given, improved. Lists of neighbours in the given order are
  /// mostly dense ones, so words are taken to be as many as they are there.
  Result improved(std::vector<uint32_t> given, uint32_t cores, bool brief) {
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
      how.sweeps = uint32_t(std::lround(std::max(3 * options.effort, 1.0)));
      how.fine = 20;
      how.strict = true;
      result.score = cluster::refine(graph, parts, how);
      result.part = parts.all();
    } else {
      result = partition(graph, limits, cores, options.seed, options.effort,
                         options.threads, given);
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

  /// Whether a network that takes long is in so good an order that it is enough
  /// to begin with this.
  bool isLocal(const Score &score, uint32_t cores) const {
    constexpr uint64_t kLong = 8'000'000; // pins
    if (graph.pins.value.size() < kLong)
      return false;
    double most = 0;
    for (uint32_t e = 0; e < graph.nets(); ++e)
      most +=
          graph.rate[e] * double(std::min<uint64_t>(graph.pins.size(e), cores));
    return score.cost < 0.1 * most;
  }

  /// Those of ranges included.
  Words exactWords(const std::vector<uint32_t> &part, uint32_t cores) const {
    Words words = wordsOf(network, target, options, coresOf(part, cores));
    for (uint32_t v = 0; v < graph.vertices(); ++v)
      words.ofPart[part[v]] += graph.needs[v].words;
    return words;
  }

  /// Whether everything fits, with the words of each list as it is.
  bool fits(const Result &found, uint32_t cores) const {
    const Parts parts(graph, limits, cores, found.part);
    Words words;
    for (uint32_t p = 0; p < cores; ++p) {
      Needs use = parts.useOf(p);
      if (limits.worst(use) == SynapseWords || limits.worst(use) == CoreBytes) {
        if (words.ofPart.empty())
          words = exactWords(found.part, cores);
        use.words = words.ofPart[p];
      }
      if (limits.worst(use) != numResources || parts.tokensExceed(p))
        return false;
    }
    return true;
  }

  Resource resourceOf(const Result &found, uint32_t cores) const {
    Parts parts(graph, limits, cores, found.part);
    uint32_t worst = 0;
    for (uint32_t p = 1; p < cores; ++p)
      if (parts.excessOf(p) > parts.excessOf(worst))
        worst = p;
    Resource resource = limits.worst(parts.useOf(worst));
    return resource == numResources ? ThresholdProfiles : resource;
  }

  /// How many cores to try after so many did not do: as many as all uses
  /// together fill.
  uint32_t next(const Result &found, uint32_t cores) const {
    Parts parts(graph, limits, cores, found.part);
    Needs all;
    for (uint32_t p = 0; p < cores; ++p)
      all += parts.useOf(p);
    const double filled = std::max(
        {all.slots * limits.slots, all.words * limits.words, all.in * limits.in,
         all.out * limits.out, limits.bytesOf(all) * limits.bytes});
    return std::max(cores + std::max(cores / 50, 1u),
                    uint32_t(std::ceil(filled)));
  }

  /// The first number of cores from `cores` on that does; 0 = none found.
  std::pair<Result, uint32_t> search(uint32_t cores) {
    const uint64_t most =
        std::min<uint64_t>(4 * target.numCores(), vertices.count);
    Result found;
    cores = std::min(cores, vertices.count);
    while (cores <= most) {
      found = solve(cores);
      if (fits(found, cores))
        return {std::move(found), cores};
      cores = next(found, cores);
    }
    return {std::move(found), 0};
  }

  Misfit misfit(const CoreLimits::Bound &bound, uint32_t cores,
                uint32_t fitting, Resource resource) const {
    return regroupingMisfit(network, target, bound, cores, fitting, resource);
  }

  const MapNetwork &network;
  const Target &target;
  const ClusterOptions &options;
  CoreLimits limits;
  const Vertices vertices;
  const Hypergraph graph;
  const std::vector<uint32_t> start;
  uint32_t last = 1; // number of cores tried last
};

} // namespace

Fit<Clusters> clusterNeurons(const MapNetwork &network, const Target &target,
                             const ClusterOptions &options) {
  return Clusterer(network, target, options).run();
}

Clusters refineClusters(const MapNetwork &network, const Target &target,
                        Clusters clusters, const std::vector<double> &distance,
                        const std::vector<double> &hostDistance,
                        const ClusterOptions &given) {
  if (distance.size() != uint64_t(clusters.cores) * clusters.cores ||
      hostDistance.size() != clusters.cores)
    throw Error(
        fmt::format("distances of {} cores: expected {} and {} to the "
                    "host, found {} and {}",
                    clusters.cores, uint64_t(clusters.cores) * clusters.cores,
                    clusters.cores, distance.size(), hostDistance.size()));
  ClusterOptions options = given;
  options.start = clusters.core;
  return Clusterer(network, target, options)
      .refine(clusters, {distance.data(), hostDistance.data()});
}

} // namespace neurite
