// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Polish.h"
#include "compiler/mapping/in_order/DefaultSolver.h"

#include "compiler/mapping/in_order/LocalSearch.h"
#include "compiler/mapping/in_order/Solver.h"

#include <algorithm>

namespace dendrolith {

SliceCores placeOnMesh(const Arrangement &arrangement,
                       const std::vector<uint32_t> &partition,
                       const Target &target, uint64_t budget) {
  uint32_t logical = 0;
  for (uint32_t core : partition)
    logical = std::max(logical, core + 1);
  PlacementProblem problem(arrangement.graph, partition, logical,
                           usablePositions(target, logical));
  problem.putOn(target);
  problem.check();
  PlacementProblem::Solution places = DefaultSolver(budget).place(problem);
  problem.verify(places);
  SliceCores cores;
  for (uint32_t core : partition)
    cores.push_back(places[core]);
  return cores;
}

namespace {

/// How much of the goal a message-hop and a ps of the busiest core are.
struct Weights {
  double hop = 0, work = 0;
};

Weights weightsOf(const Evaluation &now, const ChipModel &model, Goal goal) {
  const bool energy = model.priced && goal != Goal::Time;
  const bool time = !model.priced || goal != Goal::Energy;
  Weights weights;
  if (energy) {
    weights.hop = (model.prices.hopEw + model.prices.hopNs) / 2 /
                  std::max(now.energyPj(), 1e-9);
    weights.work =
        model.prices.staticMilliwatts * 1e-3 / std::max(now.energyPj(), 1e-9);
  }
  if (time)
    weights.work += 1 / std::max(now.stepPs, 1e-9);
  // Ways are short beside updates, but among equals the shorter one is better.
  weights.hop += 0.02 / std::max(now.hopsEw + now.hopsNs + now.crossings, 1.0);
  return weights;
}

SearchProblem searchOfArrangement(const Arrangement &arrangement,
                                  const Target &target, const Weights &weights,
                                  std::vector<TileXY> places) {
  const StepGraph &steps = arrangement.steps;
  const auto slices = uint32_t(steps.numSlices());
  SearchProblem search;
  std::map<std::pair<uint32_t, uint32_t>, double> traffic;
  search.anchor.assign(slices, 0);
  for (const StepGraph::Flow &flow : steps.flows) {
    double messages = 0;
    for (uint32_t s = 0; s < steps.steps; ++s)
      messages += double(steps.messages[flow.at + s]);
    messages *= weights.hop / steps.steps;
    if (flow.from == host)
      search.anchor[flow.to] += messages;
    else if (flow.to == host)
      search.anchor[flow.from] += messages;
    else
      traffic[{flow.from, flow.to}] += messages;
  }
  search.setTraffic(slices, traffic);
  for (uint32_t s = 0; s < slices; ++s)
    search.work.push_back(arrangement.workOf(s) * weights.work);
  search.demand = arrangement.graph.demand;
  search.capacity = Capacity(target);
  search.numPlaces = uint32_t(places.size());
  search.position = std::move(places);
  return search;
}

} // namespace

SliceCores polish(const Arrangement &arrangement, const SliceCores &cores,
                  const Evaluation &now, const Target &target,
                  const ChipModel &model, Goal goal, uint64_t budget) {
  SearchProblem search =
      searchOfArrangement(arrangement, target, weightsOf(now, model, goal),
                          usablePositions(target, cores.size()));
  LocalSearch local(search, cores, budget);
  local.climb();
  local.escape();
  return local.places();
}

} // namespace dendrolith
