// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/ReportText.h"

#include "simulator/report/MappingText.h"
#include "simulator/report/RewriteText.h"
#include "simulator/report/ScoreText.h"
#include "simulator/report/SpikeText.h"
#include "simulator/report/TextTable.h"
#include "simulator/report/Utilisation.h"
#include "simulator/report/WarningText.h"

#include <fmt/format.h>

namespace neurite::report {
namespace {

using Json = nlohmann::ordered_json;

/// Lists the counters of a nested object as dotted names with values, without
/// those that are 0.
void flatten(const Json &value, const std::string &name,
             std::vector<std::pair<std::string, uint64_t>> &into) {
  if (value.is_object())
    for (const auto &[key, child] : value.items())
      flatten(child, name.empty() ? key : name + "." + key, into);
  else if (value.is_number_unsigned() && value.get<uint64_t>() != 0)
    into.push_back({name, value.get<uint64_t>()});
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

std::string energy(double pJ) {
  return pJ >= 1e6   ? fmt::format("{:.4g} uJ", pJ / 1e6)
         : pJ >= 1e3 ? fmt::format("{:.4g} nJ", pJ / 1e3)
                     : fmt::format("{:.4g} pJ", pJ);
}

/// Prints both ends of a quantity, once where they are equal.
std::string range(const Json &ends, double also = 0, double alsoHigh = 0) {
  double low = ends.at("low").get<double>() + also,
         high = ends.at("high").get<double>() + alsoHigh;
  return low == high ? energy(low) : energy(low) + " to " + energy(high);
}

/// Prints the total per sample, which people quote, with its bound and its
/// gaps, and what is static apart and together with it.
std::string energyPerSample(const Json &summary) {
  const Json &events = summary.at("energy_per_sample_pJ");
  const Json &still = summary.at("static_per_sample_pJ");
  if (events.at("low").is_null() || events.at("high").is_null())
    return "Energy: not known, the chip has no prices\n";
  std::string bound = events.at("bound");
  std::string sign = bound == "=" ? "" : bound + " ";
  std::string out = "Energy: " + sign + range(events) + " per sample in events";
  if (events.at("low") != events.at("high"))
    out += ": a band, the chip's prices are not public";
  if (!still.is_null())
    out += fmt::format(", {} static beside it, together {}{}", range(still),
                       sign, range(events, still.at("low"), still.at("high")));
  return out + (events.at("unpriced").empty() ? "" : ", some events unpriced") +
         "\n";
}

std::string time(double ns) {
  return ns >= 1e6   ? fmt::format("{:.4g} ms", ns / 1e6)
         : ns >= 1e3 ? fmt::format("{:.4g} us", ns / 1e3)
                     : fmt::format("{:.4g} ns", ns);
}

/// Prints which ranges were met, by population; it says so if there were none.
std::string saturationText(const Json &saturations) {
  std::string text;
  uint64_t inputs = saturations.at("inputs");
  if (inputs)
    text += fmt::format(" {} input values;", grouped(inputs));
  const std::pair<const char *, const char *> kinds[] = {
      {"u_wrapped", "u wrapped"},
      {"v_clipped", "v clipped"},
      {"states_at_end", "state words at an end of their range"}};
  for (auto [kind, what] : kinds)
    for (const auto &[name, count] : saturations.at(kind).items())
      if (count.get<uint64_t>())
        text += fmt::format(" {} of {} ({});", grouped(count), what, name);
  return "Saturations:" + (text.empty() ? std::string(" none") : text) + "\n";
}

std::string latencyText(const Json &result) {
  const Json &latency = result.at("latency");
  if (latency.is_null())
    return "Latency: not simulated (engine without a clock)\n";
  const Json &ns = latency.at("per_sample_ns");
  const Json &critical = latency.at("critical");
  double parts[4] = {critical.at("update_ns"), critical.at("receive_ns"),
                     critical.at("noc_ns"), critical.at("barrier_ns")};
  double sum = parts[0] + parts[1] + parts[2] + parts[3];
  auto share = [&](double part) { return sum > 0 ? 100 * part / sum : 0; };
  return fmt::format(
      "Latency: {} per sample (mean; {} to {}), {} steps{}; critical path: "
      "update {:.0f} %, network {:.0f} %, receive {:.0f} %, barrier {:.0f} %; "
      "timing set '{}'\n",
      time(ns.at("mean")), time(ns.at("min")), time(ns.at("max")),
      result.at("steps").get<uint64_t>(),
      latency.at("steps_overlap").get<bool>() ? ", overlapping" : "",
      share(parts[0]), share(parts[2]), share(parts[1]), share(parts[3]),
      result.at("timing").at("name").get<std::string>());
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
  std::vector<std::pair<std::string, uint64_t>> counters;
  flatten(result.at("counts").at("total"), "", counters);
  TextTable table({"count", "total", "per sample"});
  for (const auto &[name, value] : counters)
    table.add(
        {name, grouped(value), fmt::format("{:.1f}", double(value) / samples)});
  return out + "Counts (all samples)\n" + table.text() + "\n" + energyText +
         "\n" + energyPerSample(result.at("summary")) +
         saturationText(result.at("saturations")) + latencyText(result) +
         formatUtilisation(result);
}

std::string formatResult(const Json &result, const std::string &energyText) {
  std::string out = formatScore(result) + formatWarnings(result);
  out += result.at("counts").is_null()
             ? fmt::format("{} samples of {} ticks in the {} engine\n",
                           result.at("samples").get<uint64_t>(),
                           result.at("ticks").get<uint64_t>(),
                           result.at("engine").get<std::string>())
             : executionText(result, energyText);
  const Json &wall = result.at("wall_s");
  out += fmt::format(
      "Host: load {:.2f} s, compile {:.2f} s, prepare {:.2f} s, "
      "simulate {:.2f} s; peak memory {:.0f} MB\n",
      wall.at("load").get<double>(), wall.at("compile").get<double>(),
      wall.at("prepare").get<double>(), wall.at("simulate").get<double>(),
      result.at("peak_rss_bytes").get<double>() / 1e6);
  return out + countWarnings(result);
}

} // namespace neurite::report
