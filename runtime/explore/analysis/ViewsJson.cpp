// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/ViewsJson.h"

#include "runtime/explore/analysis/Values.h"

#include <nlohmann/json.hpp>

#include <map>

namespace dendrolith::explore {
namespace {

using Json = nlohmann::ordered_json;

Json bandOrNull(const std::optional<Band> &band) {
  return band ? bandJson(*band) : Json();
}

/// A value with its unit, as names alone do not say it.
Json unitOf(const std::string &name) {
  const std::string unit = printedUnit(name);
  return unit.empty() ? Json() : Json(unit);
}

Json idOrNull(const std::vector<StoredPoint> &points,
              const std::optional<size_t> &at) {
  return at ? Json(idOf(points[*at])) : Json();
}

Json goalJson(const Goal &goal) {
  return {{"name", goal.name},
          {"unit", unitOf(goal.name)},
          {"better", goal.max ? "more" : "less"}};
}

} // namespace

Json statusJson(const std::vector<StoredPoint> &points, uint64_t left) {
  Json states = Json::object();
  for (const StoredPoint &stored : points) {
    Json &count = states[nameOf(stored.point.state)];
    count = count.is_null() ? 1 : count.get<uint64_t>() + 1;
  }
  return {{"points", points.size()}, {"states", states}, {"left", left}};
}

Json pointsJson(const Study &study, const std::vector<StoredPoint> &points) {
  Json rows = Json::array();
  for (const StoredPoint &stored : points) {
    const Point &point = stored.point;
    Json design = Json::object(), values = Json::object();
    for (const std::string &column : columnsOf(study))
      design[column] = settingOf(point.design, column);
    for (const auto &[name, band] : point.values)
      values[name] = bandJson(band);
    rows.push_back({{"id", idOf(stored)},
                    {"design", design},
                    {"state", nameOf(point.state)},
                    {"reason", point.reason},
                    {"values", values}});
  }
  return rows;
}

Json frontsJson(const std::vector<StoredPoint> &points,
                const std::vector<Front> &fronts) {
  Json all = Json::array();
  for (const Front &front : fronts) {
    Json goals = Json::array(), rows = Json::array();
    std::map<size_t, Json> alike; // by the point that stands for others
    Json counts = Json::object();
    for (const Goal &goal : front.goals)
      goals.push_back(goalJson(goal));
    for (FrontStatus status : {FrontStatus::Certain, FrontStatus::Possible,
                               FrontStatus::Dominated, FrontStatus::Unmet})
      counts[nameOf(status)] = 0;
    for (const FrontPoint &each : front.points) {
      counts[nameOf(each.status)] =
          counts[nameOf(each.status)].get<uint64_t>() + 1;
      if (each.sameAs)
        alike[*each.sameAs].push_back(idOf(points[each.at]));
    }
    for (const FrontPoint &each : front.points) {
      if (each.status > FrontStatus::Possible || each.sameAs)
        continue;
      Json values = Json::object();
      for (size_t k = 0; k < each.values.size(); ++k)
        values[front.goals[k].name] = bandJson(each.values[k]);
      const auto others = alike.find(each.at);
      rows.push_back({{"id", idOf(points[each.at])},
                      {"standing", nameOf(each.status)},
                      {"constraints", nameOf(each.met)},
                      {"values", values},
                      {"same_values", others == alike.end() ? Json::array()
                                                            : others->second}});
    }
    all.push_back({{"models", front.task.models},
                   {"objectives", goals},
                   {"counts", counts},
                   {"without_a_value", front.unknown},
                   {"front", rows}});
  }
  return all;
}

Json bestJson(const std::vector<StoredPoint> &points,
              const std::vector<Best> &all) {
  Json list = Json::array();
  for (const Best &best : all) {
    Json rivals = Json::array();
    for (size_t rival : best.rivals)
      rivals.push_back(idOf(points[rival]));
    list.push_back(
        {{"models", best.task.models},
         {"objective", goalJson(best.goal)},
         {"safe", idOrNull(points, best.safe)},
         {"value", best.safe ? bandOrNull(valueOf(points[*best.safe].point,
                                                  best.goal.name))
                             : Json()},
         {"may_be_better", rivals},
         {"constraints",
          {{"kept", best.certainly},
           {"possibly", best.possibly},
           {"broken", best.no}}}});
  }
  return list;
}

Json tornadosJson(const std::vector<StoredPoint> &points,
                  const std::vector<Tornado> &tornados) {
  Json list = Json::array();
  for (const Tornado &tornado : tornados) {
    Json bars = Json::array();
    for (const TornadoBar &bar : tornado.bars) {
      Json steps = Json::array();
      for (const TornadoStep &step : bar.steps)
        steps.push_back(
            {{"setting", step.setting},
             {"id", idOf(points[step.at])},
             {"value", bandOrNull(step.value)},
             {"move",
              step.move ? Json{step.move->low, step.move->high} : Json()}});
      bars.push_back({{"axis", bar.axis}, {"steps", steps}});
    }
    list.push_back({{"of", tornado.model},
                    {"value", tornado.value},
                    {"unit", unitOf(tornado.value)},
                    {"baseline", idOrNull(points, tornado.baseline)},
                    {"at", bandOrNull(tornado.at)},
                    {"why_none", tornado.why},
                    {"axes", bars}});
  }
  return list;
}

Json comparisonJson(const StoredPoint &a, const StoredPoint &b,
                    const Comparison &comparison) {
  Json settings = Json::object(), values = Json::object();
  for (const auto &[column, both] : comparison.settings)
    settings[column] = {both.first, both.second};
  for (const ValueDifference &value : comparison.values)
    values[value.name] = {
        {"unit", unitOf(value.name)},
        {"a", bandOrNull(value.a)},
        {"b", bandOrNull(value.b)},
        {"difference", bandOrNull(value.difference)},
        {"verdict", nameOf(verdictOf(comparison, value.name))}};
  return {{"a", idOf(a)},
          {"b", idOf(b)},
          {"settings", settings},
          {"values", values}};
}

} // namespace dendrolith::explore
