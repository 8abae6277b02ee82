// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Regroup.h"

#include "compiler/mapping/candidates/Polish.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/network/ListWalk.h"
#include "targets/mesh/Routing.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith {

MessageCosts messageCosts(const std::vector<uint32_t> &cores,
                          const Target &target, const ChipModel &model) {
  const double ew = std::max(model.prices.hopEw, 1e-3),
               ns = std::max(model.prices.hopNs, 1e-3);
  // Where it has no price it stands for the hops that take as long.
  const NocTiming &noc = model.timing.noc;
  const double crossing =
      model.prices.crossing > 0
          ? model.prices.crossing
          : ew * double(noc.crossing.forward) /
                double(std::max<uint64_t>(noc.east.forward, 1));
  const double each = model.prices.send + model.prices.message;
  auto costBetween = [&](TileXY a, TileXY b) {
    Hops hops = hopsBetween(target.mesh, a, b);
    return each + double(hops.ew) * ew + double(hops.ns) * ns +
           double(hops.crossings) * crossing;
  };
  MessageCosts costs;
  for (uint32_t a : cores) {
    costs.toHost.push_back(
        costBetween(target.coreXY(a), target.mesh.at(kHostTile)));
    for (uint32_t b : cores)
      costs.between.push_back(costBetween(target.coreXY(a), target.coreXY(b)));
  }
  return costs;
}

namespace {

// Effort of the partitioner, as a part of its usual effort: for a first try,
// and for the number of cores that was best. finishGroups() follows.
constexpr double kLookEffort = 0.05, kEffort = 0.4;

/// Feature maps share lists within tiles, and neurons of no others may be put
/// into any order.
bool canRegroup(const SearchSpace &space) {
  return space.most > 1 &&
         std::none_of(
             space.network.projections.begin(), space.network.projections.end(),
             [](const MapProjection &projection) { return projection.shared; });
}

/// Whether sources have clearly more lists than their targets need if they
/// fill slices of this size. In a dense layer they have not, in any order.
bool hasScatteredTargets(const SearchSpace &space, const SliceStarts &starts) {
  const MapNetwork &network = space.network;
  double lists = 0, least = 0;
  for (const MapProjection &projection : network.projections) {
    const std::vector<uint32_t> &of = starts[projection.target];
    const uint32_t each = network.populations[projection.target].accumulators;
    if (each == 0)
      continue;
    uint64_t largest = 1;
    for (size_t k = 0; k + 1 < of.size(); ++k)
      largest = std::max<uint64_t>(largest, of[k + 1] - of[k]);
    const ListWalk walk(space.target.synapses, projection, of, each,
                        /*contents=*/false);
    for (uint32_t s = 0; s < network.sourceSize(projection); ++s) {
      const double rate =
          network.rate(projection.fromInput, projection.source, s);
      uint64_t synapses = 0;
      walk.forEach(s,
                   [&](size_t, const ListPlan &, uint64_t begin, uint64_t end) {
                     lists += rate;
                     for (uint64_t i = begin; i < end; ++i)
                       synapses += projection.weight[i] != 0;
                   });
      least +=
          rate * double((synapses + largest * each - 1) / (largest * each));
    }
  }
  return lists > 1.15 * least;
}

/// Whether more cores were better and better until some limit, mostly that of
/// axons, ended it: there another order of neurons opens more of the chip.
bool endsBeforeTheChip(const SearchSpace &space,
                       const std::vector<Candidate> &found) {
  const uint32_t best = space.bestOf(found).eval.cores;
  return best * 1.25 < space.most &&
         std::none_of(found.begin(), found.end(), [&](const Candidate &each) {
           return each.eval.cores > best;
         });
}

/// Where messages and hops cost next to nothing, another order of neurons gains
/// nothing and takes time.
bool messagesMatter(const SearchSpace &space,
                    const std::vector<Candidate> &found) {
  if (found.empty() || endsBeforeTheChip(space, found))
    return true;
  const Candidate &best = space.bestOf(found);
  const Evaluation &eval = best.eval;
  const double messages = eval.messagePj + eval.hopPj;
  return eval.networkPs > 0.1 * eval.stepPs ||
         (space.model.priced ? messages > 0.02 * eval.energyPj()
                             : eval.hopsEw > 0);
}

bool isWorthRegrouping(const SearchSpace &space,
                       const std::vector<Candidate> &found) {
  if (found.empty())
    return true;
  const Candidate &best = space.bestOf(found);
  return !best.order.empty() || hasScatteredTargets(space, best.starts);
}

ClusterOptions clusterOptions(const SearchSpace &space, uint32_t cores,
                              double effort, unsigned threads) {
  ClusterOptions cluster;
  cluster.cores = cores;
  cluster.seed = space.options.seed;
  cluster.threads = threads;
  cluster.workCap = cores ? 1.1 : 0;
  cluster.effort = effort;
  cluster.work = space.loads();
  cluster.isOver = [&space] { return space.isOver(); };
  return cluster;
}

/// A grouping on the mesh, where its cores have places already if `places` says
/// so.
std::optional<Candidate> placedOnMesh(const SearchSpace &space,
                                      const std::string &how,
                                      const Clusters &clusters,
                                      const SliceCores &places) {
  NeuronOrder order = orderOf(space.network, space.target, clusters);
  const Reordered inOrder = space.inOrder(order);
  const MapNetwork &net = *inOrder;
  const auto [starts, partition] =
      cutsOf(net, slicesOf(space.network, clusters));
  auto made = space.arranged(net, order, starts);
  if (!made || made->starts != starts)
    return std::nullopt;
  Candidate each{how, clusters, std::move(order), made->starts, {}, {}, {}};
  if (places.empty())
    each.cores =
        placeOnMesh(*made, partition, space.target, SearchSpace::kLookBudget);
  else
    for (uint32_t core : partition)
      each.cores.push_back(places[core]);
  each.eval = space.evaluated(*made, each.cores);
  if (!space.isAllowed(each.eval))
    return std::nullopt;
  space.progress.found(each.eval, space.valueOf(each), space.model.priced);
  return each;
}

std::optional<Candidate> group(const SearchSpace &space, uint32_t cores,
                               double effort, unsigned threads) {
  if (space.isOver())
    return std::nullopt;
  space.progress.begin(cores ? fmt::format("neurons regrouped, {} cores", cores)
                             : "neurons regrouped, as few cores as fit");
  Fit<Clusters> clusters =
      clusterNeurons(space.network, space.target,
                     clusterOptions(space, cores, effort, threads));
  if (!clusters || clusters->cores > space.most)
    return std::nullopt;
  return placedOnMesh(space, "neurons regrouped", *clusters, {});
}

/// By logical core of the grouping, the core of the target that it lies on.
SliceCores placesOf(const SearchSpace &space, const Candidate &each) {
  const SliceCores partition =
      cutsOf(space.network, slicesOf(space.network, *each.clusters)).cores;
  SliceCores places(each.clusters->cores, 0);
  for (size_t s = 0; s < partition.size(); ++s)
    places[partition[s]] = each.cores[s];
  return places;
}

} // namespace

void regroup(const SearchSpace &space, std::vector<Candidate> &found) {
  if (!canRegroup(space) || !messagesMatter(space, found) ||
      !isWorthRegrouping(space, found))
    return;
  const unsigned threads = space.options.threads;
  std::vector<uint32_t> looks = {0};
  double before = 0;
  if (!found.empty()) {
    const Candidate &best = space.bestOf(found);
    const uint32_t first = best.eval.cores;
    if (first < 2)
      return;
    looks = {first};
    if (endsBeforeTheChip(space, found))
      looks = {space.most, (space.most + first) / 2, first};
    before = space.valueOf(best);
  }
  // Unordered networks gain much, dense ones nothing: a quick try tells.
  std::optional<Candidate> quick;
  for (size_t i = 0; i < looks.size() && !quick; ++i)
    quick = group(space, looks[i], before > 0 ? kLookEffort : kEffort, threads);
  if (!quick)
    return;
  found.push_back(std::move(*quick));
  if (before > 0 && space.valueOf(found.back()) > 0.98 * before)
    return;
  const size_t firstLook = found.size() - 1;
  const uint32_t cores = found.back().eval.cores;
  std::vector<uint32_t> counts;
  for (double factor : {0.6, 1.6, 2.5})
    if (auto k = uint32_t(std::lround(cores * factor));
        k >= std::max(space.least, 2u) && k <= space.most && space.isSmall())
      counts.push_back(k);
  std::vector<std::optional<Candidate>> made(counts.size());
  const auto each = unsigned(threads / std::max<size_t>(counts.size(), 1));
  space.threads->share(counts.size(), [&](size_t i) {
    made[i] = group(space, counts[i], kLookEffort, std::max(each, 1u));
  });
  for (std::optional<Candidate> &one : made)
    if (one)
      found.push_back(std::move(*one));
  if (before == 0 && !space.isSmall())
    return;
  const auto best =
      std::min_element(found.begin() + firstLook, found.end(),
                       [&](const Candidate &a, const Candidate &b) {
                         return space.valueOf(a) < space.valueOf(b);
                       });
  if (auto longer = group(space, best->eval.cores, kEffort, threads))
    found.push_back(std::move(*longer));
}

void finishGroups(const SearchSpace &space, Candidate &each) {
  const SliceCores places = placesOf(space, each);
  const MessageCosts costs = messageCosts(places, space.target, space.model);
  const ClusterOptions options =
      clusterOptions(space, each.eval.cores, kEffort, space.options.threads);
  const Clusters clusters =
      refineClusters(space.network, space.target, *each.clusters, costs.between,
                     costs.toHost, options);
  if (auto better = placedOnMesh(space, each.how, clusters, places);
      better && space.valueOf(*better) < space.valueOf(each))
    each = std::move(*better);
}

} // namespace dendrolith
