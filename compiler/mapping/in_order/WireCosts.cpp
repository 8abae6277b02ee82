// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/WireCosts.h"

#include "compiler/mapping/in_order/Solver.h"
#include "targets/mesh/Routing.h"

#include <cmath>
#include <map>

namespace dendrolith {

// Doubles that rows of all items may take; with more, only one row is there.
static constexpr size_t kMostKept = size_t(1) << 22;
// A row costs as much as so many single costs, or less.
static constexpr uint8_t kOften = 8;

WireCosts::WireCosts(const SearchProblem &problem,
                     const std::vector<uint32_t> &place)
    : problem(problem), place(place) {
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> known;
  for (uint32_t p = 0; p < problem.numPlaces; ++p) {
    if (problem.position.empty()) {
      spot.push_back(p);
      continue;
    }
    const TileXY at = problem.position[p];
    const auto [entry, isNew] =
        known.emplace(std::make_pair(at.x, at.y), uint32_t(known.size()));
    if (isNew) {
      x.push_back(double(at.x));
      y.push_back(double(at.y));
      toHost.push_back(problem.anchorDistance(p));
    }
    spot.push_back(entry->second);
  }
  spots = problem.position.empty() ? problem.numPlaces : x.size();
  keeps = spots * problem.numItems() <= kMostKept;
  rows.resize(keeps ? spots * problem.numItems() : spots);
  isMade.resize(problem.numItems());
  asked.resize(problem.numItems());
}

void WireCosts::fill(uint32_t item, double *const row) const {
  const double anchor = problem.anchor[item];
  if (x.empty()) {
    std::fill(row, row + spots, anchor * 0.0);
    for (const SearchProblem::Neighbour &n : problem.neighbours[item]) {
      const double here = row[place[n.item]];
      for (size_t s = 0; s < spots; ++s)
        row[s] += n.traffic;
      row[place[n.item]] = here;
    }
    return;
  }
  const double *const xs = x.data(), *const ys = y.data();
  for (size_t s = 0; s < spots; ++s)
    row[s] = anchor * toHost[s];
  for (const SearchProblem::Neighbour &n : problem.neighbours[item]) {
    const double traffic = n.traffic;
    const double atX = xs[spot[place[n.item]]], atY = ys[spot[place[n.item]]];
    for (size_t s = 0; s < spots; ++s)
      row[s] += traffic * (std::fabs(xs[s] - atX) + std::fabs(ys[s] - atY));
  }
}

const double *WireCosts::row(uint32_t item) {
  double *const row = rows.data() + (keeps ? item * spots : 0);
  if (!isMade[item]) {
    fill(item, row);
    if (!keeps && last < isMade.size())
      isMade[last] = false;
    last = item;
    isMade[item] = true;
    asked[item] = 0;
  }
  return row;
}

double WireCosts::at(uint32_t item, uint32_t where) {
  if (isMade[item] || (keeps && ++asked[item] >= kOften))
    return row(item)[spot[where]];
  return problem.wire(item, where, place);
}

void WireCosts::moved(uint32_t item) {
  for (const SearchProblem::Neighbour &n : problem.neighbours[item])
    isMade[n.item] = false;
}

/// A static function beside the member: the compiler may not inline a function
/// that the loader could replace.
static inline double between(const std::vector<TileXY> &position, uint32_t a,
                             uint32_t b) {
  if (position.empty())
    return a != b;
  return double(hopsBetween(position[a], position[b]).total());
}

double SearchProblem::distance(uint32_t a, uint32_t b) const {
  return between(position, a, b);
}

double SearchProblem::anchorDistance(uint32_t at) const {
  return position.empty() ? 0 : hostDistance(position[at]);
}

void SearchProblem::setTraffic(
    uint32_t items,
    const std::map<std::pair<uint32_t, uint32_t>, double> &pairs) {
  std::map<std::pair<uint32_t, uint32_t>, double> both;
  for (const auto &pair : pairs) {
    auto [a, b] = pair.first;
    if (a == b || pair.second == 0)
      continue;
    both[{a, b}] += pair.second;
    both[{b, a}] += pair.second;
  }
  neighbours.assign(items, {});
  for (const auto &pair : both)
    neighbours[pair.first.first].push_back({pair.first.second, pair.second});
}

double SearchProblem::wire(uint32_t item, uint32_t at,
                           const std::vector<uint32_t> &place, uint32_t other,
                           uint32_t otherAt) const {
  double sum = anchor[item] * anchorDistance(at);
  for (const Neighbour &n : neighbours[item])
    sum += n.traffic *
           between(position, at, n.item == other ? otherAt : place[n.item]);
  return sum;
}

} // namespace dendrolith
