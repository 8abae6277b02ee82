// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a local search gets: items, the messages between them, and places.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_SEARCHPROBLEM_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_SEARCHPROBLEM_H

#include "compiler/mapping/network/Demand.h"

#include <map>

namespace dendrolith {

/// Minimises sum traffic(a, b) x distance(place a, place b)
/// + sum anchor(a) x anchorDistance(place a) + largest work of a place.
struct SearchProblem {
  struct Neighbour {
    uint32_t item;
    double traffic; // both ways together
  };
  std::vector<std::vector<Neighbour>> neighbours; // by item, rising
  std::vector<double> anchor, work;               // by item
  std::vector<Demand> demand;                     // by item
  Capacity capacity;                              // of each place
  uint32_t numPlaces = 0;
  std::vector<TileXY> position; // by place; empty: 1 between any two places

  uint32_t numItems() const { return static_cast<uint32_t>(neighbours.size()); }
  /// What the messages of an item cost if it is at `at`, `other` at `otherAt`
  /// and all others where `place` says.
  double wire(uint32_t item, uint32_t at, const std::vector<uint32_t> &place,
              uint32_t other = ~uint32_t(0), uint32_t otherAt = 0) const;
  double distance(uint32_t a, uint32_t b) const;
  double anchorDistance(uint32_t place) const;
  /// Joins (a, b, traffic) triples into `neighbours`; a == b counts for none.
  void setTraffic(uint32_t items,
                  const std::map<std::pair<uint32_t, uint32_t>, double> &pairs);
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_SEARCHPROBLEM_H
