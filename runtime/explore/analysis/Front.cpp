// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Front.h"

#include "runtime/explore/analysis/Compare.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::explore {
namespace {

Band lossOf(const Band &value, const Goal &goal) {
  return goal.max ? Band{-value.high, -value.low} : value;
}

// Each possible point is compared with each, event by event.
constexpr size_t kCompared = 1000;

/// Whether `a` is nowhere worse than `b` and somewhere better, if both have the
/// same prices.
bool dominates(const Study &study, const Point &a, const Point &b,
               const std::vector<Goal> &goals) {
  bool better = false;
  for (const Goal &goal : goals) {
    const auto difference = differenceOf(study, a, b, goal.name);
    if (!difference)
      return false;
    const Band loss = lossOf(*difference, goal); // of b over a
    if (loss.low < 0)
      return false;
    better |= loss.low > 0;
  }
  return better;
}

void compareAtSamePrices(const Study &study,
                         const std::vector<StoredPoint> &points, Front &front) {
  std::vector<FrontPoint *> open, rivals;
  for (FrontPoint &each : front.points) {
    if (each.status == FrontStatus::Possible)
      open.push_back(&each);
    if (each.status <= FrontStatus::Possible && each.met == Met::Certainly)
      rivals.push_back(&each);
  }
  front.pricesOpen = open.size() > kCompared;
  if (front.pricesOpen)
    return;
  for (FrontPoint *each : open)
    for (const FrontPoint *rival : rivals)
      if (rival != each && dominates(study, points[rival->at].point,
                                     points[each->at].point, front.goals)) {
        each->atSamePrices = rival->at;
        break;
      }
}

Front frontOf(const Study &study, const std::vector<StoredPoint> &points,
              const std::vector<Goal> &goals, const Task &task) {
  Front front{task, goals, {}, false, 0};
  std::vector<Candidate> candidates;
  for (size_t at = 0; at < points.size(); ++at) {
    const Point &point = points[at].point;
    if (point.state != PointState::Done || !task.has(point.design))
      continue;
    FrontPoint found;
    found.at = at;
    Candidate candidate;
    for (const Goal &goal : goals)
      if (const auto value = valueOf(point, goal.name)) {
        found.values.push_back(*value);
        candidate.losses.push_back(lossOf(*value, goal));
      }
    if (found.values.size() < goals.size()) {
      ++front.unknown;
      continue;
    }
    found.met = candidate.met =
        metBy(point, constraintsFor(study, point.design.model));
    candidates.push_back(candidate);
    front.points.push_back(found);
  }
  const std::vector<Dominance> dominance = dominanceOf(candidates);
  for (size_t i = 0; i < dominance.size(); ++i) {
    front.points[i].status = dominance[i].status;
    if (dominance[i].by)
      front.points[i].by = front.points[*dominance[i].by].at;
  }
  compareAtSamePrices(study, points, front);
  return front;
}

size_t countOf(const Front &front, FrontStatus status) {
  return size_t(std::count_if(
      front.points.begin(), front.points.end(),
      [&](const FrontPoint &point) { return point.status == status; }));
}

std::string goalsText(const std::vector<Goal> &goals) {
  std::string text;
  for (const Goal &goal : goals)
    text += (text.empty() ? "" : ", ") + goal.name +
            (goal.max ? " (large)" : " (small)");
  return text;
}

} // namespace

std::vector<Front> frontsOf(const Study &study,
                            const std::vector<StoredPoint> &points,
                            const std::vector<Goal> &goals) {
  std::vector<Front> fronts;
  for (const Task &task : tasksOf(study))
    fronts.push_back(frontOf(study, points, goals, task));
  return fronts;
}

std::string textOf(const Study &study, const std::vector<StoredPoint> &points,
                   const std::vector<Front> &fronts) {
  std::string text;
  for (const Front &front : fronts) {
    std::vector<std::string> header = {"id", "standing"};
    for (const std::string &column : columnsOf(study))
      header.push_back(column);
    for (const Goal &goal : front.goals)
      header.push_back(headerOf(goal.name));
    report::TextTable table(header);
    size_t beaten = 0;
    for (FrontStatus status : {FrontStatus::Certain, FrontStatus::Possible})
      for (const FrontPoint &each : front.points) {
        if (each.status != status)
          continue;
        if (each.atSamePrices) {
          ++beaten;
          continue;
        }
        const StoredPoint &point = points[each.at];
        std::vector<std::string> row = {idOf(point),
                                        std::string(nameOf(status)) +
                                            (each.met == Met::Possibly
                                                 ? ", constraints possibly met"
                                                 : "")};
        for (const std::string &column : columnsOf(study))
          row.push_back(settingOf(point.point.design, column));
        for (const Band &value : each.values)
          row.push_back(bandText(value));
        table.add(row);
      }
    text += fmt::format(
        "{}{}Pareto front of {}: {} points certain, {} possible, {} dominated, "
        "{} do not meet the constraints{}\n{}",
        text.empty() ? "" : "\n", titleOf(front.task), goalsText(front.goals),
        countOf(front, FrontStatus::Certain),
        countOf(front, FrontStatus::Possible),
        countOf(front, FrontStatus::Dominated),
        countOf(front, FrontStatus::Unmet),
        front.unknown
            ? fmt::format(", {} without one of the values", front.unknown)
            : "",
        table.text());
    if (beaten)
      text += fmt::format("of the possible ones {} are not shown: another is "
                          "better wherever prices lie, as both have the same\n",
                          beaten);
  }
  return text;
}

} // namespace dendrolith::explore
