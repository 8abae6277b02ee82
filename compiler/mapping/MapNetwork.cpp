// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/MapNetwork.h"

#include "compiler/mapping/candidates/Search.h"
#include "compiler/mapping/candidates/Tiles.h"
#include "compiler/mapping/constraints/Adjust.h"
#include "compiler/mapping/constraints/CheckConstraints.h"
#include "compiler/mapping/constraints/Constraints.h"
#include "compiler/mapping/constraints/ConstraintsFile.h"
#include "compiler/mapping/constraints/EarlierMapping.h"
#include "compiler/mapping/constraints/PlacementFile.h"
#include "compiler/mapping/constraints/VerifyConstraints.h"
#include "compiler/mapping/explain/Explain.h"
#include "compiler/mapping/in_order/InOrder.h"
#include "compiler/mapping/in_order/Spread.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/network/Permute.h"
#include "compiler/mapping/objective/ChipModel.h"
#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/Fans.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Gather.h"
#include "compiler/mapping/result/Mapping.h"
#include "compiler/mapping/result/Misfits.h"
#include "compiler/mapping/result/Verify.h"
#include "runtime/host/SpareThreads.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dendrolith {

namespace {

/// The better of two searches' mappings once it keeps the constraints, which
/// count in the neurons of `network`.
Fit<Mapping> searchUnder(const MapNetwork &network, const Target &target,
                         const MappingOptions &options, const ChipModel &model,
                         const Constraints &constraints) {
  const std::vector<bool> dead = constraints.forbiddenCores(target);
  const auto open = uint32_t(std::count(dead.begin(), dead.end(), false));
  MappingOptions within = options;
  within.maxCores = std::min(options.maxCores ? options.maxCores : open, open);
  // The network counts in the model's numbers here.
  within.numbers.clear();
  const Target room = withoutReserves(target, constraints);
  Fit<Mapping> fewest =
      mapInOrder(network, room, findSolver("default"), options.minCores);
  std::vector<Beginning> beginnings;
  auto beginWith = [&](Mapping &mapping, const char *how) {
    beginnings.push_back(
        {coresOf(network, mapping.slices, mapping.order), 0, how});
  };
  if (fewest)
    beginWith(*fewest, "few cores, then constraints");
  Fit<Mapping> best =
      searchMapping(network, room, within, model, std::move(fewest));
  if (!best && beginnings.empty()) {
    if (constraints.reserves.empty())
      return best;
    Misfit misfit = best.misfit();
    misfit.message += fmt::format("; '{}' reserves some of what a core has",
                                  options.constraintsFile);
    return misfit;
  }
  std::string cutShort;
  if (best) {
    cutShort = best->cutShort;
    beginWith(*best, "search, then constraints");
  }
  std::optional<Fit<Mapping>> found;
  for (const Beginning &beginning : beginnings) {
    Fit<Mapping> next =
        adjust(network, target, options, model, constraints, beginning);
    if (!found || !*found || (next && next->cost < (*found)->cost))
      found = std::move(next);
  }
  if (*found)
    (*found)->cutShort = cutShort;
  return std::move(*found);
}

/// From the mapping that options.mapFrom names; the objective says how many
/// neurons moved.
Fit<Mapping> searchFrom(const MapNetwork &network, const Target &target,
                        const MappingOptions &options, const ChipModel &model,
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

/// Where nothing else was found, feature maps in tiles may fit.
Fit<Mapping> orInTiles(Fit<Mapping> found, const MapNetwork &network,
                       const Target &target, const Solver &solver,
                       const MappingOptions &options) {
  if (found || found.misfit().bound > target.numCores() ||
      !hasFeatureMaps(network))
    return found;
  SliceStarts cuts;
  const NeuronOrder order = orderInFewestTiles(network, target, cuts);
  MapNetwork tiled = permute(network, order, options.threads);
  for (size_t p = 0; p < cuts.size(); ++p)
    if (!cuts[p].empty())
      tiled.populations[p].cuts = std::move(cuts[p]);
  Fit<Mapping> again = mapInOrder(tiled, target, solver, options.minCores);
  if (again) {
    again->order = order;
    return again;
  }
  Misfit misfit = found.misfit();
  const std::string inTiles =
      "; with feature maps in tiles: " + again.misfit().clause();
  misfit.message += inTiles;
  if (!misfit.brief.empty())
    misfit.brief += inTiles;
  return misfit;
}

/// The network in the order of a mapping, where one was made to verify it: that
/// of a large network takes a while.
using InOrder = std::optional<Reordered>;

/// Slices from a placement file or from the model; `place` begins a message
/// about them.
Fit<Mapping> mappedAsPlaced(const MapNetwork &given, const Target &target,
                            const std::string &solver, Placement placement,
                            const std::string &place, unsigned threads,
                            InOrder &inOrder) {
  inOrder.emplace(given, placement.order, threads);
  const MapNetwork &network = **inOrder;
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
          "'{}' has {} cores ({}); solver: default of --tuning places it anew",
          network.populations[range.population].name, range.core, target.name,
          target.numCores(), target.mesh.place));
  return gather(network, options.model);
}

const Solver &solverOf(const MappingOptions &options) {
  return findSolver(options.solver.empty() ? "default" : options.solver);
}

bool searches(const MappingOptions &options) {
  return options.placementFile.empty() && solverOf(options).searches();
}

} // namespace

/// As options ask for it, without the report.
static Fit<Mapping> choose(const MapNetwork &network, const Target &target,
                           const MappingOptions &options,
                           const ChipModel &model, InOrder &inOrder) {
  const Solver &solver = solverOf(options);
  if (!options.placementFile.empty()) {
    if (options.minCores || options.maxCores)
      throw Error(fmt::format(
          "at {} {} cores are asked for, but '{}' says where everything lies; "
          "leave out one of them",
          options.minCores ? "least" : "most",
          options.minCores ? options.minCores : options.maxCores,
          options.placementFile));
    return mappedAsPlaced(
        network, target, "placement file",
        gather(network,
               parsePlacement(network, target,
                              readPlacementFile(options.placementFile),
                              options.placementFile),
               options.numbers),
        options.placementFile, options.threads, inOrder);
  }
  // Where there is but one core, there is nothing to place.
  if (!options.model.empty() && options.solver.empty() &&
      options.goal.empty() && !options.minCores && !options.maxCores &&
      target.numCores() > 1)
    return mappedAsPlaced(network, target, "placement of the model",
                          placementOfModel(network, target, options),
                          "placement of the model", options.threads, inOrder);
  if (auto misfit =
          spreadMisfit(network, target, options.minCores, options.maxCores))
    return std::move(*misfit);
  if (!solver.searches()) {
    Fit<Mapping> mapping =
        orInTiles(mapInOrder(network, target, solver, options.minCores),
                  network, target, solver, options);
    const uint64_t cores =
        mapping ? coresUsed(cutsOf(network, mapping->slices).cores) : 0;
    if (options.maxCores && cores > options.maxCores)
      return tooFewAllowed(target, options.maxCores, cores);
    return mapping;
  }
  return orInTiles(
      searchMapping(network, target, options, model,
                    mapInOrder(network, target, solver, options.minCores)),
      network, target, solver, options);
}

/// As choose(), with a file of constraints or with an earlier mapping.
static Fit<Mapping> chooseUnder(const MapNetwork &network, const Target &target,
                                const MappingOptions &options,
                                const ChipModel &model, InOrder &inOrder) {
  Constraints constraints;
  if (!options.constraintsFile.empty()) {
    constraints = parseConstraints(network, target,
                                   readPlacementFile(options.constraintsFile),
                                   options.constraintsFile);
    check(constraints, network, target);
  }
  const bool isPlaced = !options.placementFile.empty();
  if (!searches(options)) {
    if (!options.mapFrom.empty())
      throw Error(fmt::format(
          "'{}' is a mapping to start from, but {} '{}' does not search; leave "
          "out one of them",
          options.mapFrom, isPlaced ? "placement file" : "solver",
          isPlaced ? options.placementFile : options.solver));
    Fit<Mapping> mapping = choose(network, target, options, model, inOrder);
    if (mapping && !inOrder)
      inOrder.emplace(network, mapping->order, options.threads);
    if (mapping)
      verify(constraints, **inOrder, target, mapping->slices,
             compose(options.numbers, mapping->order));
    return mapping;
  }
  if (auto misfit =
          spreadMisfit(network, target, options.minCores, options.maxCores))
    return std::move(*misfit);
  // Files count in the model's numbers, so neurons are put into their order.
  const NeuronOrder byNumber = invert(options.numbers);
  const Reordered ofModel(network, byNumber, options.threads);
  auto search = options.mapFrom.empty() ? searchUnder : searchFrom;
  Fit<Mapping> mapping = search(*ofModel, target, options, model, constraints);
  if (mapping)
    mapping->order = compose(byNumber, mapping->order);
  return mapping;
}

/// Tells a watcher that a search begins, and when and how it has ended.
class Watched {
public:
  /// `control` may be null.
  explicit Watched(const SearchControl *control) : control(control) {
    if (control && control->onBegin)
      control->onBegin();
    if (control && control->onProgress)
      control->onProgress({"as few cores as fit"});
  }
  ~Watched() {
    if (control && control->onEnd)
      control->onEnd(cutShort);
  }
  Watched(const Watched &) = delete;
  Watched &operator=(const Watched &) = delete;

  std::string cutShort;

private:
  const SearchControl *control;
};

Target skippingZeros(Target target) {
  target.synapses.skipsZeros = true;
  return target;
}

Fit<Mapping> mapNetwork(const MapNetwork &network, const Target &target,
                        const MappingOptions &options) {
  check(network);
  const Goal goal = goalOf(options.goal);
  const ChipModel model(target, options.timing, options.costs);
  const Target sparing = skippingZeros(target);
  Watched watched(searches(options) ? options.control.get() : nullptr);
  const bool isFree =
      options.constraintsFile.empty() && options.mapFrom.empty();
  InOrder inOrder;
  auto find = [&](const Target &target, const MappingOptions &options) {
    return (isFree ? choose : chooseUnder)(network, target, options, model,
                                           inOrder);
  };
  // Zeros cost a core time and energy, and leaving them out takes memory.
  auto findEither = [&](const MappingOptions &options) {
    Fit<Mapping> mapping =
        find(goal == Goal::Cores ? target : sparing, options);
    if (mapping)
      mapping->skipsZeros = goal != Goal::Cores;
    else if (goal != Goal::Cores)
      mapping = find(target, options);
    return mapping;
  };
  Fit<Mapping> mapping = findEither(options);
  // Few entries for other cores are enough where there are few other cores.
  if (!mapping && mapping.misfit().resource == kOutAxonsOfNeuron &&
      searches(options) && !options.minCores) {
    MappingOptions fewest = options;
    fewest.maxCores = uint32_t(lowerBounds(network, target).cores());
    if (!options.maxCores || fewest.maxCores < options.maxCores)
      if (Fit<Mapping> onFewest = findEither(fewest))
        mapping = std::move(onFewest);
  }
  if (!mapping)
    return mapping;
  if (!inOrder)
    inOrder.emplace(network, mapping->order, options.threads);
  const MapNetwork &mapped = **inOrder;
  if (!mapping->skipsZeros)
    if (auto fit = verify(mapped, sparing, mapping->slices)) {
      mapping->skipsZeros = true;
      mapping->fit = std::move(*fit);
    }
  const Target &stored = mapping->skipsZeros ? sparing : target;
  const std::string from = mapping->objective;
  explainMapping(mapped, stored, model, goal, *options.sharedThreads(),
                 *mapping);
  mapping->objective += from;
  if (!mapping->skipsZeros)
    mapping->objective +=
        "; lists are stored with zeros, because memory is short";
  if (options.control && options.control->reweighing)
    mapping->objective += "; times as the cycle engine took them";
  watched.cutShort = mapping->cutShort;
  if (!mapping->cutShort.empty())
    mapping->objective += "; " + mapping->cutShort;
  return mapping;
}

} // namespace dendrolith
