// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/FrontPicture.h"

#include "runtime/explore/page/Scale.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace dendrolith::explore {
namespace {

namespace html = report::html;

constexpr double kLeft = 84, kTop = 12, kWidth = 850, kHeight = 380;
/// More points make a cloud whatever they are.
constexpr size_t kMostMarks = 2000;

/// A shape for each status, so that colour is not needed.
std::string markAt(FrontStatus status, double x, double y) {
  switch (status) {
  case FrontStatus::Certain:
    return fmt::format(
        "<circle class=\"m certain\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
        "r=\"5\"/>",
        x, y);
  case FrontStatus::Possible:
    return fmt::format(
        "<path class=\"m possible\" d=\"M{:.1f} {:.1f}l6 6l-6 6l-6 "
        "-6z\"/>",
        x, y - 6);
  case FrontStatus::Dominated:
    return fmt::format("<circle class=\"m dominated\" cx=\"{:.1f}\" "
                       "cy=\"{:.1f}\" r=\"2.5\"/>",
                       x, y);
  case FrontStatus::Unmet:
    return fmt::format("<path class=\"m unmet\" d=\"M{:.1f} {:.1f}l4 7h-8z\"/>",
                       x, y - 4);
  }
  return "";
}

/// What is best of the two goals together: corners from the best one across to
/// the best one up, as losses. `end` is that of the bands.
std::vector<std::pair<double, double>>
cornersOf(const Front &front, size_t across, size_t up, double Band::*end) {
  const auto loss = [&](const FrontPoint &point, size_t goal) {
    const double value = point.values[goal].*end;
    return front.goals[goal].max ? -value : value;
  };
  std::vector<std::pair<double, double>> all, corners;
  for (const FrontPoint &point : front.points)
    if (point.status <= FrontStatus::Possible)
      all.emplace_back(loss(point, across), loss(point, up));
  std::sort(all.begin(), all.end());
  for (const auto &each : all)
    if (corners.empty() || each.second < corners.back().second)
      corners.push_back(each);
  return corners;
}

using Place = std::pair<double, double>;

/// The corners of a staircase as places of the picture, from its edge of the
/// worst value up to that of the worst one across.
std::vector<Place> stairs(const Front &front, size_t across, size_t up,
                          double Band::*end,
                          const std::function<Place(double, double)> &placeOf) {
  const bool maxAcross = front.goals[across].max, maxUp = front.goals[up].max;
  std::vector<Place> places;
  for (const auto &[x, y] : cornersOf(front, across, up, end)) {
    const Place place = placeOf(maxAcross ? -x : x, maxUp ? -y : y);
    const double above =
        places.empty() ? (maxUp ? kTop + kHeight : kTop) : places.back().second;
    places.emplace_back(place.first, above);
    places.push_back(place);
  }
  if (!places.empty())
    places.emplace_back(maxAcross ? kLeft : kLeft + kWidth,
                        places.back().second);
  return places;
}

std::string polyline(const std::vector<Place> &places) {
  std::string path;
  for (const auto &[x, y] : places)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
  return path;
}

/// The front of two goals: the line of the low ends, that of the high ones, and
/// what lies between them.
std::string staircase(const Front &front, size_t across, size_t up,
                      const std::function<Place(double, double)> &placeOf) {
  std::vector<Place> low = stairs(front, across, up, &Band::low, placeOf),
                     high = stairs(front, across, up, &Band::high, placeOf);
  std::string out;
  for (const auto *line : {&low, &high})
    if (!line->empty())
      out += "<path class=\"stairs\" d=\"" + polyline(*line) + "\"/>\n";
  low.insert(low.end(), high.rbegin(), high.rend());
  return low.empty()
             ? ""
             : "<path class=\"between\" d=\"" + polyline(low) + "Z\"/>\n" + out;
}

} // namespace

std::string frontPicture(const StudyView &view, const Front &front,
                         size_t across, size_t up) {
  std::vector<Band> xs, ys;
  for (const FrontPoint &point : front.points) {
    xs.push_back(point.values[across]);
    ys.push_back(point.values[up]);
  }
  const Scale x(xs), y(ys);
  auto left = [&](double share) { return kLeft + kWidth * share; };
  auto top = [&](double share) { return kTop + kHeight * (1 - share); };
  std::string out;
  for (double tick : x.ticks())
    out += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1}v{2}\"/><text "
                       "x=\"{0:.1f}\" y=\"{3}\" class=\"middle\">{4}</text>\n",
                       left(x.at(tick)), kTop, kHeight, kTop + kHeight + 16,
                       html::tickText(tick));
  for (double tick : y.ticks())
    out += fmt::format("<path class=\"grid\" d=\"M{0} {1:.1f}h{2}\"/><text "
                       "x=\"{3}\" y=\"{4:.1f}\" class=\"end\">{5}</text>\n",
                       kLeft, top(y.at(tick)), kWidth, kLeft - 8,
                       top(y.at(tick)) + 4, html::tickText(tick));
  if (across != up)
    out += staircase(front, across, up, [&](double a, double b) {
      return Place(left(x.at(a)), top(y.at(b)));
    });
  // Points on the front are drawn last, over the others.
  std::vector<const FrontPoint *> order;
  for (const FrontPoint &point : front.points)
    if (!point.sameAs)
      order.push_back(&point);
  std::stable_sort(order.begin(), order.end(),
                   [](const FrontPoint *a, const FrontPoint *b) {
                     return a->status > b->status;
                   });
  if (order.size() > kMostMarks)
    order.erase(order.begin(), order.end() - kMostMarks);
  for (const FrontPoint *point : order) {
    const Band &a = point->values[across], &b = point->values[up];
    const double px = left(x.middle(a)), py = top(y.middle(b));
    out += fmt::format(
        "<g class=\"{}\"><title>{} ({}): {}, {}{}</title>",
        styleOf(point->status), html::escape(labelOf(view, point->at)),
        nameOf(point->status),
        html::withUnits(front.goals[across].name + " " +
                        bandText(a, front.goals[across].name)),
        html::withUnits(front.goals[up].name + " " +
                        bandText(b, front.goals[up].name)),
        point->alike ? fmt::format("; {} more of these values", point->alike)
                     : "");
    if (a.low != a.high)
      out +=
          fmt::format("<path class=\"bandline\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
                      left(x.at(a.low)), py, left(x.at(a.high)));
    if (b.low != b.high)
      out +=
          fmt::format("<path class=\"bandline\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>",
                      px, top(y.at(b.low)), top(y.at(b.high)));
    out += markAt(point->status, px, py) + "</g>\n";
  }
  auto title = [&](size_t goal, const Scale &scale) {
    return html::withUnits(headerOf(front.goals[goal].name)) +
           (front.goals[goal].max ? ", more is better" : ", less is better") +
           (scale.isLogarithmic() ? "; logarithmic" : "");
  };
  out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text><text "
                     "class=\"middle\" transform=\"translate(16 {}) "
                     "rotate(-90)\">{}</text>",
                     kLeft + kWidth / 2, kTop + kHeight + 36, title(across, x),
                     kTop + kHeight / 2, title(up, y));
  return html::picture(kTop + kHeight + 44,
                       "Points of the study by two objectives", out);
}

std::string statusLegend() {
  constexpr std::pair<FrontStatus, const char *> kMeanings[] = {
      {FrontStatus::Certain, "on the front whatever prices and areas are"},
      {FrontStatus::Possible, "on the front for some prices and areas"},
      {FrontStatus::Dominated, "another point is better at all of them"},
      {FrontStatus::Unmet, "breaks a constraint"}};
  std::string out = "<ul class=\"legend\">";
  for (const auto &[status, meaning] : kMeanings)
    out +=
        fmt::format("<li><svg class=\"mark\" viewBox=\"0 0 16 16\" "
                    "width=\"16\" height=\"16\" aria-hidden=\"true\">{}</svg>"
                    "<b>{}</b>&nbsp; {}</li>",
                    markAt(status, 8, 8), styleOf(status), meaning);
  return out + "</ul>\n";
}

std::string frontTable(const StudyView &view, const Front &front) {
  std::vector<html::Table::Heading> columns = {{"point", "id", false},
                                               {"standing", "standing", false}};
  for (const std::string &column : view.columns)
    columns.push_back({html::escape(column), column, false});
  for (const Goal &goal : front.goals) {
    const std::string title = html::withUnits(headerOf(goal.name));
    columns.push_back({title + " low", goal.name + ".low"});
    columns.push_back({title + " high", goal.name + ".high"});
  }
  columns.push_back({"points of these values", "points"});
  html::Table table("front", "On the front, certainly first", columns);
  table.bound(500, "explore --pareto prints all");
  for (FrontStatus status : {FrontStatus::Certain, FrontStatus::Possible})
    for (const FrontPoint &point : front.points) {
      if (point.status != status || point.sameAs)
        continue;
      const StoredPoint &stored = view.points[point.at];
      std::vector<html::Cell> row = {html::text(idOf(stored)),
                                     html::text(nameOf(status))};
      for (const std::string &column : view.columns)
        row.push_back(html::text(settingOf(stored.point.design, column)));
      for (const Band &band : point.values)
        for (double end : {band.low, band.high})
          row.push_back({html::escape(numberText(end)), html::exact(end)});
      row.push_back({report::grouped(1 + point.alike),
                     html::exact(double(1 + point.alike))});
      table.add(std::move(row));
    }
  return table.empty()
             ? "<p class=\"note\">No point keeps the constraints.</p>\n"
             : table.markup();
}

} // namespace dendrolith::explore
