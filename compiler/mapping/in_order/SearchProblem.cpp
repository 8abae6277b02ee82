// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/SearchProblem.h"

#include "compiler/mapping/in_order/PlacementProblem.h"
#include "targets/mesh/Routing.h"

namespace dendrolith {

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
