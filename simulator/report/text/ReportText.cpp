// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ReportText.h"

#include "simulator/report/result/NamedValues.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/ScoreText.h"
#include "simulator/report/text/ShortText.h"
#include "simulator/report/text/SlowSteps.h"
#include "simulator/report/text/SpikeText.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string numberText(const Json &value) {
  return fmt::format("{:.4g}", value.get<double>());
}

std::string tradeOffTable(const Json &rows) {
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

/// The "mapping" of programFacts(): what was minimised, what a step is
/// predicted to cost beside round-robin, which numbers of cores were looked at,
/// and what steps wait for. Ends with a newline.
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

/// Tables of the chips in use and of the links from one to the next; empty
/// where the chip stands alone.
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

std::string fitTable(const Json &fit) {
  TextTable table({"resource", "used", "limit", "used %", "worst core",
                   "largest contributor"});
  for (const Json &row : fit) {
    uint64_t used = row.at("used");
    bool limited = !row.at("limit").is_null();
    table.add({row.at("resource").get<std::string>() + " [" +
                   row.at("unit").get<std::string>() + "]",
               grouped(used), limited ? grouped(row.at("limit")) : "unlimited",
               limited ? fmt::format("{:.1f}", 100.0 * double(used) /
                                                   double(row.at("limit")))
                       : "",
               std::to_string(row.at("worst_core").get<uint64_t>()),
               row.at("population").get<std::string>()});
  }
  return "Fit (per core unless said, worst core shown)\n" + table.text();
}

std::string quantisationTable(const Json &rows) {
  if (rows.empty())
    return "Quantisation: none, the network is written in integers\n";
  TextTable table({"layer", "from", "weights", "shift", "clipped", "zeroed",
                   "lossless", "largest error"});
  std::string neurons;
  for (const Json &row : rows) {
    if (row.at("source").get<std::string>().empty()) {
      neurons += "  " + row.at("layer").get<std::string>() + ": " +
                 row.at("detail").get<std::string>() + "\n";
      continue;
    }
    table.add({row.at("layer"), row.at("source"),
               fmt::format("{} x {} bit", grouped(row.at("weights")),
                           row.at("weight_bits").get<uint64_t>()),
               std::to_string(row.at("shift").get<int64_t>()),
               grouped(row.at("clipped")), grouped(row.at("zeroed")),
               row.at("lossless").get<bool>() ? "yes" : "no",
               fmt::format("{:.2f} % of the largest weight",
                           100 * row.at("max_error").get<double>())});
  }
  return "Quantisation\n" + table.text() + neurons;
}

} // namespace

std::string formatProgramFacts(const Json &facts) {
  std::string out;
  if (!facts.at("policies").empty()) {
    out += "Choices\n";
    for (const auto &[key, value] : facts.at("policies").items())
      out += "  " + key + ": " + value.get<std::string>() + "\n";
    out += "\n";
  }
  const Json &schedule = facts.at("schedule");
  std::string critical = schedule.at("critical_cycle");
  out += fmt::format("Schedule: {} step(s) per tick, {} steps deep{}; phases:",
                     schedule.at("period_steps").get<uint64_t>(),
                     schedule.at("depth_steps").get<uint64_t>(),
                     critical.empty() ? "" : ", bounded by " + critical);
  for (const auto &[name, population] : schedule.at("populations").items()) {
    out += fmt::format(" {}={}", name, population.at("phase").get<uint64_t>());
    if (population.at("ticks").get<uint64_t>() > 1)
      out += fmt::format(" ({} ticks, {} step(s) apart)",
                         population.at("ticks").get<uint64_t>(),
                         population.at("stride_steps").get<uint64_t>());
  }
  out += "\n\n" + formatMapping(facts.at("mapping")) + "\n";
  out += formatRewrites(facts);
  out += fitTable(facts.at("fit")) + "\n" +
         quantisationTable(facts.at("quantisation"));
  for (const Json &limit : facts.at("overridden_limits"))
    out += fmt::format("Overridden by request: limit '{}' of {}, used {}\n",
                       limit.at("name").get<std::string>(),
                       limit.at("limit").get<uint64_t>(),
                       limit.at("used").get<uint64_t>());
  return out;
}

static std::string executionText(const Json &result,
                                 const std::string &energyText) {
  double samples = double(result.at("samples").get<uint64_t>());
  std::string out;
  if (!result.at("spike_values").empty())
    out += formatSpikeValues(result.at("spike_values")) + "\n";
  NamedValues counters;
  flatten(result.at("counts").at("total"), "", counters);
  TextTable table({"count", "total", "per sample"});
  for (const auto &[name, count] : counters)
    if (const uint64_t value = count.is_number_unsigned() ? uint64_t(count) : 0)
      table.add({eventTitle(name), grouped(value),
                 fmt::format("{:.1f}", double(value) / samples)});
  return out + "Counts (all samples)\n" + table.text() + outputsLine(result) +
         "\n" + totalsLine(result.at("samples").get<uint64_t>()) + energyText +
         "\n" + energyLine(result.at("summary")) +
         baselineLine(result.at("summary")) +
         eventsLine(result.value("events", Json())) +
         saturationLine(result.at("saturations")) + latencyLine(result) +
         utilisationLine(result) + formatSlowSteps(result) +
         formatBoard(result);
}

std::string formatResult(const Json &result, const std::string &energyText) {
  std::string out = formatScore(result) + formatConfusion(result) +
                    formatLayerAgreement(result) + formatWarnings(result);
  out += result.at("counts").is_null()
             ? fmt::format("{} samples of {} ticks in the {} engine\n",
                           result.at("samples").get<uint64_t>(),
                           result.at("ticks").get<uint64_t>(),
                           result.at("engine").get<std::string>())
             : executionText(result, energyText);
  const Json &wall = result.at("wall_s");
  out += fmt::format(
      "Host: load {:.2f} s, compile {:.2f} s, prepare {:.2f} s, "
      "simulate {:.2f} s, check {:.2f} s; peak memory {:.0f} MB\n",
      wall.at("load").get<double>(), wall.at("compile").get<double>(),
      wall.at("prepare").get<double>(), wall.at("simulate").get<double>(),
      wall.at("check").get<double>(),
      result.at("peak_rss_bytes").get<double>() / 1e6);
  return out + countWarnings(result);
}

/// Shortens ids such as "0-3, 7" where they become too long to read.
static std::string shortened(const std::string &ids) {
  constexpr size_t kMost = 60;
  if (ids.size() <= kMost)
    return ids;
  return ids.substr(0, ids.rfind(", ", kMost)) + ", ... (all in the result)";
}

std::string formatRewrites(const Json &facts) {
  if (facts.at("rewrites").empty())
    return "";
  const Json &rows = facts.at("rewrites");
  TextTable table(
      {"rewrite", "population", "neurons", "after", "synapses", "after"});
  std::string said;
  for (const Json &row : rows) {
    std::string name = row.at("rewrite");
    table.add({name, row.at("population"), grouped(row.at("neurons_before")),
               grouped(row.at("neurons_after")),
               grouped(row.at("synapses_before")),
               grouped(row.at("synapses_after"))});
    std::string verified = row.at("verified");
    said += "  " + name + ": " + row.at("detail").get<std::string>() +
            (row.at("removed_ids").is_null()
                 ? ""
                 : "; removed " + shortened(row.at("removed_ids"))) +
            "; verified: " +
            (verified.empty() ? "no, there were no samples" : verified) + "\n";
  }
  return "Rewrites by request (of the whole network)\n" + table.text() + said +
         "\n";
}

} // namespace dendrolith::report
