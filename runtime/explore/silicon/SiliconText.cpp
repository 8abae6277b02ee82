// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/SiliconText.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace dendrolith::silicon {
namespace {

using Json = nlohmann::ordered_json;

std::string predictedText(const Comparison &each) {
  const Interval &found = each.predicted;
  const double scale = each.row->scale;
  const std::string ends =
      found.low == found.high
          ? digits(found.low / scale)
          : digits(found.low / scale) + " to " + digits(found.high / scale);
  return found.value && found.low != found.high
             ? fmt::format("{} ({})", digits(*found.value / scale), ends)
             : ends;
}

std::string measuredText(const Measurement &row) {
  std::string text = digits(row.value / row.scale);
  if (row.uncertainty > 0)
    text += " +- " + digits(row.uncertainty / row.scale);
  return text + (row.unit == "1" ? "" : " " + row.unit);
}

std::string whatText(const Measurement &row) {
  std::string text = row.what;
  if (!row.counter.empty())
    text = fmt::format("{} of cores {} to {}", row.counter, row.firstCore,
                       row.lastCore);
  if (row.phase)
    text += fmt::format(", step {} of {}", *row.phase, row.period);
  return text;
}

std::string insideText(const Comparison &each) {
  if (each.isInside)
    return "yes";
  return each.predicted.low == each.predicted.high ? "no, no band"
         : each.predicted.low > each.row->value    ? "no, below"
                                                   : "no, above";
}

std::string comparedText(const std::vector<Comparison> &all) {
  report::TextTable table({"row", "chip", "network", "what", "measured",
                           "predicted", "error", "in band"});
  for (const Comparison &each : all)
    if (each.isCompared())
      table.add({each.row->id, each.row->chip, each.network(),
                 whatText(*each.row), measuredText(*each.row),
                 predictedText(each), percent(each.error), insideText(each)});
  return table.text();
}

std::string summaryText(const std::vector<Comparison> &all) {
  report::TextTable table(
      {"chip", "what", "rows", "in band", "mean error", "signed", "worst row"});
  for (const Agreement &each : summarise(all))
    table.add({each.chip, toString(each.quantity), std::to_string(each.rows),
               fmt::format("{} of {}", each.inside, each.rows),
               fmt::format("{:.1f} %", 100 * each.absolute), percent(each.bias),
               each.worst});
  return table.text();
}

/// What stands beside a row: how its network differs, and what its authors or
/// we know of it.
std::string remarkOf(const Comparison &each) {
  std::string text = each.row->note;
  if (!each.row->workload.empty()) {
    const Workload &workload = each.file->workload(each.row->workload);
    if (!workload.standsFor.empty())
      text += (text.empty() ? "" : "; ") + workload.standsFor;
  }
  return text;
}

} // namespace

std::string digits(double value) { return fmt::format("{:.4g}", value); }

std::string percent(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

std::string formatComparisons(const std::vector<Comparison> &all) {
  size_t compared = 0;
  for (const Comparison &each : all)
    compared += each.isCompared();
  std::string text = fmt::format(
      "{} measurements: {} compared, {} not rebuilt; counters first, and of "
      "each kind what is farthest off\n",
      all.size(), compared, all.size() - compared);
  text += comparedText(all) + "\n" + summaryText(all);
  std::string because, remarks, commands;
  for (const Comparison &each : all) {
    const std::string &id = each.row->id;
    if (!each.isCompared())
      because += fmt::format("  {} {} {} {}, {}: {}\n", id, each.row->chip,
                             whatText(*each.row), measuredText(*each.row),
                             each.network(), each.because);
    else if (!each.command.empty())
      commands += fmt::format("  {}: {}\n", id, each.command);
    if (const std::string remark = remarkOf(each); !remark.empty())
      remarks += fmt::format("  {}: {}\n", id, remark);
  }
  for (const auto &[title, lines] : {std::pair("Not rebuilt, because", because),
                                     {"Remarks", remarks},
                                     {"Commands", commands}})
    if (!lines.empty())
      text += fmt::format("\n{}\n{}", title, lines);
  return text;
}

static Json rowJson(const Comparison &each) {
  const Measurement &row = *each.row;
  Json json = {{"id", row.id},
               {"chip", row.chip},
               {"quantity", row.what},
               {"measured", row.value / row.scale},
               {"uncertainty", row.uncertainty / row.scale},
               {"unit", row.unit},
               {"scope", row.scope},
               {"source", row.source.citation},
               {"repository", row.source.repository},
               {"commit", row.source.commit},
               {"where", row.where},
               {"licence", row.source.licence},
               {"place", row.place},
               {"workload", row.workload},
               {"remark", remarkOf(each)},
               {"command", each.command}};
  if (!each.isCompared()) {
    json["because"] = each.because;
    return json;
  }
  json["predicted"] = {{"value", each.predicted.best() / row.scale},
                       {"low", each.predicted.low / row.scale},
                       {"high", each.predicted.high / row.scale}};
  json["error"] = each.error;
  json["in_band"] = each.isInside;
  return json;
}

Json toJson(const std::vector<Comparison> &all) {
  Json rows = Json::array(), summary = Json::array();
  for (const Comparison &each : all)
    rows.push_back(rowJson(each));
  for (const Agreement &each : summarise(all))
    summary.push_back({{"chip", each.chip},
                       {"quantity", toString(each.quantity)},
                       {"rows", each.rows},
                       {"in_band", each.inside},
                       {"mean_absolute_error", each.absolute},
                       {"mean_error", each.bias},
                       {"worst", each.worst}});
  return {{"schema", 1}, {"rows", rows}, {"summary", summary}};
}

namespace {

std::string errorText(double error) { return percent(error); }
std::string errorText(const std::optional<double> &error) {
  return error ? percent(*error) : "too few rows";
}

std::string rowsText(const Calibration &fitted) {
  bool leaves = false;
  for (const FittedRow &row : fitted.rows)
    leaves |= row.leftOut.has_value();
  std::vector<std::string> header = {"row",       "network", "what", "measured",
                                     "predicted", "before",  "after"};
  if (leaves)
    header.push_back("left out");
  report::TextTable table(header);
  for (const FittedRow &each : fitted.rows) {
    const Measurement &row = *each.row.row;
    std::vector<std::string> cells = {row.id,
                                      each.row.network(),
                                      row.what,
                                      digits(row.value / row.scale) + " " +
                                          row.unit,
                                      digits(each.predicted / row.scale),
                                      errorText(each.before),
                                      errorText(each.after)};
    if (leaves)
      cells.push_back(errorText(each.leftOut));
    table.add(cells);
  }
  return table.text();
}

struct Mean {
  double absolute = 0, bias = 0;
  size_t rows = 0;
  void add(double error) {
    absolute += std::abs(error);
    bias += error;
    ++rows;
  }
};

std::string meansText(const Calibration &fitted) {
  Mean before, after, leftOut;
  for (const FittedRow &row : fitted.rows) {
    before.add(row.before);
    after.add(row.after);
    if (row.leftOut)
      leftOut.add(*row.leftOut);
  }
  std::string text;
  for (const auto &[name, mean] :
       {std::pair("before", before), {"after", after}, {"left out", leftOut}})
    if (mean.rows)
      text += fmt::format("Mean error {}: {:.1f} %, signed {}, {} row(s)\n",
                          name, 100 * mean.absolute / double(mean.rows),
                          percent(mean.bias / double(mean.rows)), mean.rows);
  return text;
}

std::string parametersText(const Calibration &fitted) {
  report::TextTable table({"number", "unit", "shipped", "band", "fitted"});
  for (size_t i = 0; i < fitted.parameters.size(); ++i) {
    const Parameter &each = fitted.parameters[i];
    table.add(
        {(each.isPrice ? "costs." : "") + each.key, each.unit,
         fmt::format("{:.6g}", each.shipped),
         std::isinf(each.band.high)
             ? fmt::format("from {:.6g} on", each.band.low)
             : fmt::format("{:.6g} to {:.6g}", each.band.low, each.band.high),
         fmt::format("{:.6g}", fitted.values[i])});
  }
  return table.text();
}

} // namespace

std::string formatCalibration(const Calibration &fitted) {
  std::string text = fmt::format(
      "{}: {} parameter(s) fitted to {} row(s), {} replays\n", fitted.chip.name,
      fitted.parameters.size(), fitted.rows.size(), fitted.replays);
  text += parametersText(fitted) + "\n" + rowsText(fitted) + "\n" +
          meansText(fitted);
  std::string unexplained, others;
  for (const FittedRow &row : fitted.rows)
    if (!row.isExplained)
      unexplained +=
          fmt::format("  {} {}\n", row.row.row->id, row.row.row->what);
  for (const Comparison &each : fitted.others)
    others += fmt::format("  {} {}: {}\n", each.row->id, each.row->what,
                          each.because);
  if (!unexplained.empty())
    text += "\nNo values within the bands explain\n" + unexplained;
  if (!others.empty())
    text += "\nTook no part, because\n" + others;
  return text;
}

} // namespace dendrolith::silicon
