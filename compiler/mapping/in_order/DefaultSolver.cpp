// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/DefaultSolver.h"
#include "compiler/mapping/in_order/BaselineSolvers.h"

#include "compiler/mapping/in_order/LocalSearch.h"

#include <numeric>
#include <set>

namespace dendrolith {

namespace {

/// The partition in the form of the search: messages between slices.
SearchProblem searchOf(const PartitionProblem &problem) {
  std::map<std::pair<uint32_t, uint32_t>, double> traffic;
  for (const Net &net : problem.nets)
    for (const Net::Pin &pin : net.pins)
      if (net.source != host)
        traffic[{net.source, pin.slice}] += net.rate * pin.messages;
  SearchProblem search;
  search.setTraffic(problem.numSlices, traffic);
  search.anchor.assign(problem.numSlices, 0);
  search.work = problem.work;
  search.demand = problem.demand;
  search.capacity = problem.capacity;
  search.numPlaces = problem.numCores;
  return search;
}

/// The placement in the form of the search: one core to a position.
SearchProblem searchOf(const PlacementProblem &problem) {
  SearchProblem search;
  uint32_t cores = uint32_t(boost::num_vertices(problem.graph));
  std::map<std::pair<uint32_t, uint32_t>, double> traffic;
  auto [begin, end] = boost::edges(problem.graph);
  for (auto e = begin; e != end; ++e)
    traffic[{uint32_t(boost::source(*e, problem.graph)),
             uint32_t(boost::target(*e, problem.graph))}] +=
        problem.graph[*e].messages;
  search.setTraffic(cores, traffic);
  search.anchor = problem.toHost;
  search.work.assign(cores, 0);
  Demand one;
  one.sums[NeuronSlots] = 1;
  search.demand.assign(cores, one);
  search.capacity.of[NeuronSlots] = 1;
  search.numPlaces = uint32_t(problem.positions.size());
  search.position = problem.positions;
  return search;
}

/// visit(item) for each item, always the one with the most traffic with those
/// before it and the outside (`start`), ties to the lower number.
template <class Visit>
void byTraffic(const SearchProblem &search, const std::vector<double> &start,
               Visit visit) {
  std::vector<double> pull = start;
  std::set<std::pair<double, uint32_t>> open; // (-pull, item)
  for (uint32_t item = 0; item < search.numItems(); ++item)
    open.insert({-pull[item], item});
  while (!open.empty()) {
    uint32_t item = open.begin()->second;
    open.erase(open.begin());
    visit(item);
    for (const SearchProblem::Neighbour &n : search.neighbours[item]) {
      auto found = open.find({-pull[n.item], n.item});
      if (found == open.end())
        continue;
      open.erase(found);
      pull[n.item] += n.traffic;
      open.insert({-pull[n.item], n.item});
    }
  }
}

/// Each slice to the core where it adds least to the cost; nothing when one
/// finds no room.
std::optional<PartitionProblem::Solution> grow(const PartitionProblem &problem,
                                               const SearchProblem &search) {
  PartitionProblem::Solution solution(problem.numSlices, host);
  std::vector<Demand> cores(problem.numCores);
  std::vector<double> work(problem.numCores, 0), near(problem.numCores, 0);
  double most = 0;
  uint32_t used = 0; // cores are opened in order
  bool fits = true;
  std::vector<double> none(problem.numSlices, 0);
  byTraffic(search, none, [&](uint32_t slice) {
    double total = 0;
    for (const SearchProblem::Neighbour &n : search.neighbours[slice])
      if (solution[n.item] != host) {
        near[solution[n.item]] += n.traffic;
        total += n.traffic;
      }
    uint32_t best = host;
    double least = 0;
    for (uint32_t c = 0; c < std::min(used + 1, problem.numCores); ++c) {
      double adds =
          total - near[c] + std::max(0.0, work[c] + problem.work[slice] - most);
      if ((best == host || adds < least) &&
          exceeded(cores[c], problem.demand[slice], problem.capacity) ==
              numResources) {
        best = c;
        least = adds;
      }
    }
    for (const SearchProblem::Neighbour &n : search.neighbours[slice])
      if (solution[n.item] != host)
        near[solution[n.item]] = 0;
    if (best == host) {
      fits = false;
      return;
    }
    solution[slice] = best;
    cores[best].add(problem.demand[slice]);
    work[best] += problem.work[slice];
    most = std::max(most, work[best]);
    used = std::max(used, best + 1);
  });
  if (!fits)
    return std::nullopt;
  return solution;
}

/// Each core to the position with room where it adds least, first the one with
/// most host traffic.
PlacementProblem::Solution growPlacement(const SearchProblem &search) {
  PlacementProblem::Solution solution(search.numItems(), host);
  std::vector<uint64_t> taken(search.numPlaces, 0);
  byTraffic(search, search.anchor, [&](uint32_t core) {
    uint32_t best = host;
    double least = 0;
    for (uint32_t p = 0; p < search.numPlaces; ++p) {
      if (taken[p] == search.capacity.of[NeuronSlots])
        continue;
      double adds = search.anchor[core] * search.anchorDistance(p);
      for (const SearchProblem::Neighbour &n : search.neighbours[core])
        if (solution[n.item] != host)
          adds += n.traffic * search.distance(p, solution[n.item]);
      if (best == host || adds < least) {
        best = p;
        least = adds;
      }
    }
    solution[core] = best;
    ++taken[best];
  });
  return solution;
}

/// Searches from a start; the better of it and `best` stays.
void improve(const SearchProblem &search, std::vector<uint32_t> start,
             uint64_t budget, std::optional<std::vector<uint32_t>> &best,
             double &cost) {
  LocalSearch local(search, std::move(start), budget);
  local.climb();
  local.escape();
  if (!best || local.cost() < cost) {
    best = local.places();
    cost = local.cost();
  }
}

/// The cores of one chip, as a problem of its own. They are where `items` says.
SearchProblem within(const SearchProblem &search,
                     const std::vector<uint32_t> &items, uint32_t first,
                     uint32_t places) {
  SearchProblem part;
  std::map<uint32_t, uint32_t> number;
  for (uint32_t i = 0; i < items.size(); ++i)
    number[items[i]] = i;
  part.capacity = search.capacity;
  part.numPlaces = places;
  part.position.assign(search.position.begin() + first,
                       search.position.begin() + first + places);
  for (uint32_t item : items) {
    part.neighbours.emplace_back();
    for (const SearchProblem::Neighbour &n : search.neighbours[item])
      if (auto found = number.find(n.item); found != number.end())
        part.neighbours.back().push_back({found->second, n.traffic});
    part.anchor.push_back(search.anchor[item]);
    part.work.push_back(0);
    part.demand.push_back(search.demand[item]);
  }
  return part;
}

/// On a board of chips: which cores share a chip, with the same objective and
/// chips for places, and then where each lies on its chip.
PlacementProblem::Solution chipsFirst(const SearchProblem &search,
                                      uint32_t perChip, uint64_t budget) {
  SearchProblem chips = search;
  chips.capacity.of[NeuronSlots] = perChip;
  chips.numPlaces = search.numPlaces / perChip;
  chips.position.clear();
  for (uint32_t chip = 0; chip < chips.numPlaces; ++chip)
    chips.position.push_back(search.position[chip * perChip]);
  std::optional<std::vector<uint32_t>> chipOf;
  double cost = 0;
  improve(chips, growPlacement(chips), budget, chipOf, cost);
  std::vector<std::vector<uint32_t>> held(chips.numPlaces);
  for (uint32_t core = 0; core < search.numItems(); ++core)
    held[(*chipOf)[core]].push_back(core);
  PlacementProblem::Solution solution(search.numItems(), host);
  for (uint32_t chip = 0; chip < chips.numPlaces; ++chip) {
    if (held[chip].empty())
      continue;
    const SearchProblem part =
        within(search, held[chip], chip * perChip, perChip);
    std::optional<std::vector<uint32_t>> places;
    improve(part, growPlacement(part), budget / chips.numPlaces, places, cost);
    for (uint32_t i = 0; i < held[chip].size(); ++i)
      solution[held[chip][i]] = chip * perChip + (*places)[i];
  }
  return solution;
}

} // namespace

std::optional<PartitionProblem::Solution>
DefaultSolver::partition(const PartitionProblem &problem) const {
  SearchProblem search = searchOf(problem);
  std::optional<PartitionProblem::Solution> best;
  double cost = 0;
  if (auto grown = grow(problem, search))
    improve(search, *grown, budget, best, cost);
  if (auto dealt = RoundRobinSolver().partition(problem))
    improve(search, *dealt, budget, best, cost);
  return best;
}

PlacementProblem::Solution
DefaultSolver::place(const PlacementProblem &problem) const {
  SearchProblem search = searchOf(problem);
  std::optional<PlacementProblem::Solution> best;
  double cost = 0;
  const uint32_t perChip = problem.perChip;
  const bool isBoard = perChip && perChip < search.numPlaces;
  improve(search,
          isBoard ? chipsFirst(search, perChip, budget) : growPlacement(search),
          budget, best, cost);
  improve(search, RoundRobinSolver().place(problem), budget, best, cost);
  return *best;
}

std::vector<uint32_t>
DefaultSolver::refine(const PartitionProblem &partition,
                      const PlacementProblem &slices,
                      std::vector<uint32_t> positions) const {
  // Slices are the items as in the partition; distances and host traffic are
  // those of the placement.
  SearchProblem search = searchOf(partition);
  search.anchor = slices.toHost;
  search.position = slices.positions;
  search.numPlaces = uint32_t(slices.positions.size());
  std::optional<std::vector<uint32_t>> best;
  double cost = 0;
  improve(search, std::move(positions), budget, best, cost);
  return *best;
}

} // namespace dendrolith
