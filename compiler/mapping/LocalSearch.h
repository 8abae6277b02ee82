// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves and swaps of items between places, for partition, placement and the
// last touch on both: the three differ only in the distance of two places.

#ifndef NEURITE_COMPILER_MAPPING_LOCALSEARCH_H
#define NEURITE_COMPILER_MAPPING_LOCALSEARCH_H

#include "compiler/mapping/Demand.h"

#include <map>

namespace neurite {

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
  double distance(uint32_t a, uint32_t b) const;
  double anchorDistance(uint32_t place) const;
  /// Joins (a, b, traffic) triples into `neighbours`; a == b counts for none.
  void setTraffic(uint32_t items,
                  const std::map<std::pair<uint32_t, uint32_t>, double> &pairs);
};

/// A feasible assignment that only gets better. Deterministic: candidates are
/// tried in order of ids and the first of equals wins. Work is bounded by
/// `budget`, counted in distances looked up.
class LocalSearch {
public:
  LocalSearch(const SearchProblem &problem, std::vector<uint32_t> places,
              uint64_t budget);

  /// Moves and swaps items as long as that lowers the cost.
  void climb();
  /// Makes passes in the manner of Fiduccia and Mattheyses (DAC 1982): each
  /// item moves once, even at a loss, and the best prefix stays.
  void escape();

  const std::vector<uint32_t> &places() const { return place; }
  double cost() const;

private:
  struct Load {
    std::array<uint64_t, numSums> sums{};
    std::map<uint64_t, uint32_t> shared;                    // id, count
    std::array<std::map<uint64_t, uint32_t>, numSets> sets; // member, count
    double work = 0;
  };
  struct Known {
    uint64_t moves = UINT64_MAX; // when this was the cost
    double cost = 0;
  };
  struct Move {
    double gain = 0;
    uint32_t item = 0, to = 0;
  };
  void put(uint32_t item, uint32_t to);
  void shift(Load &load, const Demand &demand, bool in);
  /// Whether `in` fits at `at` once `out`, which may be null, has left that
  /// place.
  bool fits(uint32_t at, const Demand &in, const Demand *out) const;
  /// What the item's messages cost if it were at `at` and the item `other` were
  /// at `otherAt`.
  double wire(uint32_t item, uint32_t at, uint32_t other, uint32_t otherAt);
  /// The same where everything is as it is, which is asked for more often than
  /// something moves.
  double wireNow(uint32_t item);
  /// The largest work of any place once places a and b have workA and workB.
  double worst(uint32_t a, double workA, uint32_t b, double workB) const;
  double moveGain(uint32_t item, uint32_t to, double now);
  double swapGain(uint32_t a, uint32_t b);
  void rank();
  bool moveRound();
  bool swapRound();
  bool escapeOnce();
  const std::vector<uint32_t> &candidates(uint32_t item);

  const SearchProblem &problem;
  std::vector<uint32_t> place;
  std::vector<Load> loads;
  std::vector<Known> known;                           // wireNow(), by item
  uint64_t moves = 0;                                 // so far
  std::array<std::pair<double, uint32_t>, 3> busiest; // work, place
  std::vector<uint32_t> tried;
  uint64_t budget;
};

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_LOCALSEARCH_H
