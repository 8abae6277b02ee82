// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the points of a study say, for programs. Values are [low, high], points
// go by their ids ("P17"), and what is not known is null.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_VIEWSJSON_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_VIEWSJSON_H

#include "runtime/explore/analysis/Best.h"
#include "runtime/explore/analysis/Compare.h"
#include "runtime/explore/analysis/Front.h"
#include "runtime/explore/analysis/Tornado.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::explore {

/// How many points are in each state, and how many designs are to be measured.
nlohmann::ordered_json statusJson(const std::vector<StoredPoint> &points,
                                  uint64_t left);
/// A row for each point: its design, state, reason and values.
nlohmann::ordered_json pointsJson(const Study &study,
                                  const std::vector<StoredPoint> &points);
/// The points that are certainly or possibly on each front; one for each set of
/// equal values, with those that it stands for.
nlohmann::ordered_json frontsJson(const std::vector<StoredPoint> &points,
                                  const std::vector<Front> &fronts);
nlohmann::ordered_json bestJson(const std::vector<StoredPoint> &points,
                                const std::vector<Best> &all);
nlohmann::ordered_json tornadosJson(const std::vector<StoredPoint> &points,
                                    const std::vector<Tornado> &tornados);
nlohmann::ordered_json comparisonJson(const StoredPoint &a,
                                      const StoredPoint &b,
                                      const Comparison &comparison);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_VIEWSJSON_H
