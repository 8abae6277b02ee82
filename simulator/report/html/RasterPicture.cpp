// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RasterPicture.h"

#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace dendrolith::report::html {
namespace {

constexpr double kRasterLeft = 150, kRasterWidth = 800, kRasterTop = 8,
                 kRasterGap = 10;
/// Where events are more than this, the picture shows how dense they are.
constexpr size_t kMostMarks = 20000;
constexpr double kCellWide = 4, kCellHigh = 3;
constexpr int kDensities = 7; ///< shades of page.css

/// How many events of the first sample there are.
size_t firstOf(const Rasters &rasters) {
  return size_t(std::find_if(rasters.events.begin(), rasters.events.end(),
                             [](const Rasters::Event &event) {
                               return event.sample > 0;
                             }) -
                rasters.events.begin());
}

/// Heights by the number of neurons, but none vanishes.
std::vector<double> heightsOf(const Rasters &rasters) {
  double sum = 0;
  for (const Rasters::Population &row : rasters.rows)
    sum += std::sqrt(double(row.neurons));
  std::vector<double> heights;
  for (const Rasters::Population &row : rasters.rows)
    heights.push_back(
        std::max(14.0, 320 * std::sqrt(double(row.neurons)) / sum));
  return heights;
}

/// Cells of a population, darker where more events fall into them.
std::string densityOf(const std::map<std::pair<int, int>, size_t> &cells,
                      double top, double height) {
  size_t most = 1;
  for (const auto &[cell, events] : cells)
    most = std::max(most, events);
  std::vector<std::string> paths(kDensities);
  for (const auto &[cell, events] : cells)
    paths[std::min(kDensities * (events - 1) / most, size_t(kDensities) - 1)] +=
        fmt::format("M{:.1f} {:.1f}h{}v{:.1f}h-{}z",
                    kRasterLeft + cell.first * kCellWide,
                    top + cell.second * kCellHigh, kCellWide,
                    std::min(kCellHigh, height - cell.second * kCellHigh),
                    kCellWide);
  std::string out;
  for (int shade = 0; shade < kDensities; ++shade)
    if (!paths[size_t(shade)].empty())
      out += fmt::format("<path class=\"q{}\" d=\"{}\"/>\n", shade,
                         paths[size_t(shade)]);
  return out;
}

} // namespace

std::string rasterNote(const Rasters &rasters) {
  const size_t events = firstOf(rasters) * rasters.every;
  std::string note;
  if (events > kMostMarks)
    note = fmt::format("The first sample has {}{} values other than 0, more "
                       "than {}: the picture shows how dense they are.",
                       rasters.every > 1 ? "about " : "", grouped(events),
                       grouped(kMostMarks));
  if (rasters.every > 1)
    note += fmt::format(" It has one in {} of them.", rasters.every);
  return note;
}

std::string rasterPicture(const Rasters &rasters) {
  const std::vector<double> heights = heightsOf(rasters);
  double bottom = kRasterTop;
  std::string bands;
  std::vector<double> tops;
  for (size_t r = 0; r < rasters.rows.size(); ++r) {
    const Rasters::Population &row = rasters.rows[r];
    tops.push_back(bottom);
    bands += fmt::format(
        "<rect class=\"plot\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" "
        "height=\"{:.1f}\"/><text x=\"{}\" y=\"{:.1f}\" class=\"end\">{}</text>"
        "<text x=\"{}\" y=\"{:.1f}\" class=\"end small\">{} neurons</text>\n",
        kRasterLeft, bottom, kRasterWidth, heights[r], kRasterLeft - 8,
        bottom + 12, escape(row.name), kRasterLeft - 8, bottom + 26,
        grouped(row.neurons));
    bottom += std::max(heights[r], 28.0) + kRasterGap;
  }
  std::vector<std::string> marks(rasters.rows.size());
  const size_t inFirst = firstOf(rasters);
  const bool isDense = inFirst > kMostMarks;
  std::vector<std::map<std::pair<int, int>, size_t>> cells(rasters.rows.size());
  for (size_t i = 0; i < inFirst; ++i) {
    const Rasters::Event &event = rasters.events[i];
    const Rasters::Population &row = rasters.rows[event.row];
    const double step = kRasterWidth / double(std::max<uint64_t>(row.ticks, 1));
    const double x = kRasterLeft + event.tick * step,
                 y = tops[event.row] +
                     (event.neuron + 0.5) * heights[event.row] /
                         double(std::max<uint64_t>(row.neurons, 1));
    if (isDense) {
      ++cells[event.row][{int((x - kRasterLeft) / kCellWide),
                          int((y - tops[event.row]) / kCellHigh)}];
      continue;
    }
    marks[event.row] +=
        fmt::format("M{:.1f} {:.1f}h{:.1f}", x, y, std::max(0.8 * step, 1.0));
  }
  for (size_t r = 0; r < marks.size(); ++r)
    if (!marks[r].empty())
      bands += fmt::format(
          "<path class=\"spikes s{}\" d=\"{}\" stroke-width=\"{:.2f}\"/>\n",
          r % 6, marks[r],
          std::clamp(0.8 * heights[r] /
                         double(std::max<uint64_t>(rasters.rows[r].neurons, 1)),
                     0.7, 4.0));
  for (size_t r = 0; r < cells.size(); ++r)
    bands += densityOf(cells[r], tops[r], heights[r]);
  const uint64_t ticks = rasters.rows.front().ticks;
  for (int i = 0; i <= 4; ++i)
    bands +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"middle\">{}</text>"
                    "\n",
                    kRasterLeft + kRasterWidth * i / 4, bottom + 10,
                    tickText(double(ticks) * i / 4));
  return picture(
      bottom + 34, "Spike raster of the first sample",
      bands +
          fmt::format("<text x=\"550\" y=\"{:.1f}\" class=\"middle\">tick "
                      "of the first sample</text>",
                      bottom + 28) +
          (isDense ? fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"start "
                                 "small\">darker: more in a cell of {:.3g} "
                                 "ticks</text>",
                                 8, bottom + 28,
                                 double(ticks) * kCellWide / kRasterWidth)
                   : ""));
}

std::string rasterTable(const Rasters &rasters) {
  Table table("spikes", "What was recorded, by population",
              {{"population", "population", false},
               {"neurons", "neurons"},
               {"ticks", "ticks"},
               {"values other than 0", "events"},
               {"per neuron and tick", "rate"}});
  for (const Rasters::Population &row : rasters.rows) {
    const double slots =
        double(row.neurons) * double(row.ticks) * double(rasters.samples);
    table.add(
        {text(row.name), count(row.neurons), count(row.ticks),
         count(row.events),
         number(slots > 0 ? nlohmann::ordered_json(double(row.events) / slots)
                          : nlohmann::ordered_json(),
                "{:.4f}")});
  }
  return table.markup();
}

nlohmann::ordered_json rasterData(const Rasters &rasters) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array(), samples = Json::array();
  for (const Rasters::Population &row : rasters.rows)
    rows.push_back(
        {{"name", row.name}, {"neurons", row.neurons}, {"ticks", row.ticks}});
  for (uint64_t s = 0; s < rasters.samplesKept; ++s)
    samples.push_back(Json::array());
  for (const Rasters::Event &event : rasters.events)
    for (uint32_t value : {event.tick, event.row, event.neuron})
      samples[event.sample].push_back(value);
  return {{"rows", rows},
          {"samples", rasters.samples},
          {"marks", kMostMarks},
          {"every", rasters.every},
          {"events", samples}};
}

} // namespace dendrolith::report::html
