// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Best.h"

#include "runtime/explore/analysis/Unknowns.h"

#include <fmt/format.h>

namespace dendrolith::explore {
namespace {

// More rivals than this are counted; --table lists all.
constexpr size_t kShown = 10;

struct Contender {
  size_t at;
  double worse; ///< its worse end, as a loss
  Addends value;
};

/// Whether `a` may be better than `b`, which has the same unknowns.
bool mayBeBetter(const Addends &a, const Addends &b, bool large) {
  const Band more = differenceOf(b, a);
  return large ? more.high > 0 : more.low < 0;
}

Best bestIn(const Study &study, const std::vector<StoredPoint> &points,
            const Goal &goal, const std::vector<Constraint> &extra,
            const Task &task) {
  Best best;
  best.task = task;
  best.goal = goal;
  std::vector<Contender> all;
  std::optional<size_t> safe; // of `all`
  Unknowns unknowns(study);
  for (size_t at = 0; at < points.size(); ++at) {
    const Point &point = points[at].point;
    const auto value = valueOf(point, goal.name);
    if (point.state != PointState::Done || !value || !task.has(point.design))
      continue;
    std::vector<Constraint> asked = constraintsFor(study, point.design.model);
    asked.insert(asked.end(), extra.begin(), extra.end());
    const Met met = metBy(point, asked);
    ++(met == Met::Certainly  ? best.certainly
       : met == Met::Possibly ? best.possibly
                              : best.no);
    if (met == Met::No)
      continue;
    all.push_back({at, goal.max ? -value->low : value->high,
                   *unknowns.addendsOf(point, goal.name)});
    if (met == Met::Certainly && (!safe || all.back().worse < all[*safe].worse))
      safe = all.size() - 1;
  }
  if (safe)
    best.safe = all[*safe].at;
  for (size_t i = 0; i < all.size(); ++i)
    if (i != safe &&
        (!safe || mayBeBetter(all[i].value, all[*safe].value, goal.max)))
      best.rivals.push_back(all[i].at);
  return best;
}

std::string lineOf(const Study &study, const StoredPoint &point,
                   const std::string &name) {
  std::string text = fmt::format("{}: {} {}", idOf(point), name,
                                 bandText(*valueOf(point.point, name), name));
  for (const std::string &column : columnsOf(study))
    text +=
        fmt::format(", {} {}", column, settingOf(point.point.design, column));
  return text + "\n";
}

} // namespace

std::vector<Best> bestOf(const Study &study,
                         const std::vector<StoredPoint> &points,
                         const Goal &goal,
                         const std::vector<Constraint> &extra) {
  std::vector<Best> all;
  for (const Task &task : tasksOf(study))
    all.push_back(bestIn(study, points, goal, extra, task));
  return all;
}

std::string textOf(const Study &study, const std::vector<StoredPoint> &points,
                   const std::vector<Best> &all) {
  std::string text;
  for (const Best &best : all) {
    const std::string &name = best.goal.name;
    text +=
        fmt::format("{}{} {}: {} points keep the constraints, {} possibly "
                    "do, {} do not\n",
                    titleOf(best.task), best.goal.max ? "largest" : "smallest",
                    name, best.certainly, best.possibly, best.no);
    if (best.safe)
      text +=
          (best.rivals.empty() ? "  certainly best  " : "  safe to choose  ") +
          lineOf(study, points[*best.safe], name);
    else
      text += "  no point certainly keeps the constraints\n";
    for (size_t i = 0; i < best.rivals.size() && i < kShown; ++i)
      text +=
          "  may be better   " + lineOf(study, points[best.rivals[i]], name);
    if (best.rivals.size() > kShown)
      text += fmt::format("  and {} others may be better\n",
                          best.rivals.size() - kShown);
    if (best.safe && !best.rivals.empty())
      text += "  undecided: it depends on prices or areas that are not known; "
              "--diff compares two\n";
  }
  return text;
}

} // namespace dendrolith::explore
