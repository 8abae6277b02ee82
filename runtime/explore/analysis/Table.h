// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All points of a study, a row for each.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_TABLE_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_TABLE_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

/// For people: bands with units, and no column that is empty everywhere.
std::string tableOf(const Study &study, const std::vector<StoredPoint> &points);

/// For programs: id, state, reason and the columns that tell designs apart.
/// Then score to reused, as the study's page lists them; behind those area.low,
/// area.high and what else the study minimises or bounds. A number has all its
/// digits, and what is not known is an empty cell. `area` is the middle of its
/// band, `reused` the stages that were not run anew, or "all".
std::string csvOf(const Study &study, const std::vector<StoredPoint> &points);

/// A row of cells, those with commas, quotes or lines in quotes.
std::string csvLine(const std::vector<std::string> &cells);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_TABLE_H
