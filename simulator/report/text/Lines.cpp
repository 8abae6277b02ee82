// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/Lines.h"

#include "simulator/report/result/Baselines.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/Utilisation.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace dendrolith::report {

static const char *const kWaiting = "waiting for a full receiver";

using Json = nlohmann::ordered_json;

std::string energyText(double pJ) {
  return pJ >= 1e9   ? fmt::format("{:.4g} mJ", pJ / 1e9)
         : pJ >= 1e6 ? fmt::format("{:.4g} uJ", pJ / 1e6)
         : pJ >= 1e3 ? fmt::format("{:.4g} nJ", pJ / 1e3)
                     : fmt::format("{:.4g} pJ", pJ);
}

std::string totalsLine(uint64_t samples) {
  return samples == 1
             ? std::string()
             : fmt::format("Totals of the run of {} samples; a headline is of "
                           "one sample\n",
                           samples);
}

std::string eventTitle(const std::string &event) {
  const std::string last = event.substr(event.rfind('.') + 1);
  return event + (last == "hops_ew"   ? " (east-west)"
                  : last == "hops_ns" ? " (north-south)"
                                      : "");
}

std::string timeText(double ns) {
  return ns >= 1e6   ? fmt::format("{:.4g} ms", ns / 1e6)
         : ns >= 1e3 ? fmt::format("{:.4g} us", ns / 1e3)
                     : fmt::format("{:.4g} ns", ns);
}

namespace {

/// Prints both ends of a quantity, once where they are equal.
std::string range(const Json &ends, double also = 0, double alsoHigh = 0) {
  double low = ends.at("low").get<double>() + also,
         high = ends.at("high").get<double>() + alsoHigh;
  return low == high ? energyText(low)
                     : energyText(low) + " to " + energyText(high);
}

} // namespace

std::string energyLine(const Json &summary) {
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

std::string eventsLine(const Json &events) {
  if (events.is_null())
    return "";
  std::string text = fmt::format(
      "Events: {} taken one by one, {} spikes lost in the queue of {}",
      grouped(events.at("taken")), grouped(events.at("lost")),
      events.at("places").get<uint64_t>());
  const Json steps = events.value("by_steps", Json());
  if (steps.is_null())
    return text + "\n";
  text += fmt::format("; order changed {} of {} output values",
                      grouped(steps.at("different_values")),
                      grouped(steps.at("output_values")));
  if (!steps.at("score").is_null())
    text += fmt::format(", step by step the score is {:.4g}",
                        steps.at("score").get<double>());
  return text + "\n";
}

std::string saturationLine(const Json &saturations) {
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

/// The shares of the parts, in order of time. Who never waits has no such part.
static std::string criticalText(const Json &critical) {
  const std::pair<const char *, const char *> kParts[] = {
      {"update_ns", "update"},
      {"waiting_ns", kWaiting},
      {"noc_ns", "network"},
      {"receive_ns", "receive"},
      {"barrier_ns", "barrier"}};
  double sum = 0;
  for (auto [key, name] : kParts)
    sum += critical.value(key, 0.0);
  std::vector<std::string> shares;
  for (auto [key, name] : kParts) {
    const double share = sum > 0 ? 100 * critical.value(key, 0.0) / sum : 0;
    if (name != kWaiting || share >= 0.5)
      shares.push_back(fmt::format("{} {:.0f} %", name, share));
  }
  return fmt::format("{}", fmt::join(shares, ", "));
}

/// What a sample takes on its system, where that adds something to the times of
/// cores and mesh.
static std::string systemText(const Json &latency) {
  const Json system = memberOf(latency, "system");
  if (system.is_null() || system.at("per_step_ns") == 0.0)
    return "";
  return fmt::format(
      "{} per sample on its system, which adds {} to each step; cores and mesh "
      "alone: ",
      timeText(system.at("per_sample_ns").at("mean")),
      timeText(system.at("per_step_ns")));
}

std::string latencyLine(const Json &result) {
  const Json &latency = result.at("latency");
  if (latency.is_null())
    return "Latency: not simulated (an engine without a clock; --engine cycle "
           "has one)\n";
  const Json &ns = latency.at("per_sample_ns");
  return fmt::format(
      "Latency: {}{} per sample (mean; {} to {}), {} steps; critical path: {}; "
      "timing set '{}'\n",
      systemText(latency), timeText(ns.at("mean")), timeText(ns.at("min")),
      timeText(ns.at("max")), result.at("steps").get<uint64_t>(),
      criticalText(latency.at("critical")),
      result.at("timing").at("name").get<std::string>());
}

std::string baselineLine(const Json &summary) {
  const Json &all = summary.at("baselines");
  if (all.is_null())
    return "";
  std::string out = fmt::format(
      "Baselines (arithmetic alone at 45 nm, Horowitz 2014; no memory, no "
      "network): dense at every tick, {} MACs: {} as 32-bit floats ({} pJ "
      "each), {} as 8-bit integers ({} pJ)",
      grouped(uint64_t(std::llround(all.at("dense_macs").get<double>()))),
      energyText(all.at("dense_fp32_pJ")), kFloatMacPj,
      energyText(all.at("dense_int8_pJ")), kByteMacPj);
  if (!all.at("quantised_bits").is_null()) {
    const uint64_t bits = all.at("quantised_bits");
    out += fmt::format(
        "; one pass of a network with {}-bit activations, as many levels as "
        "the ticks tell, {} MACs: {} ({} pJ, of {} bits)",
        bits,
        grouped(uint64_t(std::llround(all.at("quantised_macs").get<double>()))),
        energyText(all.at("quantised_pJ")), macPrice(bits), bits <= 8 ? 8 : 32);
  }
  return out + "\n";
}

std::string outputsLine(const Json &result) {
  const uint64_t all = result.at("counts").at("total").at("messages");
  uint64_t values = 0;
  std::string names;
  for (const Json &layer : result.at("layers")) {
    const Json &counts = layer.at("counts");
    if (counts.is_null())
      continue; // a part of a population, which the whole counts
    const uint64_t sent = counts.at("outputs"),
                   spikes = counts.at("spikes").at("binary");
    if (sent <= spikes)
      continue;
    values += sent - spikes;
    names += (names.empty() ? "'" : ", '") +
             layer.at("population").get<std::string>() + "'";
  }
  if (values == 0 || values * 10 < all)
    return "";
  return fmt::format(
      "Outputs: {} of {} messages carry values of {} to the host; a state that "
      "is watched by --trace instead of an output sends none\n",
      grouped(values), grouped(all), names);
}

std::string utilisationLine(const Json &result) {
  if (result.at("utilisation").is_null())
    return "";
  std::string core = "none", link = "none";
  if (const Json &most = result.at("utilisation").at("busiest_core");
      !most.is_null())
    core = fmt::format("core {} ({} {:.0f} %)", most.at("core").get<uint64_t>(),
                       most.at("part").get<std::string>(),
                       100 * most.at("share").get<double>());
  if (const Json &most = result.at("utilisation").at("busiest_link");
      !most.is_null())
    link =
        fmt::format("{} ({:.0f} %)", nameOfLink(most.at("from"), most.at("to")),
                    100 * most.at("share").get<double>());
  return fmt::format("Busiest: {}; link {}\n", core, link);
}

} // namespace dendrolith::report
