// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A study as its page shows it: what all of its sections have in common.

#ifndef DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYVIEW_H
#define DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYVIEW_H

#include "runtime/explore/analysis/Front.h"
#include "runtime/explore/analysis/Tornado.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct StudyView {
  StudyView(const Study &study, const std::vector<StoredPoint> &points);

  const Study &study;
  const std::vector<StoredPoint> &points;
  std::vector<std::string> columns; ///< that tell designs apart
  std::vector<Goal> goals;          ///< the objectives that some point has
  std::vector<Front> fronts;        ///< one for each task
  /// By goal, one for each model and target.
  std::vector<std::vector<Tornado>> tornados;
  /// How each point stands, where it is done and has all goals.
  std::vector<std::optional<FrontStatus>> statuses;
  /// Points shown with all that is known of them, without a reader's choice:
  /// the baseline, and for each goal the best that is certain.
  std::vector<size_t> chosen;
  std::optional<size_t> baseline;
};

/// A class of page.css for marks of points that stand so.
const char *styleOf(FrontStatus status);

/// What people call a point: "P17", and its settings.
std::string labelOf(const StudyView &view, size_t point);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_PAGE_STUDYVIEW_H
