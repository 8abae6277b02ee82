// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the messages of an item cost at each place, for all places at once: most
// of what a local search asks for.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_WIRECOSTS_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_WIRECOSTS_H

#include "compiler/mapping/network/Demand.h"

#include <map>

namespace dendrolith {

// What a local search gets: items, the messages between them, and places.

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

/// Sums are made as SearchProblem::wire() makes them, neighbour by neighbour,
/// so that they are the same to the bit. Places of one position have one cost,
/// and costs of an item stay known until one of its neighbours moves.
class WireCosts {
public:
  /// `place` says where each item is; both outlive this.
  WireCosts(const SearchProblem &problem, const std::vector<uint32_t> &place);

  /// The costs of an item by position, for spotOf(). Valid until the next call
  /// or move.
  const double *row(uint32_t item);
  /// The cost at one place. A row that is asked for often is made.
  double at(uint32_t item, uint32_t place);
  uint32_t spotOf(uint32_t place) const { return spot[place]; }
  /// Tells that an item has moved.
  void moved(uint32_t item);

private:
  void fill(uint32_t item, double *row) const;

  const SearchProblem &problem;
  const std::vector<uint32_t> &place;
  std::vector<uint32_t> spot; // by place
  // By spot; none without positions.
  std::vector<double> x, y, toHost;
  size_t spots = 0;             // of different positions
  bool keeps = false;           // a row for each item, else for the last one
  std::vector<double> rows;     // by item, spot
  uint32_t last = ~uint32_t(0); // whose row was made last
  std::vector<uint8_t> isMade;  // by item
  std::vector<uint8_t> asked;   // by item, since it was made no longer
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_WIRECOSTS_H
