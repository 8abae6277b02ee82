// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves and swaps of items between places, for partition, placement and the
// last touch on both: the three differ only in the distance of two places.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_LOCALSEARCH_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_LOCALSEARCH_H

#include "compiler/mapping/in_order/WireCosts.h"

#include <map>

namespace dendrolith {

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
  struct Move {
    double gain = 0;
    uint32_t item = 0, to = 0;
  };
  void put(uint32_t item, uint32_t to);
  void shift(Load &load, const Demand &demand, bool in);
  /// Whether `in` fits at `at` once `out`, which may be null, has left that
  /// place.
  bool fits(uint32_t core, const Demand &in, const Demand *out) const;
  /// What the item's messages cost if it were at `at`, and an item that it has
  /// messages with at `otherAt`.
  double wireNow(uint32_t item) { return wireAt(item, place[item]); }
  double wireAt(uint32_t item, uint32_t spot);
  double wireBeside(uint32_t item, uint32_t spot, uint32_t other,
                    uint32_t otherAt);
  /// Takes what `times` costs of an item take from the budget. They count where
  /// they are known, too, so that what a budget buys does not change.
  void spend(uint32_t item, uint64_t times);
  /// The largest work of any place once places a and b have workA and workB.
  double worst(uint32_t a, double workA, uint32_t b, double workB) const;
  /// The move of an item that fits and gains most, if that is more than `best`.
  void findMove(uint32_t item, Move &best);
  double swapGain(uint32_t a, uint32_t b);
  void rank();
  bool moveRound();
  bool swapRound();
  bool escapeOnce();
  /// Where an item can go: not to its own place, and without positions, where
  /// all empty places are the same, to the first of them alone.
  template <typename Visit> void forEachCandidate(uint32_t item, Visit visit);

  const SearchProblem &problem;
  std::vector<uint32_t> place;
  std::vector<Load> loads;
  WireCosts wires;
  std::vector<bool> joined; // by item, whether it has messages with `a`
  std::array<std::pair<double, uint32_t>, 3> busiest; // work, place
  uint64_t budget;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_LOCALSEARCH_H
