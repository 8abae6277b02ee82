// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Cluster.h"

#include "compiler/mapping/cluster/Trials.h"

#include "compiler/mapping/result/Misfits.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace dendrolith {

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
        start(startOf()), workers(options.threads, options.isOver),
        trials(network, target, options, vertices, graph, limits, start,
               workers) {}

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
    const CoreLimits::CoreBound bound = limits.bound(network, target, graph);
    const uint32_t most = uint32_t(target.numCores());
    if (bound.cores > (asked ? asked : most))
      return misfit(bound, asked ? asked : most, 0, bound.resource);
    if (asked) {
      Result found = trials.solve(asked);
      if (trials.fits(found, asked))
        return clustersOf(found.part, asked);
      const Resource resource = trials.resourceOf(found, asked);
      const uint32_t fitting =
          options.findsFitting ? search(trials.next(found, asked)).second : 0;
      return misfit(bound, asked, fitting, resource);
    }
    // The likely number takes lists to be indexed; an order may make them
    // dense.
    auto [found, cores] =
        search(std::max(bound.cores, std::min(bound.likely, most)));
    if (cores > 0 && cores <= most)
      return clustersOf(found.part, cores);
    return misfit(bound, most, cores,
                  lacking ? *lacking : trials.resourceOf(found, last));
  }

  Clusters refine(const Clusters &clusters, MessagePrices prices) {
    limits.setCores(network, target, graph, clusters.cores);
    Parts parts(graph, limits, clusters.cores, start, prices);
    RefineOptions how;
    how.seed = options.seed;
    how.fine = 20;
    how.strict = true;
    how.sweeps = uint32_t(std::lround(6 * std::max(options.effort, 0.2)));
    cluster::refine(graph, parts, how, workers);
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

  Clusters clustersOf(const std::vector<uint32_t> &part, uint32_t cores) const {
    Clusters clusters = trials.coresOf(part, cores);
    if (!part.empty())
      clusters.km1 = Parts(graph, limits, cores, part).cost();
    return clusters;
  }

  /// The first number of cores from `cores` on that does; 0 = none found.
  std::pair<Result, uint32_t> search(uint32_t cores) {
    // To know how many cores would do helps where the chip has too few, but not
    // for many minutes.
    constexpr uint64_t kLong = 20'000'000; // pins
    const bool isLong = graph.pins.value.size() > kLong;
    const uint64_t most = std::min<uint64_t>(
        (isLong ? 1 : 4) * target.numCores(), vertices.count);
    Result found;
    cores = closerTo(std::min(cores, vertices.count), most, found);
    while (cores <= most && !workers.isOver()) {
      last = cores;
      found = trials.solve(cores, isOnChip(cores) ? 1 : kBrief);
      if (trials.fits(found, cores))
        return {std::move(found), cores};
      cores = next(found, cores);
    }
    return {std::move(found), 0};
  }

  /// The first number of cores that a short trial finds to do, or one before it
  /// that all but did: a long trial makes parts little better, so that it is
  /// worth its time only there; `most` + 1 where even those are far from
  /// enough. `found` is what the last trial, of `last` cores, found.
  uint32_t closerTo(uint32_t cores, uint64_t most, Result &found) {
    constexpr double kAlmost = 0.02, kFar = 0.2; // of all cores
    for (;;) {
      last = cores;
      found = trials.solve(cores, kBrief);
      if (found.score.excess < kAlmost * cores || workers.isOver() ||
          trials.fits(found, cores))
        return cores;
      const uint32_t more = next(found, cores);
      if (more > most)
        return found.score.excess < kFar * cores ? cores : uint32_t(most) + 1;
      cores = more;
    }
  }

  /// More cores than the chip has are for a message alone, so trials of them
  /// are short and few.
  bool isOnChip(uint32_t cores) const { return cores <= target.numCores(); }

  uint32_t next(const Result &found, uint32_t cores) {
    lacking = trials.resourceOf(found, cores);
    return std::max(trials.next(found, cores),
                    isOnChip(cores) ? 0 : cores + cores / 10);
  }

  Misfit misfit(const CoreLimits::CoreBound &bound, uint32_t cores,
                uint32_t fitting, Resource resource) const {
    return regroupingMisfit(network, target, bound, cores, fitting, resource);
  }

  static constexpr double kBrief = 0.25; // of the effort

  const MapNetwork &network;
  const Target &target;
  const ClusterOptions &options;
  CoreLimits limits;
  const Vertices vertices;
  const Hypergraph graph;
  const std::vector<uint32_t> start;
  Workers workers;
  Trials trials;
  uint32_t last = 1;               // number of cores tried last
  std::optional<Resource> lacking; // what the last trial that did not fit lacks
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

} // namespace dendrolith

namespace dendrolith::cluster {

/// What one vertex needs of a core that holds nothing else.
static Needs needsAlone(const MapNetwork &network, const Target &target,
                        const CoreLimits &limits, const Hypergraph &graph,
                        uint32_t v) {
  Needs needs = graph.needs[v];
  for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i) {
    const uint16_t table = graph.table[graph.in.value[i]];
    if (table == fixedNet)
      continue;
    needs.in += 1;
    // A dense list at the least; how wide indices are is not known yet.
    if (limits.countsWords)
      needs.words += double(
          target.synapses.listWords(ListFormat::Dense, graph.weightOfIn(i),
                                    network.projections[table].synapseBits()));
  }
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
    needs.out += graph.table[graph.out.value[i]] != fixedNet;
  return needs;
}

std::optional<Misfit> vertexMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const CoreLimits &limits,
                                   const Vertices &vertices,
                                   const Hypergraph &graph) {
  // The neediest of those that exceed what the first of them exceeds.
  Resource exceeded = numResources;
  uint64_t most = 0;
  size_t population = 0;
  uint32_t neuron = 0;
  for (size_t p = 0; p < vertices.of.size(); ++p)
    for (uint32_t n = 0; n < vertices.of[p].size(); ++n) {
      const Needs needs =
          needsAlone(network, target, limits, graph, vertices.of[p][n]);
      const Resource worst = limits.worst(needs);
      if (worst == numResources || worst == NeuronSlots ||
          (exceeded != numResources && worst != exceeded))
        continue;
      const double used[] = {needs.slots, needs.words, needs.in, needs.out,
                             limits.bytesOf(needs)};
      exceeded = worst;
      if (uint64_t(used[worst]) <= most)
        continue;
      most = uint64_t(used[worst]);
      population = p;
      neuron = n;
    }
  if (exceeded == numResources)
    return std::nullopt;
  return neuronMisfit(target, network.populations[population].name, neuron,
                      exceeded, most);
}

Misfit regroupingMisfit(const MapNetwork &network, const Target &target,
                        const CoreLimits::CoreBound &bound, uint32_t cores,
                        uint32_t fitting, Resource resource) {
  const ResourceName &name = describe(resource);
  std::string found =
      fitting ? fmt::format("; it fits {} cores by regrouping", fitting)
      : bound.cores > cores ? std::string()
                            : "; no regrouping was found to fit";
  size_t largest = 0;
  for (size_t p = 1; p < network.populations.size(); ++p)
    if (network.populations[p].size > network.populations[largest].size)
      largest = p;
  return {name.name, network.populations[largest].name,
          fitting ? fitting : bound.cores, cores,
          fmt::format("the network does not fit {} cores of '{}': {} {} per "
                      "core is what runs out, and no fewer than {} cores "
                      "have enough {} for all of it{}: what would make it "
                      "fit is {}, another target, or --override-limit {}",
                      cores, target.name, Capacity(target).of[resource],
                      name.counted, bound.cores,
                      describe(bound.resource).counted, found, name.less,
                      name.limit)};
}

} // namespace dendrolith::cluster
