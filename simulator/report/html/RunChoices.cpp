// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunChoices.h"

#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include "simulator/report/result/NamedValues.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

/// Right and wrong answers by class, shaded by how many there are.
std::string confusionTable(const Json &confusion) {
  const Json &counts = confusion.at("counts");
  constexpr size_t kMostClasses = 40;
  if (counts.size() > kMostClasses)
    return "";
  uint64_t most = 1;
  for (const Json &row : counts)
    for (const Json &cell : row)
      most = std::max(most, cell.get<uint64_t>());
  std::string out =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Confusion matrix\"><table class=\"confusion\" "
      "data-csv=\"confusion\"><caption>Labels down, answers across</caption>"
      "<thead><tr><th scope=\"col\" data-key=\"label\">label</th>";
  for (size_t c = 0; c < counts.size(); ++c)
    out += fmt::format("<th scope=\"col\" data-key=\"{0}\">{0}</th>", c);
  out += "</tr></thead><tbody>\n";
  for (size_t r = 0; r < counts.size(); ++r) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", r);
    for (size_t c = 0; c < counts[r].size(); ++c) {
      const uint64_t times = counts[r][c];
      const int shade = times ? int(1 + 5 * times / most) : 0;
      out += fmt::format("<td class=\"x{}{}\">{}</td>", shade,
                         r == c ? " diagonal" : "", times);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string leaf(const Json &value) {
  return value.is_null()           ? ""
         : value.is_string()       ? escape(value.get<std::string>())
         : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
         : value.is_number_unsigned() ? grouped(value.get<uint64_t>())
                                      : escape(value.dump());
}

Cell cellOf(const Json &value) {
  return {leaf(value),
          value.is_number() ? std::optional(exact(value)) : std::nullopt};
}

} // namespace

std::string scoreDetails(const RunView &run) {
  const Json &confusion = run.result.at("confusion");
  const Json &compare = run.result.at("compare");
  std::string out;
  if (!confusion.is_null())
    if (const std::string table = confusionTable(confusion); !table.empty())
      out += figure("Answers by class", table, "");
  if (compare.is_null())
    return out;
  Table table("agreement",
              "Beside the " + compare.at("engine").get<std::string>() +
                  " engine",
              {{"what", "what", false}, {"value", "value"}});
  NamedValues values;
  flatten(compare, "", values);
  for (const auto &[name, value] : values)
    if (value.is_number() && name.rfind("score.", 0) != 0)
      table.add({text(name), cellOf(value)});
  return table.empty() ? out
                       : out + folded("Agreement in numbers", table.markup());
}

std::string neuroBenchTable(const RunView &run) {
  const Json &fields = run.result.at("neurobench");
  if (fields.is_null())
    return "";
  NamedValues integers, reals;
  flatten(fields.value("float", Json::object()), "", reals);
  if (fields.at("integer").is_object())
    flatten(fields.at("integer"), "", integers);
  else // a float run
    for (const auto &[name, value] : reals)
      integers.emplace_back(name, Json());
  Table table("neurobench", "Metrics by the definitions of NeuroBench",
              {{"metric", "metric", false},
               {"network of integers", "integer"},
               {"float network", "float"}});
  for (const auto &[name, value] : integers) {
    const std::string &wanted = name; // lambdas take no binding in C++17
    const auto beside =
        std::find_if(reals.begin(), reals.end(),
                     [&](const auto &other) { return other.first == wanted; });
    const Json other = beside == reals.end() ? Json() : beside->second;
    if (!value.is_null() || !other.is_null())
      table.add({text(name), cellOf(value), cellOf(other)});
  }
  return table.empty() ? "" : figure("", table.markup(), "");
}

/// How a mapping that was looked at stands among all of them. Where few of its
/// steps were replayed, its time and energy are rough.
std::string standingOf(const Json &row) {
  const std::string standing = row.at("chosen").get<bool>()   ? "chosen"
                               : row.at("pareto").get<bool>() ? "not beaten"
                                                              : "";
  if (!row.value("rough", false))
    return standing;
  return standing.empty() ? "rough" : standing + ", rough";
}

std::string mappingOf(const RunView &run) {
  const Json &mapping = run.result.at("mapping");
  if (mapping.is_null())
    return "";
  std::string lead =
      fmt::format("{} cores by solver '{}'{}", grouped(mapping.at("cores")),
                  escape(mapping.at("solver")),
                  mapping.at("objective") == ""
                      ? ""
                      : ", for " + escape(mapping.at("objective")));
  Table mappings(
      "mappings",
      "Mappings that were looked at, predicted; rough ones from few of "
      "the steps",
      {{"cores", "cores"},
       {"ns per step", "step_ns"},
       {"pJ per step", "step_pj"},
       {"", "chosen", false},
       {"how", "how", false}});
  for (const Json &row : mapping.at("trade_off"))
    mappings.add({count(row.at("cores")), number(row.at("step_ns"), "{:.4g}"),
                  number(row.at("step_pj"), "{:.6g}"), text(standingOf(row)),
                  text(row.at("how"))});
  Table spots("hotspots", "Whom steps wait for, predicted",
              {{"where", "where", false},
               {"ns per step", "step_ns"},
               {"cause", "cause", false},
               {"remedy, predicted", "remedy", false}});
  for (const bool isRemedied : {true, false})
    for (const Json &row : mapping.at("hotspots"))
      if ((row.at("remedy") != "") == isRemedied)
        spots.add({text(row.at("where")), number(row.at("step_ns"), "{:.4g}"),
                   text(row.at("cause")), text(row.at("remedy"))});
  std::string tables;
  if (!spots.empty())
    tables += spots.markup();
  if (!mappings.empty())
    tables += folded("Table of other mappings", mappings.markup());
  return figure(lead, "", tables);
}

std::string choicesOf(const RunView &run) {
  Table choices("choices", "What was chosen",
                {{"what", "what", false}, {"value", "value", false}});
  for (const auto &[key, value] : run.result.at("policies").items())
    choices.add({text(key), text(value.get<std::string>())});
  Table rewrites("rewrites", "Rewrites of the network",
                 {{"what", "what", false}, {"value", "value", false}});
  const Json &rewritten = run.result.at("rewrites");
  for (size_t i = 0; i < rewritten.size(); ++i) {
    NamedValues changed;
    flatten(rewritten[i], std::to_string(i + 1), changed);
    for (const auto &[name, value] : changed)
      if (!value.is_null())
        rewrites.add({text(name), cellOf(value)});
  }
  Table bits("quantisation", "Quantisation",
             {{"layer", "layer", false},
              {"from", "source", false},
              {"weight bits", "weight_bits"},
              {"weights", "weights"},
              {"clipped", "clipped"},
              {"zeroed", "zeroed"},
              {"largest error (% of the largest weight)", "max_error"},
              {"detail", "detail", false}});
  const Json &rows = run.result.at("quantisation");
  if (!rows.is_null())
    for (const Json &row : rows) {
      const bool isNeurons = row.at("source") == "";
      auto ofWeights = [&](const char *key) {
        return isNeurons ? Cell{"", ""} : count(row.at(key));
      };
      bits.add({text(row.at("layer")),
                text(isNeurons ? "its neurons"
                               : row.at("source").get<std::string>()),
                ofWeights("weight_bits"), ofWeights("weights"),
                ofWeights("clipped"), ofWeights("zeroed"),
                isNeurons ? Cell{"", ""}
                          : number(row.at("max_error"), "{:.2f}", 100),
                text(row.at("detail"))});
    }
  Table origin("provenance", "SHA-256 of what this result depends on",
               {{"what", "what", false}, {"sha256", "sha256", false}});
  auto add = [&](const char *what, const Json &hash) {
    if (!hash.is_null())
      origin.add({text(what), text(hash.get<std::string>())});
  };
  add("model", run.result.at("model").at("sha256"));
  add("program", run.result.at("program_sha256"));
  for (const char *key : {"target", "timing"})
    if (!run.result.at(key).is_null())
      add(key, run.result.at(key).at("sha256"));
  if (const Json &costs = run.result.at("costs"); !costs.is_null()) {
    add("prices, low end", costs.at("low").at("sha256"));
    add("prices, high end", costs.at("high").at("sha256"));
  }
  std::string out;
  for (const Table *table : {&choices, &rewrites, &bits, &origin})
    if (!table->empty())
      out += table->markup();
  return out.empty() ? "" : figure("", out, "");
}

} // namespace dendrolith::report::html
