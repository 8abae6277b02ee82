// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/BoardText.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {

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
