// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates that a search has evaluated already. A sweep over numbers of cores
// often ends with the same cut of the network for several of them, or with the
// same slices on the same cores.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H

#include "compiler/mapping/candidates/Arrangement.h"
#include "compiler/mapping/candidates/OnceMap.h"

#include <memory>
#include <tuple>

namespace dendrolith {

/// Several threads may ask at a time: which of two is first changes no answer.
class CandidateCache {
public:
  explicit CandidateCache(SpareThreads &threads)
      : arrangements(threads, kMostArrangements), places(threads) {}

  /// Where slices went, and what that is predicted to cost.
  struct PlacedCores {
    SliceCores cores;
    Evaluation eval;
  };

  /// The arrangement of the network in an order, cut at these starts; null
  /// where it does not fit. make() computes an answer that is not there.
  template <class Make>
  std::shared_ptr<const Arrangement> arrangement(const NeuronOrder &order,
                                                 const SliceStarts &starts,
                                                 Make make) const {
    return arrangements.of(std::tie(order, starts), make);
  }

  /// Where slices go that are packed so, and what that costs.
  template <class Make>
  PlacedCores placed(const NeuronOrder &order, const SliceStarts &starts,
                     const SliceCores &packed, Make make) const {
    return places.of(std::tie(order, starts, packed), make);
  }

private:
  // Neighbours in a sweep are those that are alike; all would take much memory.
  static constexpr size_t kMostArrangements = 4;

  mutable OnceMap<std::tuple<NeuronOrder, SliceStarts>,
                  std::shared_ptr<const Arrangement>>
      arrangements;
  mutable OnceMap<std::tuple<NeuronOrder, SliceStarts, SliceCores>, PlacedCores>
      places;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H
