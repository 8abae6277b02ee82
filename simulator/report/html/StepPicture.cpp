// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/StepPicture.h"

#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStepLeft = 190, kStepWidth = 760, kStepTop = 8,
                 kStepHeight = 190, kStepLane = 16;
/// Narrower columns than two points are no columns.
constexpr size_t kMostSteps = 380, kMostLanes = 8;

/// The parts of a step in the order in which they follow each other, and their
/// classes in page.css.
struct StepPart {
  const char *key, *name, *style;
  bool isHatched;
};
constexpr StepPart kParts[] = {
    {"update_ps", "update", "c-update", false},
    {"waiting_ps", "waiting for a full receiver", "c-waiting", true},
    {"noc_ps", "network", "c-noc", true},
    {"receive_ps", "receive", "c-receive", false},
    {"barrier_ps", "barrier", "c-barrier", true}};

std::vector<const Json *> ofFirstSample(const Json &steps) {
  std::vector<const Json *> first;
  for (const Json &step : steps)
    if (step.at("sample") == steps.front().at("sample"))
      first.push_back(&step);
  return first;
}

double length(const Json &step) {
  double ps = 0;
  for (const StepPart &part : kParts)
    ps += step.value(part.key, 0.0);
  return ps / 1e3;
}

/// Most steps first, and by name where they are as many.
std::vector<std::pair<std::string, size_t>>
closersOf(const std::vector<const Json *> &steps) {
  std::map<std::string, size_t> times;
  for (const Json *step : steps)
    ++times[step->at("closed_by").get<std::string>()];
  std::vector<std::pair<std::string, size_t>> all(times.begin(), times.end());
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    return a.second > b.second;
  });
  return all;
}

/// A closer's colour is that of the part that it closed with.
const char *styleOf(const std::string &closer) {
  auto has = [&](const char *word) { return closer.find(word) != closer.npos; };
  return closer == "barrier" ? "c-barrier"
         : has(" update")    ? "c-update"
         : has(" waiting")   ? "c-waiting"
         : has(" receive")   ? "c-receive"
                             : "c-noc";
}

} // namespace

std::string stepPicture(const Json &steps) {
  std::vector<const Json *> shown = ofFirstSample(steps);
  const size_t all = shown.size();
  if (shown.size() > kMostSteps)
    shown.resize(kMostSteps);
  double most = 0;
  for (const Json *step : shown)
    most = std::max(most, length(*step));
  const Unit unit = timeUnit(most);
  const std::vector<double> ticks = ticksTo(most / unit.size);
  const double column = kStepWidth / double(shown.size()),
               top = ticks.back() * unit.size;
  std::string out = "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" "
                    "patternUnits=\"userSpaceOnUse\" "
                    "patternTransform=\"rotate(35)\"><path d=\"M0 0v5\"/>"
                    "</pattern></defs>\n";
  for (double tick : ticks) {
    const double y = kStepTop + kStepHeight * (1 - tick * unit.size / top);
    out += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}h{}\"/><text x=\"{}\" "
        "y=\"{:.1f}\" class=\"end\">{}</text>\n",
        kStepLeft, y, kStepWidth, kStepLeft - 6, y + 4, tickText(tick));
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"end\">{}</text>\n",
                     kStepLeft - 60, kStepTop + 4, unit.name);
  const auto closers = closersOf(shown);
  const size_t lanes = std::min(closers.size(), kMostLanes);
  const double laneTop = kStepTop + kStepHeight + 14;
  for (size_t i = 0; i < lanes; ++i)
    out += fmt::format(
        "<text x=\"{}\" y=\"{:.1f}\" class=\"end\">{} ({})</text><path "
        "class=\"grid\" d=\"M{} {:.1f}h{}\"/>\n",
        kStepLeft - 6, laneTop + kStepLane * double(i) + 11,
        escape(closers[i].first), closers[i].second, kStepLeft,
        laneTop + kStepLane * double(i) + 7, kStepWidth);
  for (size_t s = 0; s < shown.size(); ++s) {
    const Json &step = *shown[s];
    const std::string closer = step.at("closed_by");
    const double x = kStepLeft + column * double(s);
    double y = kStepTop + kStepHeight;
    out += fmt::format("<g><title>step {}: {:.3f} ns, closed by {}</title>",
                       step.at("step").get<uint64_t>(), length(step),
                       escape(closer));
    for (const StepPart &part : kParts) {
      const double high = kStepHeight * step.value(part.key, 0.0) / 1e3 / top;
      y -= high;
      if (!(high > 0))
        continue;
      // What looks the same without colour is hatched.
      for (const char *style : {part.style, part.isHatched ? "hatch" : ""})
        if (*style)
          out += fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" "
                             "width=\"{:.2f}\" height=\"{:.2f}\"/>",
                             style, x, y, std::max(0.86 * column, 0.5), high);
    }
    for (size_t i = 0; i < lanes; ++i)
      if (closers[i].first == closer)
        out +=
            fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" "
                        "width=\"{:.2f}\" height=\"10\"/>",
                        styleOf(closer), x, laneTop + kStepLane * double(i) + 2,
                        std::max(0.86 * column, 0.5));
    out += "</g>\n";
  }
  const double bottom = laneTop + kStepLane * double(lanes) + 16;
  for (int i = 0; i <= 4; ++i) {
    const size_t at = (shown.size() - 1) * size_t(i) / 4;
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"middle\">{}"
                       "</text>\n",
                       kStepLeft + column * (double(at) + 0.43), bottom,
                       shown[at]->at("step").get<uint64_t>());
  }
  std::string legend = "<ul class=\"legend\">";
  for (const StepPart &part : kParts)
    legend += fmt::format("<li><i class=\"key {}\"></i>{}</li>", part.style,
                          part.name);
  out += fmt::format(
      "<text x=\"570\" y=\"{:.1f}\" class=\"middle\">step of sample "
      "{}{}</text>",
      bottom + 20, steps.front().at("sample").get<uint64_t>(),
      shown.size() < all
          ? fmt::format(", the first {} of {}", shown.size(), all)
          : "");
  return legend + "</ul>\n" +
         picture(bottom + 26, "Time of each step by part, and who closed it",
                 out);
}

std::string stepTable(const Json &steps) {
  std::vector<Table::Heading> columns = {{"step", "step"}};
  for (const StepPart &part : kParts)
    columns.push_back({std::string(part.name) + " (ns)", part.key});
  columns.push_back({"closed by", "closed_by", false});
  Table table("steps", "Steps of the first sample", columns);
  table.bound(500, "tables.json has more");
  for (const Json *step : ofFirstSample(steps)) {
    std::vector<Cell> row = {count(step->at("step"))};
    for (const StepPart &part : kParts)
      row.push_back(number(step->value(part.key, Json(0)), "{:.3f}", 1e-3));
    row.push_back(text(step->at("closed_by").get<std::string>()));
    table.add(std::move(row));
  }
  return table.markup();
}

Json stepData(const Json &steps) {
  Json closers = Json::array(), rows = Json::array();
  std::map<std::string, size_t> numbers;
  for (const Json &step : steps) {
    const std::string closer = step.at("closed_by");
    const auto [found, isNew] = numbers.emplace(closer, numbers.size());
    if (isNew)
      closers.push_back(closer);
    Json row = {step.at("sample"), step.at("step")};
    for (const StepPart &part : kParts)
      row.push_back(step.value(part.key, Json(0)));
    row.push_back(found->second);
    rows.push_back(std::move(row));
  }
  return {{"closers", closers}, {"steps", rows}};
}

} // namespace dendrolith::report::html
