// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/LocalSearch.h"

#include "compiler/mapping/result/SliceGraph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dendrolith {

LocalSearch::LocalSearch(const SearchProblem &problem,
                         std::vector<uint32_t> places, uint64_t budget)
    : problem(problem), place(std::move(places)), loads(problem.numPlaces),
      wires(problem, place), joined(place.size()), budget(budget) {
  for (uint32_t item = 0; item < place.size(); ++item) {
    shift(loads[place[item]], problem.demand[item], true);
    loads[place[item]].work += problem.work[item];
  }
  rank();
}

void LocalSearch::shift(Load &load, const Demand &demand, bool in) {
  for (int r = 0; r < numSums; ++r)
    load.sums[r] += in ? demand.sums[r] : uint64_t(0) - demand.sums[r];
  for (const Shared &entry : demand.shared) {
    uint32_t &count = load.shared[entry.id];
    // The sums above count it once per item, the place once in all.
    if (in && count++ > 0)
      takeFrom(load.sums, entry);
    else if (!in && --count > 0)
      addTo(load.sums, entry);
    if (count == 0)
      load.shared.erase(entry.id);
  }
  for (int s = 0; s < numSets; ++s)
    for (uint64_t member : demand.sets[s]) {
      if (in)
        ++load.sets[s][member];
      else if (--load.sets[s][member] == 0)
        load.sets[s].erase(member);
    }
}

void LocalSearch::put(uint32_t item, uint32_t to) {
  Load &left = loads[place[item]];
  shift(left, problem.demand[item], false);
  left.work -= problem.work[item];
  shift(loads[to], problem.demand[item], true);
  loads[to].work += problem.work[item];
  place[item] = to;
  wires.moved(item);
  rank();
}

void LocalSearch::rank() {
  busiest.fill({0, host});
  for (uint32_t p = 0; p < loads.size(); ++p) {
    std::pair<double, uint32_t> entry{loads[p].work, p};
    for (auto &slot : busiest)
      if (entry.first > slot.first)
        std::swap(entry, slot);
  }
}

bool LocalSearch::fits(uint32_t core, const Demand &in,
                       const Demand *out) const {
  const Load &load = loads[core];
  std::array<uint64_t, numSums> rest = load.sums, added = in.sums;
  for (int r = 0; out && r < numSums; ++r)
    rest[r] -= out->sums[r];
  auto has = [](const Demand *demand, const Shared &entry) {
    return demand && std::any_of(demand->shared.begin(), demand->shared.end(),
                                 [&](const Shared &other) {
                                   return other.id == entry.id;
                                 });
  };
  if (out)
    for (const Shared &entry : out->shared)
      if (load.shared.at(entry.id) > 1)
        addTo(rest, entry);
  for (const Shared &entry : in.shared) {
    auto held = load.shared.find(entry.id);
    if (held != load.shared.end() && held->second > has(out, entry))
      takeFrom(added, entry);
  }
  for (int r = 0; r < numSums; ++r) {
    uint64_t limit = problem.capacity.of[r];
    if (added[r] > limit || rest[r] > limit - added[r])
      return false;
  }
  for (int s = 0; s < numSets; ++s) {
    uint64_t limit = problem.capacity.of[numSums + s];
    if (limit == unlimited)
      continue;
    uint64_t size = load.sets[s].size();
    auto holds = [](const std::vector<uint64_t> &set, uint64_t member) {
      return std::binary_search(set.begin(), set.end(), member);
    };
    for (uint64_t member : in.sets[s])
      size += !load.sets[s].count(member);
    if (out)
      for (uint64_t member : out->sets[s])
        if (load.sets[s].at(member) == 1 && !holds(in.sets[s], member))
          --size;
    if (size > limit)
      return false;
  }
  return true;
}

void LocalSearch::spend(uint32_t item, uint64_t times) {
  budget -= std::min(budget, times * (problem.neighbours[item].size() + 1));
}

double LocalSearch::wireAt(uint32_t item, uint32_t spot) {
  spend(item, 1);
  return wires.at(item, spot);
}

double LocalSearch::wireBeside(uint32_t item, uint32_t spot, uint32_t other,
                               uint32_t otherAt) {
  spend(item, 1);
  return problem.wire(item, spot, place, other, otherAt);
}

double LocalSearch::worst(uint32_t a, double workA, uint32_t b,
                          double workB) const {
  double most = std::max(workA, workB);
  for (const auto &entry : busiest)
    if (entry.second != a && entry.second != b)
      most = std::max(most, entry.first);
  return most;
}

template <typename Visit>
void LocalSearch::forEachCandidate(uint32_t item, Visit visit) {
  bool emptySeen = false;
  for (uint32_t p = 0; p < problem.numPlaces; ++p) {
    if (p == place[item])
      continue;
    if (problem.position.empty() && loads[p].sums[NeuronSlots] == 0) {
      if (emptySeen)
        continue;
      emptySeen = true;
    }
    visit(p);
  }
}

void LocalSearch::findMove(uint32_t item, Move &best) {
  const uint32_t home = place[item];
  const double work = problem.work[item], *const costs = wires.row(item);
  const double now = costs[wires.spotOf(home)];
  uint64_t looked = 1;
  forEachCandidate(item, [&](uint32_t to) {
    ++looked;
    const double gain =
        now - costs[wires.spotOf(to)] + busiest[0].first -
        worst(home, loads[home].work - work, to, loads[to].work + work);
    if (gain > best.gain && fits(to, problem.demand[item], nullptr))
      best = {gain, item, to};
  });
  spend(item, looked);
}

double LocalSearch::swapGain(uint32_t a, uint32_t b) {
  uint32_t atA = place[a], atB = place[b];
  // Traffic between the two goes as far after the swap as before. It is in both
  // sums.
  double now = wireNow(a) + wireNow(b);
  double then = joined[b]
                    ? wireBeside(a, atB, b, atA) + wireBeside(b, atA, a, atB)
                    : wireAt(a, atB) + wireAt(b, atA);
  double change = problem.work[b] - problem.work[a];
  return now - then + busiest[0].first -
         worst(atA, loads[atA].work + change, atB, loads[atB].work - change);
}

bool LocalSearch::moveRound() {
  bool any = false;
  for (uint32_t item = 0; item < place.size() && budget > 0; ++item) {
    const double now = wires.row(item)[wires.spotOf(place[item])];
    Move best{1e-9 * (1 + now + busiest[0].first), item, place[item]};
    findMove(item, best);
    if (best.to == place[item])
      continue;
    put(item, best.to);
    any = true;
  }
  return any;
}

bool LocalSearch::swapRound() {
  bool any = false;
  for (uint32_t a = 0; a < place.size(); ++a) {
    joined.assign(place.size(), false);
    for (const SearchProblem::Neighbour &n : problem.neighbours[a])
      joined[n.item] = true;
    for (uint32_t b = a + 1; b < place.size() && budget > 0; ++b) {
      uint32_t atA = place[a], atB = place[b];
      if (atA == atB)
        continue;
      double gain = swapGain(a, b);
      double least = 1e-9 * (1 + busiest[0].first + std::abs(gain));
      const Demand &demandA = problem.demand[a], &demandB = problem.demand[b];
      if (gain <= least || !fits(atA, demandB, &demandA) ||
          !fits(atB, demandA, &demandB))
        continue;
      put(a, atB);
      put(b, atA);
      any = true;
    }
  }
  return any;
}

void LocalSearch::climb() {
  bool any = true;
  while (any && budget > 0) {
    any = moveRound();
    any |= swapRound();
  }
}

bool LocalSearch::escapeOnce() {
  std::vector<std::pair<uint32_t, uint32_t>> undo; // item, where it was
  std::vector<bool> locked(place.size(), false);
  double sum = 0, best = 1e-9 * (1 + cost());
  size_t keep = 0;
  constexpr size_t patience = 64; // losing moves before a pass is given up
  while (undo.size() < keep + patience && budget > 0) {
    Move chosen{-std::numeric_limits<double>::infinity(), host, 0};
    for (uint32_t item = 0; item < place.size() && budget > 0; ++item) {
      if (locked[item])
        continue;
      findMove(item, chosen);
    }
    if (chosen.item == host)
      break;
    undo.push_back({chosen.item, place[chosen.item]});
    locked[chosen.item] = true;
    put(chosen.item, chosen.to);
    sum += chosen.gain;
    if (sum > best) {
      best = sum;
      keep = undo.size();
    }
  }
  while (undo.size() > keep) {
    put(undo.back().first, undo.back().second);
    undo.pop_back();
  }
  return keep > 0;
}

void LocalSearch::escape() {
  while (budget > 0 && escapeOnce())
    climb();
}

double LocalSearch::cost() const {
  double sum = busiest[0].first;
  for (uint32_t item = 0; item < place.size(); ++item) {
    sum += problem.anchor[item] * problem.anchorDistance(place[item]);
    for (const SearchProblem::Neighbour &n : problem.neighbours[item])
      if (n.item > item)
        sum += n.traffic * problem.distance(place[item], place[n.item]);
  }
  return sum;
}

} // namespace dendrolith
