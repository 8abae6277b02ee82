// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Search.h"

#include "compiler/mapping/Misfits.h"
#include "compiler/mapping/Permute.h"
#include "compiler/mapping/PlacementProblem.h"
#include "compiler/mapping/Spread.h"
#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/search/Polish.h"
#include "compiler/mapping/search/Tiles.h"
#include "compiler/mapping/search/Ways.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace neurite {

Goal goalOf(const std::string &name) {
  static const std::pair<const char *, Goal> goals[] = {
      {"balanced", Goal::Balanced},
      {"time", Goal::Time},
      {"energy", Goal::Energy},
      {"edp", Goal::Edp},
      {"cores", Goal::Cores}};
  if (name.empty())
    return Goal::Balanced;
  for (auto [known, goal] : goals)
    if (name == known)
      return goal;
  throw Error(fmt::format("there is no mapping goal '{}', expected 'balanced', "
                          "'time', 'energy', 'edp' or 'cores'",
                          name));
}

namespace {

// Distances looked up: for each mapping that is looked at, and for the last
// touch on the best ones.
constexpr uint64_t kLookBudget = 3000000, kPolishBudget = 100000000;
// Synapses read in all for mappings that are looked at. A large network is
// looked at with fewer numbers of cores.
constexpr uint64_t kReadBudget = 150000000;

// Of what the partitioner spends on its own: there are other numbers of cores
// to look at, and a last touch follows.
constexpr double kFirstEffort = 0.05, kClusterEffort = 0.4;

struct Found {
  std::string how;
  std::optional<Clusters> clusters; // where neurons were grouped
  NeuronOrder order;
  Starts starts;
  Cores cores;
  Evaluation eval;
};

class Search {
public:
  Search(const MapNetwork &network, const Target &target,
         const MappingOptions &options, const ChipModel &model)
      : network(network), target(target), options(options), model(model),
        goal(goalOf(options.goal)), began(std::chrono::steady_clock::now()) {
    const uint64_t all = usablePositions(target, target.numCores()).size();
    uint64_t neurons = 0;
    for (const MapPopulation &population : network.populations)
      neurons += population.size;
    most =
        uint32_t(std::min<uint64_t>({options.maxCores ? options.maxCores : all,
                                     all, std::max<uint64_t>(neurons, 1)}));
    least = std::max(options.minCores, 1u);
  }

  Fit<Mapping> run(Fit<Mapping> fewest) {
    // What no order and no cut can change needs no search.
    if (!fewest && (fewest.misfit().oneNeuron ||
                    fewest.misfit().bound > target.numCores()))
      return fewest;
    if (fewest && fewest->slices.empty())
      return fewest;
    if (fewest)
      look(*fewest);
    if (goal != Goal::Cores || !fewest)
      sweep("given order", fewest ? leastParts(*fewest) : ones(), false);
    if (hasFeatureMaps(network))
      sweep("feature maps in tiles", ones(), true);
    if (canRegroup() && isWorthRegrouping())
      regroup();
    std::stable_sort(found.begin(), found.end(),
                     [&](const Found &a, const Found &b) {
                       return valueOf(a) < valueOf(b);
                     });
    for (size_t i = 0; i < std::min<size_t>(found.size(), 2); ++i)
      finish(found[i]);
    std::stable_sort(found.begin(), found.end(),
                     [&](const Found &a, const Found &b) {
                       return valueOf(a) < valueOf(b);
                     });
    for (const Found &each : found) {
      Mapping mapping;
      mapping.order = each.order;
      mapping.solver = "default";
      const MapNetwork *net = &network;
      std::optional<MapNetwork> permuted;
      if (!each.order.empty())
        net = &permuted.emplace(permute(network, each.order, options.threads));
      mapping.slices = slicesOn(*net, each.starts, each.cores);
      Fit<std::vector<FitRow>> fit = verify(*net, target, mapping.slices);
      if (!fit)
        continue;
      mapping.fit = std::move(*fit);
      mapping.tradeOff = tradeOff(each);
      return mapping;
    }
    if (!fewest)
      return fewest;
    return tooFewAllowed(target, most,
                         coresUsed(cutsOf(network, fewest->slices).cores));
  }

private:
  bool outOfTime() const {
    return options.seconds > 0 && std::chrono::duration<double>(
                                      std::chrono::steady_clock::now() - began)
                                          .count() > options.seconds;
  }
  double valueOf(const Found &each) const {
    return each.eval.value(goal, model.priced);
  }
  std::vector<uint32_t> ones() const {
    return std::vector<uint32_t>(network.populations.size(), 1);
  }

  std::vector<uint32_t> leastParts(const Mapping &mapping) const {
    std::vector<uint32_t> parts;
    for (const std::vector<uint32_t> &of :
         cutsOf(network, mapping.slices).starts)
      parts.push_back(uint32_t(of.size()) - 1);
    return parts;
  }

  /// Takes a mapping of the given order that is there already.
  void look(const Mapping &mapping) {
    Cuts cuts = cutsOf(network, mapping.slices);
    auto made = arrange(network, target, model, cuts.starts);
    if (made && made->starts == cuts.starts)
      add("given order, as few cores as fit", {}, *made, std::move(cuts.cores));
  }

  void add(const std::string &how, const NeuronOrder &order,
           const Arrangement &made, Cores cores) {
    Found each{how, {}, order, made.starts, std::move(cores), {}};
    each.eval = evaluate(made.steps, each.cores, target, model, &made.graph);
    keep(std::move(each));
  }

  bool isAllowed(const Evaluation &eval) const {
    return eval.cores >= least && eval.cores <= most;
  }
  void keep(Found each) {
    if (!isAllowed(each.eval))
      return;
    found.push_back(std::move(each));
  }

  /// Numbers of cores to look at, each 1.4 times the last one or more where
  /// the network is large.
  std::vector<uint32_t> ladder(uint32_t from) const {
    uint64_t synapses = 1;
    for (const MapProjection &projection : network.projections)
      synapses += projection.accumulator.size();
    // Each is read about three times.
    const double looks =
        std::clamp<double>(double(kReadBudget) / (3 * double(synapses)), 2, 24);
    const double span = std::log(double(most) / from);
    const double ratio = std::max(1.25, std::exp(span / looks));
    std::vector<uint32_t> steps;
    for (double k = from; k < double(most) * 0.97;
         k = std::max(k * ratio, k + 1))
      steps.push_back(uint32_t(std::lround(k)));
    steps.push_back(most);
    return steps;
  }

  /// Cuts populations into parts of equal work for ever more cores.
  void sweep(const std::string &how, const std::vector<uint32_t> &parts,
             bool inTiles) {
    const WorkSums sums = sumUp(neuronLoads(network, model));
    uint32_t from = least;
    if (!found.empty() && !inTiles)
      from = std::max(from, found.front().eval.cores);
    if (from > most)
      return;
    auto look = [&](uint32_t cores) {
      if (outOfTime())
        return;
      Starts starts = cutByWork(sums, parts, cores);
      if (!inTiles)
        return tryOn(network, {}, how, std::move(starts), cores);
      NeuronOrder order = orderInTiles(network, starts);
      tryOn(permute(network, order, options.threads), order, how,
            std::move(starts), cores);
    };
    const std::vector<uint32_t> steps = ladder(from);
    for (uint32_t cores : steps)
      look(cores);
    // Between the steps beside the best one, where that costs little.
    if (found.empty() || !isSmall() || goal == Goal::Cores)
      return;
    const uint32_t best = bestFound().eval.cores;
    for (double factor : {0.8, 0.87, 0.93, 1.08, 1.16})
      if (auto k = uint32_t(std::lround(best * factor));
          k >= from && k <= most && k != best &&
          !std::count(steps.begin(), steps.end(), k))
        look(k);
  }

  void tryOn(const MapNetwork &net, const NeuronOrder &order,
             const std::string &how, Starts starts, uint32_t cores) {
    auto made = arrange(net, target, model, std::move(starts));
    if (!made)
      return;
    if (auto packed = pack(*made, Capacity(target), cores))
      add(how, order, *made, placeOnMesh(*made, *packed, target, kLookBudget));
  }

  /// Feature maps share lists within tiles, and neurons of no others may be put
  /// into any order.
  bool canRegroup() const {
    return most > 1 &&
           std::none_of(network.projections.begin(), network.projections.end(),
                        [](const MapProjection &projection) {
                          return projection.shared;
                        });
  }

  /// Where messages and their ways are next to nothing, another order of
  /// neurons gains nothing but time spent on it.
  bool isWorthRegrouping() const {
    if (found.empty())
      return true;
    const Evaluation &best = bestFound().eval;
    const double ways = best.messagePj + best.hopPj;
    return (best.networkPs > 0.1 * best.stepPs ||
            (model.priced ? ways > 0.02 * best.energyPj() : best.hopsEw > 0)) &&
           (!bestFound().order.empty() ||
            hasScatteredTargets(bestFound().starts));
  }

  /// Whether sources have clearly more lists than their targets need if they
  /// fill slices of this size. In a dense layer they have not, in any order.
  bool hasScatteredTargets(const Starts &starts) const {
    double lists = 0, least = 0;
    for (const MapProjection &projection : network.projections) {
      const std::vector<uint32_t> &of = starts[projection.target];
      const uint32_t each = network.populations[projection.target].accumulators;
      if (each == 0)
        continue;
      uint64_t largest = 1;
      for (size_t k = 0; k + 1 < of.size(); ++k)
        largest = std::max<uint64_t>(largest, of[k + 1] - of[k]);
      const ListWalk walk(target.synapses, projection, of, each);
      for (uint32_t s = 0; s < network.sourceSize(projection); ++s) {
        const double rate =
            network.rate(projection.fromInput, projection.source, s);
        uint64_t synapses = 0;
        walk.forEach(
            s, [&](size_t, const ListPlan &, uint64_t begin, uint64_t end) {
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

  /// Groups neuron by neuron, for the number of cores that was best so far and
  /// for others where that helps; for as few as possible if nothing fits yet.
  void regroup() {
    std::vector<uint32_t> counts;
    if (found.empty()) {
      counts = {0};
    } else {
      const Found &best = bestFound();
      if (best.eval.cores < 2)
        return;
      counts = {best.eval.cores};
    }
    const double before = found.empty() ? 0 : valueOf(bestFound());
    for (size_t i = 0; i < counts.size() && !outOfTime(); ++i) {
      const size_t known = found.size();
      // Unordered networks gain much, dense ones nothing: a quick look tells.
      lookAtClusters(counts[i],
                     i == 0 && before > 0 ? kFirstEffort : kClusterEffort);
      if (i > 0 || found.size() == known ||
          (before > 0 && valueOf(found.back()) > 0.98 * before))
        continue;
      const uint32_t cores = found.back().eval.cores;
      for (double factor : {1.0, 0.6, 1.6, 2.5})
        if (auto k = uint32_t(std::lround(cores * factor));
            k >= std::max(least, 2u) && k <= most &&
            (isSmall() || (factor == 1 && before > 0)))
          counts.push_back(k);
    }
  }
  bool isSmall() const {
    uint64_t synapses = 0;
    for (const MapProjection &projection : network.projections)
      synapses += projection.accumulator.size();
    return synapses < kReadBudget / 50;
  }
  const Found &bestFound() const {
    return *std::min_element(found.begin(), found.end(),
                             [&](const Found &a, const Found &b) {
                               return valueOf(a) < valueOf(b);
                             });
  }

  ClusterOptions clusterOptions(uint32_t cores, double effort) const {
    ClusterOptions cluster;
    cluster.cores = cores;
    cluster.seed = options.seed;
    cluster.threads = options.threads;
    cluster.workCap = cores ? 1.1 : 0;
    cluster.effort = effort;
    cluster.work = neuronLoads(network, model);
    return cluster;
  }

  void lookAtClusters(uint32_t cores, double effort) {
    Fit<Clusters> clusters =
        clusterNeurons(network, target, clusterOptions(cores, effort));
    if (!clusters || clusters->cores > most)
      return;
    if (auto each = placed("neurons regrouped", *clusters, {}))
      keep(std::move(*each));
  }

  /// A grouping on the mesh, where its cores have places already if `places`
  /// says so.
  std::optional<Found> placed(const std::string &how, const Clusters &clusters,
                              const Cores &places) const {
    NeuronOrder order = orderOf(network, clusters);
    const MapNetwork net = permute(network, order, options.threads);
    const auto [starts, partition] = cutsOf(net, slicesOf(network, clusters));
    auto made = arrange(net, target, model, starts);
    if (!made || made->starts != starts)
      return std::nullopt;
    Found each{how, clusters, std::move(order), made->starts, {}, {}};
    if (places.empty())
      each.cores = placeOnMesh(*made, partition, target, kLookBudget);
    else
      for (uint32_t core : partition)
        each.cores.push_back(places[core]);
    each.eval = evaluate(made->steps, each.cores, target, model, &made->graph);
    return each;
  }

  /// Moves neurons between cores that have places, under the real ways.
  void finishClusters(Found &each) {
    const Cores partition =
        cutsOf(network, slicesOf(network, *each.clusters)).cores;
    Cores places(each.clusters->cores, 0);
    for (size_t s = 0; s < partition.size(); ++s)
      places[partition[s]] = each.cores[s];
    const Ways ways = waysBetween(places, target, model);
    Clusters moved = refineClusters(
        network, target, *each.clusters, ways.between, ways.toHost,
        clusterOptions(each.eval.cores, kClusterEffort));
    if (auto better = placed(each.how, moved, places);
        better && isAllowed(better->eval) && valueOf(*better) < valueOf(each))
      each = std::move(*better);
  }

  /// Looks at the places of slices once more, with more patience.
  void finish(Found &each) {
    if (outOfTime())
      return;
    if (each.clusters)
      return finishClusters(each);
    const MapNetwork *net = &network;
    std::optional<MapNetwork> permuted;
    if (!each.order.empty())
      net = &permuted.emplace(permute(network, each.order, options.threads));
    auto made = arrange(*net, target, model, each.starts);
    if (!made || made->starts != each.starts)
      return;
    Cores cores = polish(*made, each.cores, target, model, goal, kPolishBudget);
    Evaluation eval = evaluate(made->steps, cores, target, model, &made->graph);
    if (!isAllowed(eval) || eval.value(goal, model.priced) >= valueOf(each))
      return;
    each.cores = std::move(cores);
    each.eval = eval;
  }

  TradeOff rowOf(const Found &each) const {
    TradeOff row;
    row.cores = each.eval.cores;
    row.stepNs = each.eval.stepPs / 1000;
    row.stepPj = model.priced ? each.eval.energyPj() : 0;
    row.how = each.how;
    return row;
  }

  std::vector<TradeOff> tradeOff(const Found &chosen) const {
    std::vector<TradeOff> rows;
    for (const Found &each : found) {
      rows.push_back(rowOf(each));
      rows.back().chosen = &each == &chosen;
    }
    for (TradeOff &row : rows)
      row.pareto =
          std::none_of(rows.begin(), rows.end(), [&](const TradeOff &other) {
            return other.cores <= row.cores && other.stepNs <= row.stepNs &&
                   other.stepPj <= row.stepPj &&
                   (other.cores < row.cores || other.stepNs < row.stepNs ||
                    other.stepPj < row.stepPj);
          });
    std::stable_sort(
        rows.begin(), rows.end(),
        [](const TradeOff &a, const TradeOff &b) { return a.cores < b.cores; });
    return rows;
  }

  const MapNetwork &network;
  const Target &target;
  const MappingOptions &options;
  const ChipModel &model;
  const Goal goal;
  const std::chrono::steady_clock::time_point began;
  uint32_t least = 1, most = 1; // cores
  std::vector<Found> found;
};

} // namespace

Fit<Mapping> searchMapping(const MapNetwork &network, const Target &target,
                           const MappingOptions &options,
                           const ChipModel &model, Fit<Mapping> fewest) {
  return Search(network, target, options, model).run(std::move(fewest));
}

} // namespace neurite
