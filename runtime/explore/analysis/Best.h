// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best point by one value, of those that keep the constraints.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_BEST_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_BEST_H

#include "runtime/explore/analysis/Constraints.h"
#include "runtime/explore/analysis/Values.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct Best {
  Task task;
  Goal goal;
  /// Certainly keeps the constraints, and its worse end is the best of all that
  /// do: what is safe to choose. The first of equal ones.
  std::optional<size_t> safe;
  /// Others that may be better than it at some prices and areas, the same for
  /// both, and may keep the constraints. In the study's order.
  std::vector<size_t> rivals;
  /// How many keep the constraints.
  size_t certainly = 0, possibly = 0, no = 0;
};

/// One for each task. `extra` is asked for beside the study's own constraints.
std::vector<Best> bestOf(const Study &study,
                         const std::vector<StoredPoint> &points,
                         const Goal &goal,
                         const std::vector<Constraint> &extra);

std::string textOf(const Study &study, const std::vector<StoredPoint> &points,
                   const std::vector<Best> &best);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_BEST_H
