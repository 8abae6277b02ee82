// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Grouping.h"

#include "compiler/mapping/cluster/Random.h"
#include "compiler/mapping/cluster/Refine.h"
#include "compiler/mapping/search/Exchange.h"
#include "compiler/mapping/search/LineCut.h"
#include "compiler/mapping/search/LineOrder.h"
#include "compiler/mapping/search/RingOrder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dendrolith {

namespace {

/// Neurons of a network that annealing moves one by one.
constexpr uint32_t kTiny = 128;
/// Seeds of its annealing, and proposals for each vertex and core.
constexpr uint32_t kSeeds = 4;
constexpr uint64_t kProposals = 300;
/// Blocks of neurons in a row for each core, and proposals for each block.
constexpr uint32_t kBlocks[] = {1, 2, 4};
constexpr uint64_t kBlockProposals = 100;
/// Pins that proposals may look at in all; blocks of larger networks stay.
constexpr double kPinBudget = 1e8;
/// Passes of swaps.
constexpr uint32_t kPasses = 20;

/// The mean over cores, as a line has no places.
LinePrices meanPrices(const ChipModel &model) {
  const double each = model.prices.send + model.prices.message;
  const double hop = (model.prices.hopEw + model.prices.hopNs) / 2;
  return {each, each + std::max(hop, 1e-3)};
}

} // namespace

Grouping::Grouping(const MapNetwork &network, const Target &target,
                   const ChipModel &model, const ClusterOptions &options)
    : network(network), target(target), model(model), options(options),
      vertices(cluster::verticesOf(network, options)), limits(target, options),
      graph(cluster::hypergraphOf(network, target, options, vertices, limits)) {
}

double Grouping::roomOf() const {
  const uint64_t slots = limits.capacity.of[NeuronSlots];
  return slots == unlimited ? double(vertices.count) : double(slots);
}

/// As for the fewest cores that have the slots, so that cores may be full.
void Grouping::loosen() {
  double slots = 0;
  for (const cluster::Needs &needs : graph.needs)
    slots += needs.slots;
  limits.setCores(network, target, graph,
                  std::max(uint32_t(std::ceil(slots / roomOf())), 1u));
}

bool Grouping::isTiny() const { return vertices.count <= kTiny; }

std::vector<uint32_t> Grouping::partsOf(const Clusters &clusters) const {
  std::vector<uint32_t> part(vertices.count);
  for (size_t p = 0; p < vertices.of.size(); ++p)
    for (size_t n = 0; n < vertices.of[p].size(); ++n)
      part[vertices.of[p][n]] = clusters.core[p][n];
  return part;
}

Clusters Grouping::clustersOf(const std::vector<uint32_t> &part,
                              uint32_t cores) const {
  Clusters clusters;
  clusters.cores = cores;
  for (const std::vector<uint32_t> &of : vertices.of) {
    clusters.core.emplace_back();
    for (uint32_t v : of)
      clusters.core.back().push_back(part[v]);
  }
  return clusters;
}

std::optional<Clusters> Grouping::inLine(uint32_t fewest, uint32_t most,
                                         Row row) {
  const double room = roomOf();
  std::vector<uint32_t> part;
  if (row != Row::Given) {
    const std::vector<uint32_t> position =
        row == Row::Ring ? ringOf(graph) : lineOf(graph);
    const std::vector<uint32_t> cut =
        cutLine(cluster::contract(graph, position, vertices.count), room,
                fewest, most, meanPrices(model));
    for (uint32_t v = 0; v < position.size() && !cut.empty(); ++v)
      part.push_back(cut[position[v]]);
  } else {
    part = cutLine(graph, room, fewest, most, meanPrices(model));
  }
  if (part.empty())
    return std::nullopt;
  return clustersOf(part, *std::max_element(part.begin(), part.end()) + 1);
}

std::vector<uint32_t> Grouping::annealParts(const cluster::Hypergraph &of,
                                            const Ways &ways, uint32_t cores,
                                            const std::vector<uint32_t> &part,
                                            uint32_t seeds,
                                            uint64_t proposals) const {
  std::vector<uint32_t> best;
  cluster::Score least;
  for (uint32_t s = 0; s < seeds; ++s) {
    cluster::Parts parts(of, limits, cores, part,
                         {ways.between.data(), ways.toHost.data()});
    Exchange exchange(of, limits, parts);
    exchange.anneal(cluster::hashOf(options.seed, s),
                    proposals * of.vertices() * cores);
    exchange.swapAll();
    if (const cluster::Score score = cluster::scoreOf(parts);
        best.empty() || score.betterThan(least)) {
      best = parts.all();
      least = score;
    }
  }
  return best;
}

std::vector<uint32_t> Grouping::annealBlocks(uint32_t cores, const Ways &ways,
                                             uint32_t blocks) {
  const double room = roomOf();
  const std::vector<uint32_t> label =
      cutLine(graph, std::max(room * cores / blocks, 1.0), 1, 4 * blocks,
              meanPrices(model));
  if (label.empty())
    return {};
  const cluster::Hypergraph coarse = cluster::contract(
      graph, label, *std::max_element(label.begin(), label.end()) + 1);
  if (double(kBlockProposals) * cores * double(coarse.pins.value.size()) >
      kPinBudget)
    return {};
  // To begin with cores are filled in order.
  std::vector<uint32_t> part;
  uint32_t core = 0;
  double used = 0;
  for (const cluster::Needs &needs : coarse.needs) {
    if (used + needs.slots > room && core + 1 < cores) {
      used = 0;
      ++core;
    }
    used += needs.slots;
    part.push_back(core);
  }
  part = annealParts(coarse, ways, cores, part, 1, kBlockProposals);
  std::vector<uint32_t> fine;
  for (uint32_t l : label)
    fine.push_back(part[l]);
  return fine;
}

std::optional<PlacedClusters> Grouping::annealed(uint32_t cores) {
  std::vector<uint32_t> places(cores);
  std::iota(places.begin(), places.end(), 0);
  const Ways ways = waysBetween(places, target, model);
  loosen();
  std::vector<std::vector<uint32_t>> found;
  if (isTiny()) {
    std::vector<uint32_t> part;
    for (uint64_t v = 0; v < vertices.count; ++v)
      part.push_back(uint32_t(v * cores / vertices.count));
    found.push_back(annealParts(graph, ways, cores, part, kSeeds, kProposals));
  } else {
    for (uint32_t each : kBlocks)
      found.push_back(annealBlocks(cores, ways, each * cores));
  }
  std::optional<cluster::Parts> best;
  for (std::vector<uint32_t> &part : found) {
    if (part.empty())
      continue;
    cluster::Parts parts(graph, limits, cores, std::move(part),
                         {ways.between.data(), ways.toHost.data()});
    Exchange(graph, limits, parts).swapBest(kPasses);
    if (!best || cluster::scoreOf(parts).betterThan(cluster::scoreOf(*best)))
      best.emplace(std::move(parts));
  }
  if (!best || best->excess() > 1e-9)
    return std::nullopt;
  // Cores that nobody is on are none.
  std::vector<uint32_t> number(cores, cluster::none), part = best->all();
  PlacedClusters made;
  for (uint32_t &p : part) {
    if (number[p] == cluster::none) {
      number[p] = uint32_t(made.places.size());
      made.places.push_back(places[p]);
    }
    p = number[p];
  }
  made.clusters = clustersOf(part, uint32_t(made.places.size()));
  return made;
}

Clusters Grouping::swapped(const PlacedClusters &from) {
  const Ways ways = waysBetween(from.places, target, model);
  loosen();
  cluster::Parts parts(graph, limits, from.clusters.cores,
                       partsOf(from.clusters),
                       {ways.between.data(), ways.toHost.data()});
  Exchange(graph, limits, parts).swapBest(kPasses);
  return clustersOf(parts.all(), from.clusters.cores);
}

} // namespace dendrolith
