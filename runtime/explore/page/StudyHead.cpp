// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/StudyHead.h"

#include "runtime/explore/analysis/Best.h"
#include "simulator/report/html/Bars.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith::explore {
namespace {

namespace html = report::html;
using report::grouped;

std::map<PointState, size_t> byState(const StudyView &view) {
  std::map<PointState, size_t> times;
  for (const StoredPoint &stored : view.points)
    ++times[stored.point.state];
  return times;
}

std::string joinedNames(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words)
    out += (out.empty() ? "" : ", ") + html::withUnits(word);
  return out;
}

std::string strategyText(const Strategy &strategy) {
  switch (strategy.method) {
  case Strategy::Method::Grid:
    return "every combination";
  case Strategy::Method::Random:
    return grouped(strategy.points) + " random designs";
  case Strategy::Method::Latin:
    return grouped(strategy.points) + " designs of a latin hypercube";
  case Strategy::Method::Sobol:
    return grouped(strategy.points) + " designs of a Sobol sequence";
  case Strategy::Method::OneAtATime:
    return "one axis at a time away from the baseline";
  case Strategy::Method::File:
    return "designs of a file";
  case Strategy::Method::Ask:
    return "designs that an outside optimiser asked for";
  }
  return "";
}

/// A link to the row of the point, with its settings.
std::string designOf(const StudyView &view, size_t at) {
  const StoredPoint &stored = view.points[at];
  std::string out = "<b>" + html::escape(idOf(stored)) + "</b>";
  for (const std::string &column : view.columns)
    out += "<br>" + html::escape(column) + " = " +
           html::escape(settingOf(stored.point.design, column));
  return out;
}

} // namespace

std::string studyHeadline(const StudyView &view) {
  std::map<PointState, size_t> times = byState(view);
  std::vector<std::string> others;
  for (const auto &[state, count] : times)
    if (state != PointState::Done)
      others.push_back(grouped(count) + " " + nameOf(state));
  std::string out =
      html::card("Points done", grouped(times[PointState::Done]),
                 {"of " + grouped(view.points.size()), joinedNames(others)});
  size_t certain = 0, possible = 0;
  for (const Front &front : view.fronts)
    for (const FrontPoint &point : front.points) {
      certain += point.status == FrontStatus::Certain;
      possible += point.status == FrontStatus::Possible;
    }
  if (!view.fronts.empty())
    out += html::card("On the front", grouped(certain),
                      {"certainly, whatever the bands hold",
                       grouped(possible) + " possibly"});
  for (const Goal &goal : view.goals)
    for (const Best &best : bestOf(view.study, view.points, goal, {})) {
      const std::string title =
          (goal.max ? "Most " : "Least ") + goal.name +
          (best.task.name.empty() ? "" : ", " + best.task.name);
      if (!best.safe) {
        out +=
            html::card(title, "undecided",
                       {"no point certainly keeps the constraints"}, "unknown");
        continue;
      }
      const Band band = *valueOf(view.points[*best.safe].point, goal.name);
      out += html::card(title, html::prettyUnits(bandText(band, goal.name)),
                        {designOf(view, *best.safe),
                         best.rivals.empty()
                             ? "certainly the best"
                             : grouped(best.rivals.size()) +
                                   " others may be better within the bands"});
    }
  return html::cards(out);
}

std::string studyScope(const StudyView &view) {
  const Study &study = view.study;
  std::vector<std::string> models, axes, goals, unknown, bounds;
  for (const StudyModel &model : study.models)
    models.push_back(
        model.name +
        (model.samples ? fmt::format(" ({} samples)", model.samples) : ""));
  for (const Axis &axis : study.axes)
    axes.push_back(
        fmt::format("{} ({} values)", axis.name, axis.values.size()));
  for (const Goal &goal : study.objectives)
    goals.push_back((goal.max ? "most " : "least ") + headerOf(goal.name));
  for (const Goal &goal : study.objectives)
    if (std::none_of(
            view.goals.begin(), view.goals.end(),
            [&](const Goal &known) { return known.name == goal.name; }))
      unknown.push_back(goal.name + " of any point");
  for (const Constraint &constraint : study.constraints)
    bounds.push_back(constraint.text);
  for (const StudyModel &model : study.models)
    for (const auto &[name, least] : model.minimum)
      bounds.push_back(fmt::format("{} of {} at least {}", name, model.name,
                                   numberText(least)));
  return html::scopeList(
      {{"Models", joinedNames(models)},
       {"Chips", joinedNames(study.targets)},
       {"Axes", joinedNames(axes)},
       {"Designs",
        strategyText(study.strategy) + fmt::format(", seed {}", study.seed)},
       {"Asked for", joinedNames(goals)},
       {"Not known", joinedNames(unknown)},
       {"Constraints", joinedNames(bounds)},
       {"Numbers",
        "Energy, static power and area are bands from their low to their high "
        "end; of each number of a chip, its kind and its source are printed by "
        "<code>dendrolith targets</code>."}});
}

std::string statesOf(const StudyView &view) {
  const std::map<PointState, size_t> times = byState(view);
  std::vector<html::Bar> rows;
  for (const auto &[state, count] : times)
    rows.push_back({nameOf(state), double(count), double(count),
                    grouped(count) + " points"});
  html::Table table("states", "Why points are not done",
                    {{"state", "state", false},
                     {"resource", "resource", false},
                     {"points", "points"},
                     {"one of them", "id", false},
                     {"its reason", "reason", false}});
  // Reasons name numbers of the design: those of one resource are one kind.
  std::map<std::pair<PointState, std::string>, std::pair<size_t, size_t>> kinds;
  for (size_t p = 0; p < view.points.size(); ++p) {
    const Point &point = view.points[p].point;
    if (point.state == PointState::Done)
      continue;
    const std::string kind = point.shortage ? point.shortage->resource
                             : point.state == PointState::Excluded
                                 ? ""
                                 : point.reason;
    auto [found, isNew] =
        kinds.emplace(std::pair(point.state, kind), std::pair(size_t(0), p));
    ++found->second.first;
  }
  for (const auto &[kind, found] : kinds) {
    const StoredPoint &stored = view.points[found.second];
    table.add(
        {html::text(nameOf(kind.first)),
         html::text(stored.point.shortage ? stored.point.shortage->resource
                                          : ""),
         html::count(found.first), html::text(idOf(stored)),
         html::text(stored.point.reason)});
  }
  return html::figure("How many points ended how",
                      html::bars(rows, double(view.points.size())),
                      table.empty() ? "" : table.markup());
}

} // namespace dendrolith::explore
