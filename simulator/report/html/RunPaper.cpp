// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunPaper.h"

#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/paper/Conventions.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

std::string listed(const Json &items) {
  std::string text;
  for (const Json &item : items)
    text += (text.empty() ? "" : ", ") + item.get<std::string>();
  return text;
}

/// One end of {low, high}; null where there is none.
Json bandEnd(const Json &row, const char *key, const char *which) {
  return row.at(key).is_object() ? row.at(key).at(which) : Json();
}

std::string conventionTable(const Json &rows) {
  Table table("conventions", "One sample by each convention",
              {{"convention", "convention", false},
               {"energy (nJ)", "energy_pJ"},
               {"chip over it, low", "chip_over_low"},
               {"chip over it, high", "chip_over_high"},
               {"process", "process", false},
               {"leaves out, or why it has no figure", "leaves_out", false}});
  for (const Json &row : rows) {
    const Json &energy = row.at("per_sample_pJ");
    table.add({text(row.at("name")),
               energy.is_null()
                   ? Cell{"", ""}
                   : Cell{fmt::format("{:.3f}", energy.get<double>() / 1e3),
                          exact(energy)},
               number(bandEnd(row, "chip_over", "low"), "{:.3g}"),
               number(bandEnd(row, "chip_over", "high"), "{:.3g}"),
               text(row.at("node")),
               text(!energy.is_null() || row.at("reason").is_null()
                        ? listed(row.at("leaves_out"))
                        : row.at("reason").get<std::string>())});
  }
  return table.markup();
}

std::string termTable(const Json &rows) {
  Table table("convention-terms", "What enters each figure",
              {{"convention", "convention", false},
               {"term", "term", false},
               {"formula", "formula", false},
               {"count", "count"},
               {"energy (nJ)", "energy_pJ"}});
  for (const Json &row : rows)
    if (!row.at("terms").is_null())
      for (const Json &term : row.at("terms")) {
        const Json &energy = term.at("energy_pJ"), &each = term.at("each");
        table.add(
            {text(row.at("name")), text(term.at("name")),
             text(term.at("formula").get<std::string>() +
                  (each.is_null() ? "" : " x " + each.get<std::string>())),
             number(term.at("count"), "{:.0f}"),
             energy.is_null()
                 ? Cell{"", ""}
                 : Cell{fmt::format("{:.3f}", energy.get<double>() / 1e3),
                        exact(energy)}});
      }
  return table.markup();
}

std::string sourceTable(const Json &rows) {
  Table table("convention-sources", "Where each is from",
              {{"convention", "convention", false},
               {"what it is", "description", false},
               {"source", "source", false}});
  for (const Json &row : rows)
    for (const auto &[key, citation] : row.at("sources").items())
      table.add({text(row.at("name")), text(row.at("description")),
                 text(key + ": " + citation.get<std::string>())});
  return table.markup();
}

constexpr double kLeft = 84, kTop = 10, kWidth = 620, kHeight = 300;
/// The axis of activities goes so many powers of ten to both sides.
constexpr int kTens = 2;

/// A line of the picture, by its name at the right end.
struct Line {
  std::string name, style;
  double y = 0; // of its end
};

/// Energy over activity: what the chip spends in every step and, growing with
/// the spikes, on what fires, and the twins, which know no activity.
class BreakEvenPicture {
public:
  BreakEvenPicture(const Json &twins, std::string chip)
      : twins(twins), chip(std::move(chip)),
        quiet(twins.front().at("break_even").at("quiet_pJ")),
        firing(twins.front().at("break_even").at("firing_pJ")) {
    double least = chipAt("low", -kTens), most = chipAt("high", kTens);
    for (const Json &twin : twins) {
      least = std::min(least, twin.at("per_sample_pJ").get<double>());
      most = std::max(most, twin.at("per_sample_pJ").get<double>());
    }
    bottom = std::floor(std::log10(std::max(least, 1e-3)));
    top = std::max(std::ceil(std::log10(std::max(most, 1e-3))), bottom + 1);
  }

  std::string markup() {
    axes();
    chipBand();
    size_t style = 1;
    for (const Json &twin : twins) {
      const double pJ = twin.at("per_sample_pJ");
      const std::string look = fmt::format("s{}", style++ % 6);
      out += fmt::format("<path class=\"state {}\" stroke-dasharray=\"{} 3\" "
                         "d=\"M{} {:.1f}h{}\"/>\n",
                         look, 3 * style, kLeft, yOf(pJ), kWidth);
      crossings(twin, pJ);
      lines.push_back({twin.at("name"), look, yOf(pJ)});
    }
    names();
    return picture(kTop + kHeight + 40,
                   "Energy of a sample over activity, of the chip and of the "
                   "same layers as conventional networks",
                   out);
  }

private:
  double chipAt(const char *end, double ten) const {
    return quiet.at(end).get<double>() +
           std::pow(10, ten) * firing.at(end).get<double>();
  }
  double xOf(double ten) const {
    return kLeft + kWidth * (ten + kTens) / (2 * kTens);
  }
  double yOf(double pJ) const {
    return kTop + kHeight * (1 - (std::log10(std::max(pJ, 1e-3)) - bottom) /
                                     (top - bottom));
  }

  void axes() {
    out += fmt::format("<rect class=\"plot\" x=\"{}\" y=\"{}\" width=\"{}\" "
                       "height=\"{}\"/>\n",
                       kLeft, kTop, kWidth, kHeight);
    for (double ten = bottom; ten <= top; ++ten) {
      const double pJ = std::pow(10, ten), y = yOf(pJ);
      const Unit unit = energyUnit(pJ);
      out += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/><text "
                         "class=\"end\" x=\"{}\" y=\"{:.1f}\">{} {}</text>\n",
                         kLeft, y, kWidth, kLeft - 8, y + 4,
                         tickText(pJ / unit.size), unit.name);
    }
    for (int ten = -kTens; ten <= kTens; ++ten)
      out +=
          fmt::format("<path class=\"{}\" d=\"M{:.1f} {}v{}\"/><text "
                      "class=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                      ten ? "grid" : "axis", xOf(ten), kTop, kHeight, xOf(ten),
                      kTop + kHeight + 16, tickText(std::pow(10, ten)));
    out += fmt::format("<text class=\"middle\" x=\"{}\" y=\"{}\">activity, in "
                       "parts of this run's</text>\n",
                       kLeft + kWidth / 2, kTop + kHeight + 34);
  }

  void chipBand() {
    constexpr int kPoints = 40;
    std::string low, back;
    for (int i = 0; i <= kPoints; ++i) {
      const double ten = kTens * (2.0 * i / kPoints - 1);
      low += fmt::format("{}{:.1f} {:.1f}", i ? "L" : "M", xOf(ten),
                         yOf(chipAt("low", ten)));
      back = fmt::format("L{:.1f} {:.1f}", xOf(ten), yOf(chipAt("high", ten))) +
             back;
    }
    out += fmt::format("<path class=\"onesoft\" d=\"{}{}Z\"/><path "
                       "class=\"state s0\" d=\"{}\"/>\n",
                       low, back, low);
    lines.push_back({chip, "s0", yOf(chipAt("low", kTens))});
  }

  /// Where the chip costs as much as a twin, by the ends of its prices.
  void crossings(const Json &twin, double pJ) {
    for (const char *which : {"low", "high"}) {
      const Json &activity = twin.at("break_even").at("activity").at(which);
      if (!activity.is_number())
        continue;
      const double ten = std::log10(activity.get<double>());
      if (std::abs(ten) <= kTens)
        out += fmt::format("<circle class=\"one\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
                           "r=\"3.5\"><title>{:.3g} times this activity"
                           "</title></circle>\n",
                           xOf(ten), yOf(pJ), activity.get<double>());
    }
  }

  /// Names that would lie on each other move down.
  void names() {
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line &a, const Line &b) { return a.y < b.y; });
    double above = -1e9;
    for (const Line &line : lines) {
      const double y = std::max(line.y, above + 14);
      out +=
          fmt::format("<path class=\"state {}\" d=\"M{} {:.1f}L{} {:.1f}\"/>"
                      "<text class=\"start\" x=\"{}\" y=\"{:.1f}\">{}"
                      "</text>\n",
                      line.style, kLeft + kWidth, line.y, kLeft + kWidth + 12,
                      y, kLeft + kWidth + 16, y + 4, escape(line.name));
      above = y;
    }
  }

  const Json &twins;
  const std::string chip;
  const Json &quiet, &firing;
  double bottom = 0, top = 1; // powers of ten of pJ
  std::vector<Line> lines;
  std::string out;
};

std::string breakEvenTable(const Json &twins) {
  Table table("break-even",
              "Where the chip's events cost as much, by the low and the high "
              "end of its prices",
              {{"conventional network", "convention", false},
               {"activity, low", "activity_low"},
               {"activity, high", "activity_high"},
               {"steps, low", "steps_low"},
               {"steps, high", "steps_high"}});
  for (const Json &twin : twins) {
    const Json &even = twin.at("break_even");
    table.add({text(twin.at("name")),
               number(bandEnd(even, "activity", "low"), "{:.3g}"),
               number(bandEnd(even, "activity", "high"), "{:.3g}"),
               number(bandEnd(even, "steps", "low"), "{:.3g}"),
               number(bandEnd(even, "steps", "high"), "{:.3g}")});
  }
  return table.markup();
}

std::string breakEvenFigure(const RunView &run, const Json &rows) {
  Json twins = Json::array();
  for (const Json &row : rows)
    if (row.at("break_even").is_object())
      twins.push_back(row);
  if (twins.empty())
    return "";
  const std::string chip = run.result.at("target").at("name");
  return figure("Energy of a sample over activity, of the chip's events and of "
                "the same layers as a conventional network, once a sample and "
                "once a step. Where the lines meet, both cost as much.",
                BreakEvenPicture(twins, chip).markup(),
                folded("Table of break-evens", breakEvenTable(twins)));
}

} // namespace

std::string byConvention(const RunView &run) {
  std::vector<Convention> conventions;
  try {
    conventions = allConventions();
  } catch (const Error &error) {
    // A file of the user's own must not cost a run its page.
    return figure(std::string("No figure: ") + escape(error.what()), "", "");
  }
  const Json flows =
      run.tables.is_null() ? Json() : run.tables.value("flows", Json());
  const Json rows = conventionRows(run.result, flows, conventions);
  if (std::none_of(rows.begin(), rows.end(), [](const Json &row) {
        return row.at("per_sample_pJ").is_number();
      }))
    return "";
  return figure("One sample of this run as papers count it, beside the events "
                "of the chip.",
                conventionTable(rows),
                folded("Table of what enters", termTable(rows)) +
                    folded("Table of sources", sourceTable(rows))) +
         breakEvenFigure(run, rows);
}

} // namespace dendrolith::report::html
