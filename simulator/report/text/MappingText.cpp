// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/MappingText.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

static std::string numberText(const Json &value) {
  return fmt::format("{:.4g}", value.get<double>());
}

static std::string tradeOffTable(const Json &rows) {
  if (rows.size() < 2)
    return "";
  TextTable table({"cores", "ns/step", "pJ/step", "", "how"});
  bool dominated = false, rough = false;
  for (const Json &row : rows) {
    // What another one beats in everything would only make the table longer.
    if (!row.at("pareto").get<bool>() && !row.at("chosen").get<bool>()) {
      dominated = true;
      continue;
    }
    table.add({std::to_string(row.at("cores").get<uint64_t>()),
               numberText(row.at("step_ns")),
               row.at("step_pj").is_null() ? "" : numberText(row.at("step_pj")),
               row.at("chosen").get<bool>() ? "chosen"
               : row.value("rough", false)  ? "rough"
                                            : "",
               row.at("how").get<std::string>()});
    rough |= row.value("rough", false);
  }
  return fmt::format("Looked at {} mappings (predicted{}{}):\n{}", rows.size(),
                     rough ? ", rough ones from few of the steps" : "",
                     dominated ? "; those that another one beats in cores, "
                                 "time and energy are left out"
                               : "",
                     table.text());
}

std::string formatMapping(const Json &mapping) {
  std::string out = fmt::format("Mapping: {} core(s) by solver '{}'",
                                mapping.at("cores").get<uint64_t>(),
                                mapping.at("solver").get<std::string>());
  std::string objective = mapping.at("objective");
  out += objective.empty() ? "\n" : ", for " + objective + "\n";
  std::string fewer = mapping.at("fewer_cores");
  if (!fewer.empty())
    out += fewer + "\n";
  if (!mapping.at("bounds").empty()) {
    out += "Cores that are needed in any case:";
    const char *sep = " ";
    for (const Json &bound : mapping.at("bounds")) {
      out += fmt::format("{}{} for {}", sep, bound.at("cores").get<uint64_t>(),
                         bound.at("resource").get<std::string>());
      sep = ", ";
    }
    out += "\n";
  }
  if (!mapping.at("terms").empty()) {
    TextTable table({"predicted, per step", "unit", "value", "round-robin"});
    for (const Json &term : mapping.at("terms"))
      table.add({term.at("name").get<std::string>(),
                 term.at("unit").get<std::string>(),
                 numberText(term.at("value")),
                 numberText(term.at("baseline"))});
    out += table.text() + "from " + mapping.at("activity").get<std::string>() +
           "\n";
  }
  out += tradeOffTable(mapping.at("trade_off"));
  if (!mapping.at("hotspots").empty()) {
    TextTable table({"predicted: steps wait for", "ns/step", "cause"});
    for (const Json &spot : mapping.at("hotspots"))
      table.add({spot.at("where").get<std::string>(),
                 numberText(spot.at("step_ns")),
                 spot.at("cause").get<std::string>()});
    out += table.text();
  }
  return out;
}

using Json = nlohmann::ordered_json;

std::string formatBoard(const Json &result) {
  const auto found = result.find("board");
  if (found == result.end())
    return "";
  const Json &board = *found;
  auto number = [](const Json &value) { return value.get<uint64_t>(); };
  auto ns = [&](const char *key) {
    return double(number(board.at(key))) / 1e3;
  };
  std::string out = fmt::format(
      "Board: {} of {} x {} chips in use; a link between chips takes {:.4g} "
      "ns and a flit each {:.4g} ns, the barrier over the chips {:.4g} ns\n",
      board.at("chips").size(), number(board.at("chips_x")),
      number(board.at("chips_y")), ns("link_ps"), ns("interval_ps"),
      ns("barrier_ps"));
  TextTable chips({"chip", "at", "cores"});
  for (const Json &chip : board.at("chips"))
    chips.add(
        {std::to_string(number(chip.at("chip"))),
         fmt::format("{}, {}", number(chip.at("x")), number(chip.at("y"))),
         std::to_string(number(chip.at("cores")))});
  out += chips.text();
  if (board.at("edges").empty())
    return out;
  TextTable edges(
      {"chips", "links", "flits", "busiest link", "busy", "mean wait"});
  for (const Json &edge : board.at("edges")) {
    const uint64_t flits = number(edge.at("flits"));
    const bool timed = !edge.at("waited_ps").is_null();
    edges.add(
        {fmt::format("{} to {}", number(edge.at("from")),
                     number(edge.at("to"))),
         std::to_string(number(edge.at("links"))), std::to_string(flits),
         fmt::format("{} flits", number(edge.at("busiest_link_flits"))),
         timed ? fmt::format("{:.1f} %",
                             100 * edge.at("busiest_link_share").get<double>())
               : "",
         timed ? fmt::format("{:.4g} ns", double(number(edge.at("waited_ps"))) /
                                              1e3 / double(flits))
               : ""});
  }
  return out + edges.text();
}

} // namespace dendrolith::report
