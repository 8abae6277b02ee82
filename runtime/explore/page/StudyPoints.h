// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a study as markup, and as the data of what a reader can change.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYPOINTS_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYPOINTS_H

#include "runtime/explore/page/StudyView.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::explore {

/// The points that are looked at closely: settings and values side by side, and
/// energy by event of each.
std::string chosenPoints(const StudyView &view);

/// A row for each point.
std::string pointTable(const StudyView &view);

/// Says so where not all points are in the page; else nothing.
std::string shownNote(const StudyView &view);

/// {columns, settings, goals, names, units, points: [{id, state, reason,
/// settings, values, status, events, layers, closed, fit}], chosen}; what is
/// long only of points that are on a front, chosen, or among the first. Of very
/// many points a part.
nlohmann::ordered_json studyData(const StudyView &view);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYPOINTS_H
