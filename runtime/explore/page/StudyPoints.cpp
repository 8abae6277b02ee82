// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/StudyPoints.h"

#include "runtime/explore/analysis/Table.h"
#include "runtime/explore/page/ParallelPicture.h"
#include "simulator/report/html/Bars.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace dendrolith::explore {
namespace {

namespace html = report::html;
using Json = nlohmann::ordered_json;

/// So many points are in the page, and so many of them with their bills.
constexpr size_t kShownPoints = 4000, kMostDetails = 400, kMostRows = 1000;
constexpr size_t kMostBars = 12;

/// All names of values that some point has.
std::set<std::string> valuesKnown(const StudyView &view) {
  std::set<std::string> names;
  for (const StoredPoint &stored : view.points)
    for (const auto &[name, band] : stored.point.values)
      names.insert(name);
  return names;
}

bool isBand(const StudyView &view, const std::string &name) {
  return std::any_of(view.points.begin(), view.points.end(),
                     [&](const StoredPoint &stored) {
                       const auto found = stored.point.values.find(name);
                       return found != stored.point.values.end() &&
                              found->second.low != found->second.high;
                     });
}

Json billJson(const std::vector<std::pair<std::string, Band>> &bill) {
  Json rows = Json::array();
  for (const auto &[name, band] : bill)
    rows.push_back({report::eventTitle(name), band.low, band.high});
  return rows;
}

void addDetails(const Point &point, Json &into) {
  into["events"] = billJson(point.energyByEvent);
  into["layers"] = billJson(point.energyByLayer);
  into["closed"] = Json::array();
  for (const auto &[who, steps] : point.closedBy)
    into["closed"].push_back({who, steps});
  into["fit"] = Json::array();
  for (const Shortage &fit : point.fit)
    into["fit"].push_back({fit.resource, fit.used, fit.limit});
}

/// The first points by rank: chosen ones, those on a front, then the others,
/// evenly spread where not all of them fit.
std::vector<bool> firstOf(const StudyView &view, size_t most, bool onlyDone) {
  std::vector<bool> is(view.points.size(), false);
  size_t left = std::min(most, view.points.size());
  auto take = [&](size_t index) {
    if (left > 0 && !is[index] &&
        !(onlyDone && view.points[index].point.state != PointState::Done)) {
      is[index] = true;
      --left;
    }
  };
  for (size_t index : view.chosen)
    take(index);
  const auto takeAll = [&](auto wanted) {
    std::vector<size_t> all;
    for (size_t index = 0; index < view.points.size(); ++index)
      if (!is[index] && wanted(index))
        all.push_back(index);
    const size_t count = std::min(left, all.size());
    for (size_t i = 0; i < count; ++i)
      take(all[i * all.size() / count]);
  };
  for (FrontStatus status : {FrontStatus::Certain, FrontStatus::Possible})
    takeAll([&](size_t index) { return view.statuses[index] == status; });
  takeAll([](size_t) { return true; });
  return is;
}

/// The points that are in the page. What they took differs from machine to
/// machine and is left out.
std::vector<StoredPoint> shownPoints(const StudyView &view,
                                     const std::vector<bool> &isShown) {
  std::vector<StoredPoint> points;
  for (size_t index = 0; index < view.points.size(); ++index)
    if (isShown[index]) {
      points.push_back(view.points[index]);
      points.back().effort.reset();
    }
  return points;
}

std::string billFigure(const StudyView &view,
                       std::vector<std::pair<std::string, Band>> Point::*bill,
                       const char *what) {
  std::string out;
  double full = 0;
  for (size_t index : view.chosen)
    for (const auto &[name, band] : view.points[index].point.*bill)
      full = std::max(full, band.high);
  for (size_t index : view.chosen) {
    auto rows = view.points[index].point.*bill;
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) {
                       return a.second.high > b.second.high;
                     });
    if (rows.size() > kMostBars)
      rows.resize(kMostBars);
    std::vector<html::Bar> bars;
    for (const auto &[name, band] : rows)
      bars.push_back({report::eventTitle(name), band.low, band.high,
                      html::energyRange(1e6 * band.low, 1e6 * band.high)});
    if (!bars.empty())
      out += "<h3>" + html::escape(idOf(view.points[index])) + "</h3>\n" +
             html::bars(bars, full);
  }
  return out.empty()
             ? ""
             : html::figure(std::string("Energy of a sample by ") + what,
                            out + html::bandLegend(), "");
}

} // namespace

std::string chosenPoints(const StudyView &view) {
  if (view.chosen.empty())
    return "";
  std::vector<html::Table::Heading> columns = {{"", "what", false}};
  for (size_t index : view.chosen)
    columns.push_back({html::escape(idOf(view.points[index])) +
                           (view.baseline == index ? ", baseline" : ""),
                       idOf(view.points[index]), false});
  html::Table table("chosen", "Settings and values side by side", columns);
  auto row = [&](const std::string &title, auto cellOf) {
    std::vector<html::Cell> cells = {{html::withUnits(title), std::nullopt}};
    for (size_t index : view.chosen)
      cells.push_back(cellOf(view.points[index].point));
    table.add(std::move(cells));
  };
  for (const std::string &column : view.columns)
    row(column, [&](const Point &point) {
      return html::text(settingOf(point.design, column));
    });
  for (const std::string &name : valuesKnown(view))
    row(headerOf(name), [&](const Point &point) {
      const std::optional<Band> band = valueOf(point, name);
      return html::text(band ? bandText(*band) : "");
    });
  return "<div id=\"picked\">\n" + html::figure("", table.markup(), "") +
         "<div class=\"beside\">" +
         billFigure(view, &Point::energyByEvent, "event") +
         billFigure(view, &Point::energyByLayer, "layer") + "</div></div>\n";
}

std::string pointTable(const StudyView &view) {
  std::vector<html::Table::Heading> columns = {{"point", "id", false},
                                               {"state", "state", false}};
  for (const std::string &column : view.columns)
    columns.push_back({html::escape(column), column, false});
  const std::set<std::string> names = valuesKnown(view);
  for (const std::string &name : names)
    columns.push_back({html::withUnits(headerOf(name)),
                       isBand(view, name) ? name + ".low" : name});
  columns.push_back({"reason", "reason", false});
  html::Table table("points",
                    "All points; of a band, the low end is sorted and saved",
                    columns);
  table.bound(kMostRows, "explore --format csv has all");
  for (size_t p = 0; p < view.points.size(); ++p) {
    if (p >= kMostRows) { // is counted, and not shown
      table.add({});
      continue;
    }
    const StoredPoint &stored = view.points[p];
    const Point &point = stored.point;
    std::vector<html::Cell> row = {html::text(idOf(stored)),
                                   html::text(nameOf(point.state))};
    for (const std::string &column : view.columns)
      row.push_back(html::text(settingOf(point.design, column)));
    for (const std::string &name : names) {
      const std::optional<Band> band = valueOf(point, name);
      row.push_back(band ? html::Cell{html::escape(bandText(*band)),
                                      html::exact(band->low)}
                         : html::Cell{"", ""});
    }
    row.push_back(html::text(point.reason));
    table.add(std::move(row));
  }
  return html::figure("", "<div id=\"all-points\">" + table.markup() + "</div>",
                      "");
}

std::string shownNote(const StudyView &view) {
  if (view.points.size() <= kShownPoints)
    return "";
  return "<p class=\"note\">The pictures show " +
         report::grouped(kShownPoints) + " of " +
         report::grouped(view.points.size()) +
         " points: those on the front first, each kind evenly spread. "
         "<code>explore --format csv</code> has all.</p>\n";
}

Json studyData(const StudyView &view) {
  const std::vector<bool> isShown = firstOf(view, kShownPoints, false);
  std::vector<size_t> placeOf(view.points.size());
  size_t places = 0;
  for (size_t index = 0; index < view.points.size(); ++index) {
    placeOf[index] = places;
    places += isShown[index];
  }
  Json data = {{"columns", view.columns},
               {"settings", Json::array()},
               {"goals", Json::array()},
               {"values", Json::array()},
               {"tasks", Json::array()},
               {"points", Json::array()},
               {"all", view.points.size()},
               {"chosen", Json::array()},
               {"baseline", nullptr},
               {"csv", csvOf(view.study, shownPoints(view, isShown))}};
  for (size_t index : view.chosen)
    data["chosen"].push_back(placeOf[index]);
  if (view.baseline)
    data["baseline"] = placeOf[*view.baseline];
  for (const std::string &column : view.columns)
    data["settings"].push_back(settingsOf(view, column));
  for (const Goal &goal : view.goals)
    data["goals"].push_back({{"name", goal.name}, {"max", goal.max}});
  for (const std::string &name : valuesKnown(view))
    data["values"].push_back({{"name", name}, {"unit", printedUnit(name)}});
  const std::vector<bool> hasDetails = firstOf(view, kMostDetails, true);
  std::vector<Json> tasks(view.points.size());
  std::vector<bool> isTwin(view.points.size());
  std::vector<size_t> alike(view.points.size());
  for (size_t f = 0; f < view.fronts.size(); ++f) {
    data["tasks"].push_back(view.fronts[f].task.name);
    for (const FrontPoint &point : view.fronts[f].points) {
      tasks[point.at] = f;
      isTwin[point.at] = bool(point.sameAs);
      alike[point.at] = point.alike;
    }
  }
  for (size_t index = 0; index < view.points.size(); ++index) {
    if (!isShown[index])
      continue;
    const Point &point = view.points[index].point;
    Json row = {{"id", idOf(view.points[index])},
                {"state", nameOf(point.state)},
                {"settings", Json::array()},
                {"values", Json::object()},
                {"task", tasks[index]},
                {"standing", view.statuses[index]
                                 ? Json(styleOf(*view.statuses[index]))
                                 : Json()}};
    if (isTwin[index])
      row["twin"] = true;
    if (alike[index])
      row["alike"] = alike[index];
    for (const std::string &column : view.columns)
      row["settings"].push_back(settingOf(point.design, column));
    for (const auto &[name, band] : point.values)
      row["values"][name] = bandJson(band);
    if (hasDetails[index])
      addDetails(point, row);
    data["points"].push_back(std::move(row));
  }
  return data;
}

} // namespace dendrolith::explore
