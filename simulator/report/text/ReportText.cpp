// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ReportText.h"
#include "simulator/report/text/SlowSteps.h"

#include "simulator/report/result/NamedValues.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/MappingText.h"
#include "simulator/report/text/ScoreText.h"
#include "simulator/report/text/ShortText.h"
#include "simulator/report/text/SpikeText.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

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
      table.add({name, grouped(value),
                 fmt::format("{:.1f}", double(value) / samples)});
  return out + "Counts (all samples)\n" + table.text() + outputsLine(result) +
         "\n" + totalsLine(result.at("samples").get<uint64_t>()) + energyText +
         "\n" + energyLine(result.at("summary")) +
         baselineLine(result.at("summary")) +
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
