// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/InOrder.h"
#include "compiler/mapping/in_order/BaselineSolvers.h"
#include "compiler/mapping/in_order/DefaultSolver.h"
#include "compiler/mapping/in_order/Split.h"
#include "compiler/mapping/result/SliceGraph.h"
#include "compiler/mapping/result/Verify.h"

#include "compiler/mapping/in_order/Spread.h"
#include "compiler/mapping/result/Misfits.h"
#include "compiler/mapping/result/RoutingProblem.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace dendrolith {

const Solver &findSolver(const std::string &name) {
  static const RoundRobinSolver roundRobin;
  static const PackedSolver packed;
  static const IterativeSplitSolver iterativeSplit;
  static const DefaultSolver usual;
  for (const Solver *solver : {static_cast<const Solver *>(&usual),
                               static_cast<const Solver *>(&roundRobin),
                               static_cast<const Solver *>(&packed),
                               static_cast<const Solver *>(&iterativeSplit)})
    if (solver->name() == name)
      return *solver;
  throw Error(fmt::format("there is no mapping solver '{}', expected "
                          "'default', 'round-robin', 'packed' or "
                          "'iterative-split'",
                          name));
}

namespace {

/// The cost of a placement: message-hops plus the operations of the busiest
/// core. Verifies the routes.
struct Price {
  double total = 0;
  Price(const Target &target, const SliceGraph &graph,
        const SliceCores &cores) {
    RoutingProblem routing(target, graph, cores);
    routing.check();
    RoutingProblem::Solution routes = routing.solve();
    routing.verify(routes);
    std::map<uint32_t, double> work;
    double most = 0;
    for (uint32_t s = 0; s < cores.size(); ++s)
      most = std::max(most, work[cores[s]] += graph.work[s]);
    total = routing.hops() + most;
  }
};

/// Gives each slice a logical core and each logical core a position on the
/// mesh; both solutions are verified.
SliceCores placeOnMesh(const Solver &solver, const SliceGraph &graph,
                       const PartitionProblem &problem,
                       const PartitionProblem::Solution &partition,
                       const std::vector<TileXY> &positions,
                       const Target &target) {
  problem.verify(partition);
  PlacementProblem placement(graph, partition, problem.numCores, positions);
  placement.putOn(target);
  placement.check();
  PlacementProblem::Solution places = solver.place(placement);
  placement.verify(places);
  SliceCores cores;
  for (uint32_t logical : partition)
    cores.push_back(places[logical]);
  return cores;
}

/// A problem in which every slice lies for itself, for the host's traffic.
PlacementProblem apart(const SliceGraph &graph,
                       const std::vector<TileXY> &positions,
                       const Target &target) {
  PartitionProblem::Solution own(graph.slices.size());
  std::iota(own.begin(), own.end(), 0);
  PlacementProblem problem(graph, own, uint32_t(own.size()), positions);
  problem.putOn(target);
  return problem;
}

/// Why the slices do not pack into the cores: names the resource that is
/// scarcest, and of out-axons the neuron that needs most.
Misfit scarcest(const MapNetwork &network, const Target &target,
                const SliceGraph &graph, uint64_t cores,
                const std::string &sender) {
  Capacity capacity(target);
  // What slices share counts once, so that this is the least that there can be.
  Demand all;
  std::vector<std::array<uint64_t, numSums>> by(network.populations.size());
  for (size_t s = 0; s < graph.slices.size(); ++s) {
    std::array<uint64_t, numSums> added = beyond(all, graph.demand[s]);
    for (int r = 0; r < numSums; ++r)
      by[graph.slices[s].population][r] += added[r];
    all.addSums(graph.demand[s]);
  }
  int scarce = NeuronSlots;
  double share = -1;
  for (int r = 0; r < numSums; ++r)
    if (capacity.of[r] != unlimited && capacity.of[r] > 0 &&
        double(all.sums[r]) / double(capacity.of[r]) > share) {
      share = double(all.sums[r]) / double(capacity.of[r]);
      scarce = r;
    }
  size_t worst = 0;
  for (size_t p = 1; p < by.size(); ++p)
    if (by[p][scarce] > by[worst][scarce])
      worst = p;
  return packingMisfit(
      network, target, Resource(scarce), network.populations[worst].name,
      {cores, 0, false, false, scarce == OutAxons ? sender : ""});
}

/// What the solver is measured against: round-robin on the same slices.
SliceCores baseline(const SliceGraph &graph, const PartitionProblem &problem,
                    const std::vector<TileXY> &positions,
                    const Target &target) {
  RoundRobinSolver solver;
  return placeOnMesh(solver, graph, problem, *solver.partition(problem),
                     positions, target);
}

/// The cheapest of several placements, without those on too few cores; the
/// first of equals.
SliceCores cheapest(const Target &target, const SliceGraph &graph,
                    const std::vector<SliceCores> &candidates,
                    uint32_t minCores) {
  const SliceCores *best = nullptr;
  double least = 0;
  for (const SliceCores &cores : candidates) {
    if (coresUsed(cores) < minCores)
      continue;
    double total = Price(target, graph, cores).total;
    if (!best || total < least) {
      best = &cores;
      least = total;
    }
  }
  return *best;
}

} // namespace

Fit<Mapping> mapInOrder(const MapNetwork &network, const Target &target,
                        const Solver &solver, uint32_t minCores,
                        const Target *cutFor) {
  Capacity capacity(target);
  bool isFar = false;     // from fitting, however it is split
  bool isFullToo = false; // what has failed already
  for (SplitStyle style :
       {SplitStyle::Balanced, SplitStyle::Full, SplitStyle::Tight}) {
    // The last style takes the fewest cores.
    if ((isFar && style != SplitStyle::Tight) ||
        (isFullToo && style == SplitStyle::Full))
      continue;
    Fit<Split> slices = split(network, cutFor ? *cutFor : target, style);
    if (!slices && slices.misfit().found.noneInOrder)
      return slices.misfit();
    isFar = !slices && slices.misfit().found.orMore;
    if (isFar && style != SplitStyle::Tight)
      continue;
    if (!slices)
      return slices.misfit();
    isFullToo = !slices->madeEqual;
    splitFurther(*slices, minCores);
    SliceGraph graph = buildSliceGraph(network, target.synapses, slices->starts,
                                       EntryBytes(target));
    std::vector<TileXY> positions =
        usablePositions(target, graph.slices.size());
    uint32_t numCores =
        uint32_t(std::min<uint64_t>(positions.size(), graph.slices.size()));
    PartitionProblem problem(graph, capacity, numCores);
    uint64_t filled = 0;
    for (uint32_t core : slices->packing)
      filled = std::max<uint64_t>(filled, core + 1);
    if (style == SplitStyle::Tight) {
      if (filled > positions.size())
        return scarcest(network, target, graph, filled, slices->sender);
      problem.hint = slices->packing;
    }
    if (problem.check())
      continue; // The next style splits otherwise; the last one answered above.
    std::optional<PartitionProblem::Solution> partition =
        solver.partition(problem);
    if (!partition)
      continue;
    spreadOver(graph, *partition, minCores);
    Mapping mapping;
    mapping.solver = solver.name();
    SliceCores spread =
        placeOnMesh(solver, graph, problem, *partition, positions, target);
    // Where slices in turn do not fit, the baseline takes the solver's packing.
    if (problem.hint.empty())
      problem.hint = *partition;
    SliceCores reference = baseline(graph, problem, positions, target);
    PlacementProblem host = apart(graph, positions, target);
    std::vector<SliceCores> candidates = {solver.refine(problem, host, spread)};
    if (solver.searches())
      candidates.push_back(solver.refine(problem, host, reference));
    // Refining may empty a core, of which too few are left then.
    if (solver.searches() && minCores)
      candidates.insert(candidates.end(), {spread, reference});
    SliceCores best = cheapest(target, graph, candidates, minCores);
    mapping.slices = slicesOn(network, slices->starts, best);
    Fit<std::vector<FitRow>> fit = verify(network, target, mapping.slices);
    if (!fit)
      return fit.misfit();
    mapping.fit = std::move(*fit);
    return mapping;
  }
  if (minCores)
    return Misfit{
        "cores", "", minCores, target.numCores(),
        fmt::format(
            "no mapping onto at least {} cores of target '{}' was found: each "
            "one that was tried needs more axons than the cores have; ask for "
            "fewer",
            minCores, target.name)};
  // Unreachable: the last style fails by name or brings its packing along.
  throw Error("mapping: no packing was found");
}

} // namespace dendrolith
