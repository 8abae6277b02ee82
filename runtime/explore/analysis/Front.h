// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Pareto front of a study.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONT_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONT_H

#include "runtime/explore/analysis/FrontStatus.h"
#include "runtime/explore/analysis/Values.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

struct FrontPoint {
  size_t at = 0;            ///< which of the study's points
  std::vector<Band> values; ///< in the order of the goals
  Met met = Met::Certainly; ///< the constraints
  FrontStatus status = FrontStatus::Certain;
  std::optional<size_t> by; ///< a point on the front that dominates it
  /// The first point with the same values, whatever is unknown; it stands for
  /// this one in tables and pictures.
  std::optional<size_t> sameAs;
  size_t alike = 0; ///< how many points it stands for beside itself
};

struct Front {
  Task task;
  std::vector<Goal> goals;
  std::vector<FrontPoint> points; ///< all that are done, in the study's order
  size_t unknown = 0; ///< done, but without a value of a goal: left out
};

/// One for each task.
std::vector<Front> frontsOf(const Study &study,
                            const std::vector<StoredPoint> &points,
                            const std::vector<Goal> &goals);

/// What is on the fronts, certainly first, and how many points are not.
std::string textOf(const Study &study, const std::vector<StoredPoint> &points,
                   const std::vector<Front> &fronts);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_FRONT_H
