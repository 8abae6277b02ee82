// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Values.h"

#include "runtime/explore/study/AxisNames.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace dendrolith::explore {
std::string valueNamed(const std::vector<StoredPoint> &points,
                       const std::string &name, const std::string &asker) {
  std::string base = bandName(name);
  const std::string end = name.substr(base.size());
  if (base == "latency")
    base = "latency.mean";
  for (const StoredPoint &point : points)
    if (point.point.values.count(base))
      return base + end;
  std::set<std::string> known;
  for (const StoredPoint &point : points)
    for (const auto &[value, band] : point.point.values)
      known.insert(value);
  if (known.empty())
    throw Error(asker + ": no point of the study is done, so nothing has '" +
                name + "'");
  const std::vector<std::string> words(known.begin(), known.end());
  throw Error(fmt::format("{}: no point has '{}'{} (known: {})", asker, name,
                          suggestion(base, words), joinWords(words)));
}

std::string printedUnit(const std::string &name) {
  const std::string base = name.substr(0, name.find('.'));
  if (base == "latency")
    return "us";
  if (base == "energy" || base == "static" || base == "together")
    return "uJ";
  if (base == "area")
    return "mm2";
  return base == "power" ? "mW" : "";
}

std::string headerOf(const std::string &name) {
  const std::string unit = printedUnit(name);
  return unit.empty() ? name : name + " (" + unit + ")";
}

Goal goalFor(const Study &study, const std::string &name) {
  for (const Goal &goal : study.objectives)
    if (goal.name == name)
      return goal;
  const std::string base = bandName(name);
  for (const Goal &goal : study.objectives)
    if (bandName(goal.name) == base)
      return {name, goal.max};
  return {name, base == "score" || base == "accuracy"};
}

std::vector<Goal> goalsFor(const Study &study,
                           const std::vector<StoredPoint> &points,
                           const std::string &list, const std::string &asker) {
  std::vector<Goal> goals;
  if (list.empty())
    goals = study.objectives;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');)
    goals.push_back({name, false});
  // getline() says nothing of a last name that is empty.
  if (!list.empty() && list.back() == ',')
    goals.push_back({"", false});
  for (const Goal &goal : goals)
    if (goal.name.empty())
      throw Error(asker +
                  ": expected a name before and behind each comma, "
                  "found '" +
                  printable(list) + "'");
  if (goals.empty())
    throw Error(asker + ": expected names such as energy,latency.mean,area, as "
                        "the study has no objectives");
  for (Goal &goal : goals)
    goal = goalFor(study, valueNamed(points, goal.name, asker));
  return goals;
}

std::string numberText(double value) { return fmt::format("{:.4g}", value); }

std::string bandText(const Band &band) {
  return band.low == band.high
             ? numberText(band.low)
             : numberText(band.low) + " to " + numberText(band.high);
}

std::string bandText(const Band &band, const std::string &name) {
  const std::string unit = printedUnit(name);
  return bandText(band) + (unit.empty() ? "" : " " + unit);
}

std::string idOf(const StoredPoint &point) {
  return fmt::format("P{}", point.number);
}

const StoredPoint &pointNamed(const std::vector<StoredPoint> &points,
                              const std::string &id, const std::string &asker) {
  for (const StoredPoint &point : points)
    if (idOf(point) == id || std::to_string(point.number) == id)
      return point;
  throw Error(fmt::format(
      "{}: the study has no point '{}'{}", asker, id,
      points.empty() ? ""
                     : fmt::format(", expected one of {} to {}",
                                   idOf(points.front()), idOf(points.back()))));
}

std::vector<std::string> columnsOf(const Study &study) {
  std::vector<std::string> columns;
  if (study.models.size() > 1)
    columns.push_back("model");
  if (study.targets.size() > 1)
    columns.push_back("target");
  for (const Axis &axis : study.axes)
    columns.push_back(axis.name);
  if (study.repeat > 1)
    columns.push_back("repeat");
  return columns;
}

std::string settingOf(const Design &design, const std::string &column) {
  for (const auto &[axis, value] : design.values)
    if (axis == column)
      return value;
  if (column == "model")
    return design.model;
  if (column == "target")
    return design.target;
  return column == "repeat" ? std::to_string(design.repeat) : "";
}

bool Task::has(const Design &design) const {
  return std::find(models.begin(), models.end(), design.model) != models.end();
}

std::vector<Task> tasksOf(const Study &study) {
  std::vector<Task> tasks;
  std::vector<const StudyModel *> first;
  for (const StudyModel &model : study.models) {
    size_t at = 0;
    while (at < tasks.size() && !(first[at]->input == model.input &&
                                  first[at]->labels == model.labels &&
                                  first[at]->metric == model.metric &&
                                  first[at]->samples == model.samples))
      ++at;
    if (at == tasks.size()) {
      tasks.emplace_back();
      first.push_back(&model);
    }
    tasks[at].models.push_back(model.name);
  }
  if (tasks.size() > 1)
    for (Task &task : tasks)
      task.name = joinWords(task.models);
  return tasks;
}

std::string titleOf(const Task &task) {
  return task.name.empty() ? "" : task.name + ": ";
}

} // namespace dendrolith::explore
