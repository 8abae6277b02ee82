// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/compare/StudyTable.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

std::string cell(const Json &value, const std::string &format) {
  if (value.is_null())
    return "";
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

} // namespace

std::string formatStudy(const std::vector<Json> &results,
                        const std::string &format) {
  std::vector<std::string> head;
  for (const StudyColumn &column : columns())
    head.push_back(column.head);
  std::vector<std::vector<std::string>> rows;
  for (const Json &result : results) {
    std::vector<std::string> &row = rows.emplace_back();
    for (const StudyColumn &column : columns())
      row.push_back(cell(column.value(result), format));
  }
  if (format == "csv") {
    std::string text = line(head, ",", "\r\n", csvCell);
    for (const auto &row : rows)
      text += line(row, ",", "\r\n", csvCell);
    return text;
  }
  if (format == "latex") {
    std::string text = "\\begin{tabular}{" + std::string(head.size(), 'l') +
                       "}\n" + line(head, " & ", " \\\\ \\hline\n", latexText);
    for (const auto &row : rows)
      text += line(row, " & ", " \\\\\n", latexText);
    return text + "\\end{tabular}\n";
  }
  TextTable table(head);
  for (const auto &row : rows)
    table.add(row);
  return table.text();
}

} // namespace dendrolith::report
