// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search has looked at already. A sweep over numbers of cores often ends
// with the same cut of the network for several of them, or with the same slices
// on the same cores.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H

#include "compiler/mapping/candidates/Arrangement.h"
#include "compiler/mapping/candidates/OnceMap.h"

#include <memory>
#include <tuple>

namespace dendrolith {

/// May be asked from several threads: which of them looks first at something
/// that two look at changes no answer.
class Looks {
public:
  explicit Looks(SpareThreads &threads)
      : arrangements(threads, kMostArrangements), places(threads) {}

  /// Where slices went, and what that is predicted to cost.
  struct Placed {
    Cores cores;
    Evaluation eval;
  };

  /// What the network in an order is if it is cut at these starts; null where
  /// that does not fit. make() finds it out.
  template <class Make>
  std::shared_ptr<const Arrangement>
  arrangement(const NeuronOrder &order, const Starts &starts, Make make) const {
    return arrangements.of(std::tie(order, starts), make);
  }

  /// What becomes of slices that are packed so.
  template <class Make>
  Placed placed(const NeuronOrder &order, const Starts &starts,
                const Cores &packed, Make make) const {
    return places.of(std::tie(order, starts, packed), make);
  }

private:
  // Neighbours in a sweep are those that are alike; all would take much memory.
  static constexpr size_t kMostArrangements = 4;

  mutable Once<std::tuple<NeuronOrder, Starts>,
               std::shared_ptr<const Arrangement>>
      arrangements;
  mutable Once<std::tuple<NeuronOrder, Starts, Cores>, Placed> places;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H
