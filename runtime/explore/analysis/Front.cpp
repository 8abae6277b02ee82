// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Front.h"

#include "runtime/explore/analysis/Unknowns.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith::explore {
namespace {

/// As a loss; what is large is to be good where the goal says so.
Addends lossOf(Addends value, const Goal &goal) {
  for (Addend &addend : value)
    if (goal.max)
      addend = {addend.unknown, -addend.low, -addend.high};
  return value;
}

/// Candidates with the same losses are one.
class Twins {
public:
  /// The first one that was given with these losses: `at`, if there is none.
  size_t firstOf(const Candidate &candidate, size_t at) {
    std::vector<double> key = {double(candidate.met)};
    for (const Addends &loss : candidate.losses) {
      key.push_back(double(loss.size()));
      for (const Addend &addend : loss)
        key.insert(key.end(),
                   {double(addend.unknown), addend.low, addend.high});
    }
    return first.emplace(std::move(key), at).first->second;
  }

private:
  std::map<std::vector<double>, size_t> first;
};

Front frontOf(const Study &study, const std::vector<StoredPoint> &points,
              const std::vector<Goal> &goals, const Task &task) {
  Front front{task, goals, {}, 0};
  std::vector<Candidate> candidates;
  std::vector<size_t> candidateOf; // of each point of the front
  Unknowns unknowns(study);
  Twins twins;
  for (size_t at = 0; at < points.size(); ++at) {
    const Point &point = points[at].point;
    if (point.state != PointState::Done || !task.has(point.design))
      continue;
    FrontPoint found;
    found.at = at;
    Candidate candidate;
    for (const Goal &goal : goals)
      if (auto addends = unknowns.addendsOf(point, goal.name)) {
        found.values.push_back(*valueOf(point, goal.name));
        candidate.losses.push_back(lossOf(std::move(*addends), goal));
      }
    if (found.values.size() < goals.size()) {
      ++front.unknown;
      continue;
    }
    found.met = candidate.met =
        metBy(point, constraintsFor(study, point.design.model));
    const size_t first = twins.firstOf(candidate, front.points.size());
    if (first == front.points.size()) {
      candidateOf.push_back(candidates.size());
      candidates.push_back(std::move(candidate));
    } else {
      candidateOf.push_back(candidateOf[first]);
      found.sameAs = front.points[first].at;
      ++front.points[first].alike;
    }
    front.points.push_back(std::move(found));
  }
  std::vector<size_t> pointOf(candidates.size());
  for (size_t i = front.points.size(); i-- > 0;)
    pointOf[candidateOf[i]] = front.points[i].at;
  const std::vector<Dominance> dominance = dominanceOf(candidates);
  for (size_t i = 0; i < front.points.size(); ++i) {
    const Dominance &found = dominance[candidateOf[i]];
    front.points[i].status = found.status;
    if (found.by)
      front.points[i].by = pointOf[*found.by];
  }
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
    const bool anyAlike = std::any_of(
        front.points.begin(), front.points.end(), [](const auto &p) {
          return p.alike && p.status <= FrontStatus::Possible;
        });
    if (anyAlike)
      header.push_back("same values");
    report::TextTable table(header);
    for (FrontStatus status : {FrontStatus::Certain, FrontStatus::Possible})
      for (const FrontPoint &each : front.points) {
        if (each.status != status || each.sameAs)
          continue;
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
        if (anyAlike)
          row.push_back(each.alike ? fmt::format("{} more", each.alike) : "");
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
  }
  return text;
}

} // namespace dendrolith::explore
