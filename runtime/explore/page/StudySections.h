// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a study's page, as markup, and the data of those that a
// reader can change.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYSECTIONS_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYSECTIONS_H

#include "runtime/explore/page/StudyView.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dendrolith::explore {

/// Points by state and the best by each objective, as cards.
std::string studyHeadline(const StudyView &view);
/// What was asked: models, chips, axes, objectives, constraints.
std::string studyScope(const StudyView &view);

/// How many points ended how, and why those that are not done are not.
std::string statesOf(const StudyView &view);

/// The points that are looked at closely: settings and values side by side, and
/// energy by event of each.
std::string chosenPoints(const StudyView &view);

/// A row for each point.
std::string pointTable(const StudyView &view);

/// {columns, settings, goals, names, units, points: [{id, state, reason,
/// settings, values, standing, events, layers, closed, fit}], chosen}; what is
/// long only of points that are on a front, chosen, or among the first.
nlohmann::ordered_json studyData(const StudyView &view);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYSECTIONS_H
