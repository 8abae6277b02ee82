// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/compare/StudyTable.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

namespace {

struct StudyColumn {
  const char *head; ///< with the unit
  std::function<Json(const Json &result)> value;
};

/// A member of the summary's member, null where either is.
std::function<Json(const Json &)> part(const char *of, const char *member,
                                       double scale = 1) {
  return [=](const Json &result) -> Json {
    const Json &whole = result.at("summary").at(of);
    if (whole.is_null() || whole.at(member).is_null())
      return nullptr;
    const Json &value = whole.at(member);
    return value.is_number() ? Json(value.get<double>() * scale) : value;
  };
}

std::function<Json(const Json &)> plain(const char *key) {
  return [=](const Json &result) { return result.at("summary").at(key); };
}

/// Events and static energy together, null where either is not known.
std::function<Json(const Json &)> together(const char *end) {
  return [=](const Json &result) -> Json {
    const Json events = part("energy_per_sample_pJ", end, 1e-3)(result),
               still = part("static_per_sample_pJ", end, 1e-3)(result);
    return events.is_null() || still.is_null()
               ? Json()
               : Json(events.get<double>() + still.get<double>());
  };
}

/// Names of the cost tables: one, or both ends of a band.
Json costsOf(const Json &result) {
  const Json &costs = result.at("costs");
  if (costs.is_null())
    return nullptr;
  const std::string low = costs.at("low").at("name"),
                    high = costs.at("high").at("name");
  return low == high ? low : low + " to " + high;
}

const std::vector<StudyColumn> &columns() {
  static const std::vector<StudyColumn> all = {
      {"model", plain("model")},
      {"target", plain("target")},
      {"engine", plain("engine")},
      {"costs", costsOf},
      {"samples", plain("samples")},
      {"cores", plain("cores")},
      {"score", part("score", "value")},
      {"float score", part("float_score", "value")},
      {"events low (nJ)", part("energy_per_sample_pJ", "low", 1e-3)},
      {"events high (nJ)", part("energy_per_sample_pJ", "high", 1e-3)},
      {"bound", part("energy_per_sample_pJ", "bound")},
      {"static low (nJ)", part("static_per_sample_pJ", "low", 1e-3)},
      {"static high (nJ)", part("static_per_sample_pJ", "high", 1e-3)},
      {"together low (nJ)", together("low")},
      {"together high (nJ)", together("high")},
      {"latency (us)", part("latency_per_sample_ns", "mean", 1e-3)},
      {"p95 (us)", part("latency_per_sample_ns", "p95", 1e-3)},
      {"pJ per synop", part("pJ_per_synop", "low")},
      {"dense FP32 (nJ)", part("baselines", "dense_fp32_pJ", 1e-3)},
      {"dense int8 (nJ)", part("baselines", "dense_int8_pJ", 1e-3)},
      {"QNN bits", part("baselines", "quantised_bits")},
      {"QNN (nJ)", part("baselines", "quantised_pJ", 1e-3)},
      {"warnings", plain("warnings")},
  };
  return all;
}

/// A value with the ends of its interval, where the result has them.
Json withInterval(const Json &result, const std::string &head, Json value) {
  const bool isTime = head == "latency (us)";
  if (value.is_null() || !(isTime || head == "score" || head == "float score"))
    return value;
  const Json whole = result.at("summary").at(isTime ? "latency_per_sample_ns"
                                             : head == "score" ? "score"
                                                               : "float_score");
  const Json ends = isTime ? whole.value("interval", Json()) : whole;
  if (!ends.is_object() || !ends.value("low", Json()).is_number() ||
      !ends.value("high", Json()).is_number())
    return value;
  const double scale = isTime ? 1e-3 : 1;
  return {{"value", value},
          {"low", ends.at("low").get<double>() * scale},
          {"high", ends.at("high").get<double>() * scale}};
}

/// As many digits as say two of half the interval: "13.94 (13.83--14.08)".
std::string intervalText(const Json &value) {
  const double low = value.at("low"), high = value.at("high");
  const int digits =
      high > low ? 1 - int(std::floor(std::log10((high - low) / 2))) : 3;
  return fmt::format("{0:.{3}f} ({1:.{3}f}--{2:.{3}f})",
                     value.at("value").get<double>(), low, high,
                     std::clamp(digits, 0, 9));
}

std::string cell(const Json &value, const std::string &format) {
  if (value.is_null())
    return "";
  if (value.is_object())
    return intervalText(value);
  if (value.is_number_float() && format == "latex" &&
      std::abs(value.get<double>()) >= 1e4)
    return fmt::format("{:.0f}", value.get<double>()); // no exponent
  if (value.is_number_float())
    return fmt::format(fmt::runtime(format == "csv" ? "{:.10g}" : "{:.4g}"),
                       value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string line(const std::vector<std::string> &cells, const char *between,
                 const char *end, std::string (*written)(const std::string &)) {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i)
    text += (i ? between : "") + written(cells[i]);
  return text + end;
}

/// A column of a paper's table: text on the left, numbers on the right.
struct PaperColumn {
  std::string head;
  bool isNumber = false;
  std::vector<std::string> cells; ///< LaTeX
};

/// Both ends of a band stand in one column, with the sign of a bound.
std::vector<PaperColumn>
paperColumns(const std::vector<std::vector<Json>> &rows) {
  std::vector<PaperColumn> made;
  size_t bound = 0;
  while (std::string(columns()[bound].head) != "bound")
    ++bound;
  for (size_t c = 0; c < columns().size(); ++c) {
    std::string head = columns()[c].head;
    if (c == bound)
      continue;
    const size_t low = head.find(" low (");
    const bool isBand = low != head.npos;
    PaperColumn column{isBand ? head.erase(low, 4) : head, true, {}};
    for (const std::vector<Json> &row : rows) {
      column.isNumber &= !row[c].is_string();
      std::string text = latexText(cell(row[c], "latex"));
      if (isBand) {
        const std::string end = latexText(cell(row[c + 1], "latex"));
        text += end == text ? "" : "--" + end;
        if (c < bound && row[bound] == ">=")
          text = "$\\ge$" + text;
        else if (c < bound && row[bound] == "<=")
          text = "$\\le$" + text;
        else if (c < bound && row[bound] == "~")
          text = "$\\approx$" + text;
      }
      column.cells.push_back(std::move(text));
    }
    made.push_back(std::move(column));
    c += isBand; // its other end
  }
  return made;
}

/// A table of a paper: what all rows have in common stands in its caption, and
/// what no row knows is left out.
std::string latexTable(const std::vector<std::vector<Json>> &rows) {
  std::string caption, shape;
  std::vector<std::vector<std::string>> lines(rows.size() + 1);
  for (const PaperColumn &column : paperColumns(rows)) {
    const bool isSame = std::equal(column.cells.begin() + 1, column.cells.end(),
                                   column.cells.begin());
    if (isSame && column.cells.front().empty())
      continue;
    if (isSame && rows.size() > 1 && column.head != "model") {
      caption += fmt::format("{}{}: {}", caption.empty() ? "" : "; ",
                             latexText(column.head), column.cells.front());
      continue;
    }
    shape += column.isNumber ? 'r' : 'l';
    lines.front().push_back(latexText(column.head));
    for (size_t r = 0; r < rows.size(); ++r)
      lines[r + 1].push_back(column.cells[r]);
  }
  std::string text = "\\begin{table}\n\\caption{" +
                     (caption.empty() ? "" : "All rows: " + caption + ". ") +
                     "Energy and latency are those of one sample in "
                     "simulation.}\n\\centering\n\\begin{tabular}{" +
                     shape + "}\n\\hline\n";
  auto asIs = [](const std::string &cell) { return cell; };
  for (size_t r = 0; r < lines.size(); ++r)
    text += line(lines[r], " & ", r ? " \\\\\n" : " \\\\ \\hline\n", asIs);
  return text + "\\hline\n\\end{tabular}\n\\end{table}\n";
}

} // namespace

std::string formatStudy(const std::vector<Json> &results,
                        const std::string &format) {
  std::vector<std::string> head;
  for (const StudyColumn &column : columns())
    head.push_back(column.head);
  std::vector<std::vector<Json>> values;
  std::vector<std::vector<std::string>> rows;
  for (const Json &result : results) {
    std::vector<Json> &known = values.emplace_back();
    std::vector<std::string> &row = rows.emplace_back();
    for (const StudyColumn &column : columns()) {
      known.push_back(column.value(result));
      row.push_back(cell(known.back(), format));
      if (format == "latex")
        known.back() = withInterval(result, column.head, known.back());
    }
  }
  if (format == "csv") {
    std::string text = line(head, ",", "\r\n", csvCell);
    for (const auto &row : rows)
      text += line(row, ",", "\r\n", csvCell);
    return text;
  }
  if (format == "latex")
    return latexTable(values);
  TextTable table(head);
  for (const auto &row : rows)
    table.add(row);
  return table.text();
}

} // namespace dendrolith::report
