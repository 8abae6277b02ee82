// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/Mapping.h"

#include "compiler/mapping/ConstraintsFile.h"
#include "compiler/mapping/EarlierMapping.h"
#include "compiler/mapping/Gather.h"
#include "compiler/mapping/Misfits.h"
#include "compiler/mapping/Permute.h"
#include "compiler/mapping/PlacementFile.h"
#include "compiler/mapping/RoutingProblem.h"
#include "compiler/mapping/Solver.h"
#include "compiler/mapping/Spread.h"
#include "compiler/mapping/search/Adjust.h"
#include "compiler/mapping/search/Arrangement.h"
#include "compiler/mapping/search/Search.h"
#include "compiler/mapping/search/Story.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace neurite {

namespace {

/// The cost of a placement: message-hops plus the operations of the busiest
/// core. Verifies the routes.
struct Price {
  double total = 0;
  Price(const Target &target, const SliceGraph &graph, const Cores &cores) {
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
Cores placeOnMesh(const Solver &solver, const SliceGraph &graph,
                  const PartitionProblem &problem,
                  const PartitionProblem::Solution &partition,
                  const std::vector<TileXY> &positions) {
  problem.verify(partition);
  PlacementProblem placement(graph, partition, problem.numCores, positions);
  placement.check();
  PlacementProblem::Solution places = solver.place(placement);
  placement.verify(places);
  Cores cores;
  for (uint32_t logical : partition)
    cores.push_back(places[logical]);
  return cores;
}

/// A problem in which every slice lies for itself, for the host's traffic.
PlacementProblem apart(const SliceGraph &graph,
                       const std::vector<TileXY> &positions) {
  PartitionProblem::Solution own(graph.slices.size());
  std::iota(own.begin(), own.end(), 0);
  return PlacementProblem(graph, own, uint32_t(own.size()), positions);
}

/// Why the slices do not pack into the cores: names the resource that is
/// scarcest.
Misfit scarcest(const MapNetwork &network, const Target &target,
                const SliceGraph &graph, uint64_t cores) {
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
  return packingMisfit(network, target, Resource(scarce),
                       network.populations[worst].name, {cores, 0, false});
}

/// What the solver is measured against: round-robin on the same slices.
Cores baseline(const SliceGraph &graph, const PartitionProblem &problem,
               const std::vector<TileXY> &positions) {
  RoundRobinSolver solver;
  return placeOnMesh(solver, graph, problem, *solver.partition(problem),
                     positions);
}

/// The cheapest of several placements, without those on too few cores; the
/// first of equals.
Cores cheapest(const Target &target, const SliceGraph &graph,
               const std::vector<Cores> &candidates, uint32_t minCores) {
  const Cores *best = nullptr;
  double least = 0;
  for (const Cores &cores : candidates) {
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

Fit<Mapping> solve(const MapNetwork &network, const Target &target,
                   const Solver &solver, uint32_t minCores) {
  Capacity capacity(target);
  for (SplitStyle style :
       {SplitStyle::Balanced, SplitStyle::Full, SplitStyle::Tight}) {
    Fit<Split> slices = split(network, target, style);
    if (!slices)
      return slices.misfit();
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
        return scarcest(network, target, graph, filled);
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
    Cores spread = placeOnMesh(solver, graph, problem, *partition, positions);
    // Where slices in turn do not fit, the baseline takes the solver's packing.
    if (problem.hint.empty())
      problem.hint = *partition;
    Cores reference = baseline(graph, problem, positions);
    PlacementProblem host = apart(graph, positions);
    std::vector<Cores> candidates = {solver.refine(problem, host, spread)};
    if (solver.searches())
      candidates.push_back(solver.refine(problem, host, reference));
    // Refining may empty a core, of which too few are left then.
    if (solver.searches() && minCores)
      candidates.insert(candidates.end(), {spread, reference});
    Cores best = cheapest(target, graph, candidates, minCores);
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
            "the network has no mapping onto at least {} cores of target '{}': "
            "split so far, it needs more axons than the cores have; ask for "
            "fewer",
            minCores, target.name)};
  // Unreachable: the last style fails by name or brings its packing along.
  throw Error("mapping: no packing was found");
}

/// Slices that somebody else has chosen; `place` begins a message about them.
Fit<Mapping> placed(const MapNetwork &given, const Target &target,
                    const std::string &solver, Placement placement,
                    const std::string &place) {
  std::optional<MapNetwork> permuted;
  if (!placement.order.empty())
    permuted = permute(given, placement.order);
  const MapNetwork &network = permuted ? *permuted : given;
  Mapping mapping;
  mapping.solver = solver;
  mapping.slices = std::move(placement.slices);
  mapping.order = std::move(placement.order);
  try {
    Fit<std::vector<FitRow>> fit = verify(network, target, mapping.slices);
    if (!fit) {
      Misfit misfit = fit.misfit();
      misfit.message = place + ": " + misfit.message;
      return misfit;
    }
    mapping.fit = std::move(*fit);
  } catch (const Error &error) {
    throw Error(place + ": " + error.what());
  }
  return mapping;
}

/// The model's placement, checked against the target's cores.
Placement placementOfModel(const MapNetwork &network, const Target &target,
                           const MappingOptions &options) {
  for (const PlacedRange &range : options.model)
    if (range.core >= target.numCores())
      throw Error(fmt::format(
          "placement of the model: population '{}' is on core {}, the mesh of "
          "'{}' has {} cores ({}); --solver default places it anew",
          network.populations[range.population].name, range.core, target.name,
          target.numCores(), target.mesh.place));
  return gather(network, options.model);
}

} // namespace

/// As options ask for it, without the report.
static Fit<Mapping> choose(const MapNetwork &network, const Target &target,
                           const MappingOptions &options,
                           const ChipModel &model) {
  const Solver &solver =
      findSolver(options.solver.empty() ? "default" : options.solver);
  if (!options.placementFile.empty()) {
    if (options.minCores || options.maxCores)
      throw Error(fmt::format(
          "at {} {} cores are asked for, but '{}' says where everything lies; "
          "leave out one of them",
          options.minCores ? "least" : "most",
          options.minCores ? options.minCores : options.maxCores,
          options.placementFile));
    return placed(
        network, target, "placement file",
        gather(network,
               parsePlacement(network, target,
                              readPlacementFile(options.placementFile),
                              options.placementFile),
               options.numbers),
        options.placementFile);
  }
  // Where there is but one core, there is nothing to place.
  if (!options.model.empty() && options.solver.empty() &&
      options.goal.empty() && !options.minCores && !options.maxCores &&
      target.numCores() > 1)
    return placed(network, target, "placement of the model",
                  placementOfModel(network, target, options),
                  "placement of the model");
  if (auto misfit =
          spreadMisfit(network, target, options.minCores, options.maxCores))
    return std::move(*misfit);
  if (!solver.searches()) {
    Fit<Mapping> mapping = solve(network, target, solver, options.minCores);
    const uint64_t cores =
        mapping ? coresUsed(cutsOf(network, mapping->slices).cores) : 0;
    if (options.maxCores && cores > options.maxCores)
      return tooFewAllowed(target, options.maxCores, cores);
    return mapping;
  }
  return searchMapping(network, target, options, model,
                       solve(network, target, solver, options.minCores));
}

/// The better of two searches' mappings once it keeps the constraints.
static Fit<Mapping> searchUnder(const MapNetwork &network, const Target &target,
                                const MappingOptions &options,
                                const ChipModel &model,
                                const Constraints &constraints) {
  const std::vector<bool> dead = constraints.forbiddenCores(target);
  const auto open = uint32_t(std::count(dead.begin(), dead.end(), false));
  MappingOptions within = options;
  within.maxCores = std::min(options.maxCores ? options.maxCores : open, open);
  const Target room = withoutReserves(target, constraints);
  Fit<Mapping> fewest =
      solve(network, room, findSolver("default"), options.minCores);
  std::vector<Beginning> beginnings;
  auto beginWith = [&](Mapping &mapping, const char *how) {
    beginnings.push_back(
        {coresOf(network, mapping.slices, mapping.order), 0, how});
  };
  if (fewest)
    beginWith(*fewest, "few cores, then constraints");
  Fit<Mapping> best =
      searchMapping(network, room, within, model, std::move(fewest));
  if (!best && beginnings.empty())
    return best;
  if (best)
    beginWith(*best, "search, then constraints");
  std::optional<Fit<Mapping>> found;
  for (const Beginning &beginning : beginnings) {
    Fit<Mapping> next =
        adjust(network, target, options, model, constraints, beginning);
    if (!found || !*found || (next && next->cost < (*found)->cost))
      found = std::move(next);
  }
  return std::move(*found);
}

/// From an earlier mapping, which says in the objective how many moved.
static Fit<Mapping> searchFrom(const MapNetwork &network, const Target &target,
                               const MappingOptions &options,
                               const ChipModel &model,
                               const Constraints &constraints) {
  const EarlierMapping earlier =
      readEarlierMapping(options.mapFrom, network, target);
  Fit<Mapping> mapping =
      adjust(network, target, options, model, constraints,
             {earlier.core, options.maxMoves, "earlier mapping"});
  if (mapping)
    mapping->objective = fmt::format(
        "; from '{}', {} of {} neurons moved, {} new", options.mapFrom,
        movedNeurons(earlier,
                     coresOf(network, mapping->slices, mapping->order)),
        earlier.placed, earlier.unplaced);
  return mapping;
}

/// As choose(), with a file of constraints or with an earlier mapping.
static Fit<Mapping> chooseUnder(const MapNetwork &network, const Target &target,
                                const MappingOptions &options,
                                const ChipModel &model) {
  Constraints constraints;
  if (!options.constraintsFile.empty()) {
    constraints = parseConstraints(network, target,
                                   readPlacementFile(options.constraintsFile),
                                   options.constraintsFile);
    check(constraints, network, target);
  }
  const bool isPlaced = !options.placementFile.empty();
  if (isPlaced ||
      !findSolver(options.solver.empty() ? "default" : options.solver)
           .searches()) {
    if (!options.mapFrom.empty())
      throw Error(fmt::format(
          "'{}' is a mapping to start from, but {} '{}' does not search; leave "
          "out one of them",
          options.mapFrom, isPlaced ? "placement file" : "solver",
          isPlaced ? options.placementFile : options.solver));
    Fit<Mapping> mapping = choose(network, target, options, model);
    if (mapping)
      verify(constraints, permute(network, mapping->order, options.threads),
             target, mapping->slices, compose(options.numbers, mapping->order));
    return mapping;
  }
  if (auto misfit =
          spreadMisfit(network, target, options.minCores, options.maxCores))
    return std::move(*misfit);
  // Files count in the model's numbers, so neurons are put into their order.
  const NeuronOrder byNumber = invert(options.numbers);
  const MapNetwork ofModel = permute(network, byNumber, options.threads);
  auto search = options.mapFrom.empty() ? searchUnder : searchFrom;
  Fit<Mapping> mapping = search(ofModel, target, options, model, constraints);
  if (mapping)
    mapping->order = compose(byNumber, mapping->order);
  return mapping;
}

Fit<Mapping> mapNetwork(const MapNetwork &network, const Target &target,
                        const MappingOptions &options) {
  check(network);
  const Goal goal = goalOf(options.goal);
  const ChipModel model(target, options.timing, options.costs);
  const bool isFree =
      options.constraintsFile.empty() && options.mapFrom.empty();
  Fit<Mapping> mapping =
      (isFree ? choose : chooseUnder)(network, target, options, model);
  if (!mapping)
    return mapping;
  const std::string from = mapping->objective;
  if (mapping->order.empty())
    tellStory(network, target, model, goal, *mapping);
  else
    tellStory(permute(network, mapping->order, options.threads), target, model,
              goal, *mapping);
  mapping->objective += from;
  return mapping;
}

} // namespace neurite
