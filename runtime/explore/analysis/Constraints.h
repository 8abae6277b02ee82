// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a point keeps what a study asks for, where what is known of it are
// bands.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_CONSTRAINTS_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_CONSTRAINTS_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <vector>

namespace dendrolith::explore {

/// No: at no number within the bands. Possibly: at some; also where the value
/// is not known at all. Certainly: at each.
enum class Met { No, Possibly, Certainly };
const char *nameOf(Met met);

/// Throws Error for a comparison that is none of < <= > >= == !=.
Met metBy(const Point &point, const Constraint &constraint);
/// All of them: as little as the least certain one. A point that is not done
/// meets nothing.
Met metBy(const Point &point, const std::vector<Constraint> &constraints);

/// The study's constraints, and the least values that it has for the model.
std::vector<Constraint> constraintsFor(const Study &study,
                                       const std::string &model);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_CONSTRAINTS_H
