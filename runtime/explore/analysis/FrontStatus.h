// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which candidates are on a Pareto front, where their values are not known
// exactly.
//
// A world picks one number for every unknown, the same for all candidates, and
// decides each constraint that is left open. In a world a candidate that keeps
// its constraints is on the front unless another one that does is nowhere worse
// and somewhere better. A candidate is
//   Certain    on the front in every world,
//   Possible   in some worlds and not in others, or not decided here,
//   Dominated  in none, although it may keep its constraints,
//   Unmet      in none, as it keeps its constraints in none.
// Two candidates are compared by their differences (Unknowns.h):
//   Dominated: another, which certainly keeps its constraints, is in no world
//     worse in any value, and in each world better in one;
//   Certain: it certainly keeps its constraints, and no other that may keep its
//     own can be nowhere worse and somewhere better.
// Each goal is looked at by itself. So what two goals owe to one unknown, and
// what several others dominate only together, may stay Possible.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONTSTATUS_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONTSTATUS_H

#include "runtime/explore/analysis/Constraints.h"
#include "runtime/explore/analysis/Unknowns.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace dendrolith::explore {

enum class FrontStatus { Certain, Possible, Dominated, Unmet };
const char *nameOf(FrontStatus status);

struct Candidate {
  std::vector<Addends> losses; ///< less is better; as many as every other has
  Met met = Met::Certainly;
};

struct Dominance {
  FrontStatus status = FrontStatus::Certain;
  /// Only for a dominated candidate: one on the front that it loses to.
  std::optional<size_t> by;
};

/// In the order of the candidates.
std::vector<Dominance> dominanceOf(const std::vector<Candidate> &candidates);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONTSTATUS_H
