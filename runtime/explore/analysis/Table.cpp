// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Table.h"

#include "runtime/explore/analysis/Values.h"
#include "runtime/explore/study/AxisNames.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace dendrolith::explore {
namespace {

using CellText = std::function<std::string(const StoredPoint &)>;
struct CsvColumn {
  std::string name;
  CellText cell;
};

CsvColumn valueColumn(const std::string &name) {
  return {name, [name](const StoredPoint &point) {
            const auto value = valueOf(point.point, name);
            if (!value)
              return std::string();
            return fmt::format("{}", value->low == value->high
                                         ? value->low
                                         : (value->low + value->high) / 2);
          }};
}

std::string reusedBy(const StoredPoint &point) {
  if (!point.effort)
    return point.point.state == PointState::Excluded ? "" : "all";
  std::string text;
  for (const Effort::Stage &stage : point.effort->stages)
    if (stage.reused)
      text += (text.empty() ? "" : " ") + stage.name;
  return text;
}

/// A band is two columns, one of its ends or another value is one.
void addValue(std::vector<CsvColumn> &columns, const std::string &name) {
  const std::string unit = printedUnit(name);
  const bool band = unit == "uJ" || unit == "mm2" || unit == "mW";
  std::vector<std::string> names = {name};
  if (band && bandName(name) == name)
    names = {name + ".low", name + ".high"};
  for (const std::string &each : names)
    if (std::none_of(
            columns.begin(), columns.end(),
            [&](const CsvColumn &column) { return column.name == each; }))
      columns.push_back(valueColumn(each));
}

std::vector<CsvColumn> csvColumns(const Study &study) {
  std::vector<CsvColumn> columns = {
      {"id", idOf},
      {"state", [](const StoredPoint &p) { return nameOf(p.point.state); }},
      {"reason", [](const StoredPoint &p) { return p.point.reason; }}};
  for (const std::string &name : columnsOf(study))
    columns.push_back({name, [name](const StoredPoint &point) {
                         return settingOf(point.point.design, name);
                       }});
  for (const char *name :
       {"score", "accuracy", "latency.mean", "energy.low", "energy.high",
        "static.low", "static.high", "area", "cores"})
    columns.push_back(valueColumn(name));
  columns.push_back(
      {"wall_s", [](const StoredPoint &point) {
         return point.effort ? fmt::format("{:.3f}", point.effort->wallSeconds)
                             : "";
       }});
  columns.push_back({"reused", reusedBy});
  addValue(columns, "area");
  for (const Goal &goal : study.objectives)
    addValue(columns, goal.name);
  for (const Constraint &constraint : study.constraints)
    addValue(columns, constraint.name);
  return columns;
}

} // namespace

std::string csvLine(const std::vector<std::string> &cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += (i ? "," : "") + report::csvCell(cells[i]);
  return line + "\n";
}

std::string csvOf(const Study &study, const std::vector<StoredPoint> &points) {
  const std::vector<CsvColumn> columns = csvColumns(study);
  std::vector<std::string> row;
  for (const CsvColumn &column : columns)
    row.push_back(column.name);
  std::string text = csvLine(row);
  for (const StoredPoint &point : points) {
    row.clear();
    for (const CsvColumn &column : columns)
      row.push_back(column.cell(point));
    text += csvLine(row);
  }
  return text;
}

std::string tableOf(const Study &study,
                    const std::vector<StoredPoint> &points) {
  std::vector<std::string> header = {"id", "state"}, values;
  for (const std::string &name : columnsOf(study))
    header.push_back(name);
  for (const char *name : {"score", "accuracy", "latency.mean", "energy",
                           "static", "area", "cores"})
    if (std::any_of(points.begin(), points.end(), [&](const StoredPoint &each) {
          return each.point.values.count(name) > 0;
        })) {
      values.push_back(name);
      header.push_back(headerOf(name));
    }
  header.push_back("reason");
  report::TextTable table(header);
  for (const StoredPoint &point : points) {
    std::vector<std::string> row = {idOf(point), nameOf(point.point.state)};
    for (const std::string &name : columnsOf(study))
      row.push_back(settingOf(point.point.design, name));
    for (const std::string &name : values) {
      const auto value = valueOf(point.point, name);
      row.push_back(value ? bandText(*value) : "");
    }
    row.push_back(point.point.reason);
    table.add(row);
  }
  return table.text();
}

} // namespace dendrolith::explore
