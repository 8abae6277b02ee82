// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/Lines.h"

#include "simulator/report/TextTable.h"

#include <fmt/format.h>

#include <utility>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

std::string energyText(double pJ) {
  return pJ >= 1e9   ? fmt::format("{:.4g} mJ", pJ / 1e9)
         : pJ >= 1e6 ? fmt::format("{:.4g} uJ", pJ / 1e6)
         : pJ >= 1e3 ? fmt::format("{:.4g} nJ", pJ / 1e3)
                     : fmt::format("{:.4g} pJ", pJ);
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

std::string latencyLine(const Json &result) {
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
      "Latency: {} per sample (mean; {} to {}), {} steps; critical path: "
      "update {:.0f} %, network {:.0f} %, receive {:.0f} %, barrier {:.0f} %; "
      "timing set '{}'\n",
      timeText(ns.at("mean")), timeText(ns.at("min")), timeText(ns.at("max")),
      result.at("steps").get<uint64_t>(), share(parts[0]), share(parts[2]),
      share(parts[1]), share(parts[3]),
      result.at("timing").at("name").get<std::string>());
}

} // namespace dendrolith::report
