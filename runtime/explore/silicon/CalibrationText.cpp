// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/CalibrationText.h"

#include "runtime/explore/silicon/SiliconText.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <cmath>

namespace dendrolith::silicon {
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
