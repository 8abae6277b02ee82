// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which candidates are on a Pareto front, where their values are bands.
//
// A world picks one number from every band, and decides each constraint that
// the bands leave open. In a world a candidate that keeps its constraints is on
// the front unless another one that does is nowhere worse and somewhere better.
// A candidate is
//   Certain    on the front in every world,
//   Possible   in some worlds and not in others,
//   Dominated  in none, although it may keep its constraints,
//   Unmet      in none, as it keeps its constraints in none.
// Two worlds are enough to tell. The best for a candidate has its own low ends
// and the high ends of all others, of which only those compete that certainly
// keep their constraints; the worst is the opposite. So
//   Dominated: another, which certainly keeps its constraints, has high ends
//     that are nowhere above the candidate's low ones, and one that is below;
//   Certain: it certainly keeps its constraints, and no other that may keep its
//     own has low ends that are nowhere above the candidate's high ones, and
//     one below.
// Where bands are really tied to each other (the same unknown price in two
// candidates), there are fewer worlds: then Dominated and Certain stay true,
// and some Possible might be decided. For exact values it is the usual front.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONTSTATUS_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONTSTATUS_H

#include "runtime/explore/analysis/Constraints.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace dendrolith::explore {

enum class FrontStatus { Certain, Possible, Dominated, Unmet };
const char *nameOf(FrontStatus status);

struct Candidate {
  std::vector<Band> losses; ///< less is better; as many as every other has
  Met met = Met::Certainly;
};

struct Dominance {
  FrontStatus status = FrontStatus::Certain;
  /// Only for a dominated candidate: the first that it certainly loses to.
  std::optional<size_t> by;
  bool operator==(const Dominance &o) const {
    return status == o.status && by == o.by;
  }
};

/// In the order of the candidates.
std::vector<Dominance> dominanceOf(const std::vector<Candidate> &candidates);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONTSTATUS_H
