// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/StudyView.h"

#include "runtime/explore/analysis/Best.h"

#include <algorithm>

namespace dendrolith::explore {

static bool isKnown(const std::vector<StoredPoint> &points,
                    const std::string &name) {
  return std::any_of(points.begin(), points.end(),
                     [&](const StoredPoint &stored) {
                       return stored.point.state == PointState::Done &&
                              valueOf(stored.point, name);
                     });
}

StudyView::StudyView(const Study &study, const std::vector<StoredPoint> &points)
    : study(study), points(points), columns(columnsOf(study)),
      statuses(points.size()) {
  // A study that has just begun may have no point with a value.
  for (const Goal &goal : study.objectives)
    if (isKnown(points, goal.name))
      goals.push_back(goal);
  if (goals.empty())
    return;
  fronts = frontsOf(study, points, goals);
  for (const Front &front : fronts)
    for (const FrontPoint &point : front.points)
      statuses[point.at] = point.status;
  auto choose = [&](size_t at) {
    if (std::find(chosen.begin(), chosen.end(), at) == chosen.end())
      chosen.push_back(at);
  };
  for (const Goal &goal : goals) {
    tornados.push_back(tornadosOf(study, points, goal.name));
    for (const Tornado &tornado : tornados.back())
      if (tornado.baseline &&
          points[*tornado.baseline].point.state == PointState::Done) {
        if (!baseline)
          baseline = tornado.baseline;
        choose(*tornado.baseline);
      }
  }
  for (const Goal &goal : goals)
    for (const Best &best : bestOf(study, points, goal, {}))
      if (best.safe)
        choose(*best.safe);
}

const char *styleOf(FrontStatus status) {
  return status == FrontStatus::Unmet ? "unmet" : nameOf(status);
}

std::string labelOf(const StudyView &view, size_t point) {
  const StoredPoint &stored = view.points[point];
  std::string out = idOf(stored);
  const char *separator = ": ";
  for (const std::string &column : view.columns) {
    out += separator + column + " = " + settingOf(stored.point.design, column);
    separator = ", ";
  }
  return out;
}

} // namespace dendrolith::explore
