// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/SlowSteps.h"

#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShown = 6;
// A mapping that is predicted to be so little faster is as fast.
constexpr double kFaster = 0.98;
// The part of a predicted gain in % that simulation is to show at least.
constexpr double kPromised = 90;

/// Who ended steps, and how many.
struct StepEnd {
  std::string name; ///< "core 3 receive", "link tile 0 to tile 1", "barrier"
  uint64_t steps = 0;
};

std::vector<StepEnd> endsOf(const Json &closedBy) {
  std::vector<StepEnd> ends;
  for (const auto &[name, steps] : closedBy.items())
    ends.push_back({name, steps.get<uint64_t>()});
  std::stable_sort(
      ends.begin(), ends.end(),
      [](const StepEnd &a, const StepEnd &b) { return a.steps > b.steps; });
  return ends;
}

uint64_t countOfSteps(const std::vector<StepEnd> &ends) {
  uint64_t all = 0;
  for (const StepEnd &end : ends)
    all += end.steps;
  return all;
}

/// The number of "core 3 receive"; nothing for a link or the barrier.
std::optional<uint64_t> coreIn(const std::string &name) {
  const std::string prefix = "core ";
  uint64_t core = 0;
  if (name.rfind(prefix, 0) != 0 ||
      std::from_chars(name.data() + prefix.size(), name.data() + name.size(),
                      core)
              .ec != std::errc())
    return std::nullopt;
  return core;
}

/// "9 of 'lif2'"; "" where the result does not say what cores hold.
std::string holdingsOf(const Json &mapping, const std::string &end) {
  const auto core = coreIn(end);
  const auto placement = mapping.find("placement");
  std::string text;
  if (!core || placement == mapping.end())
    return text;
  for (const Json &row : *placement)
    if (row.at("core") == *core)
      text += fmt::format("{}{} of '{}'", text.empty() ? "" : ", ",
                          row.at("neurons").get<uint64_t>(),
                          row.at("population").get<std::string>());
  return text;
}

std::string predictionOf(const Json &mapping, const std::string &end) {
  const auto core = coreIn(end);
  for (const Json &spot : mapping.at("hotspots"))
    if (core && spot.at("where") == fmt::format("core {}", *core))
      return fmt::format("{:.0f} ns", spot.at("step_ns").get<double>());
  return "";
}

/// What is the same wherever the neurons lie.
std::string fixedPart(const Json &latency) {
  const Json &critical = latency.at("critical");
  double all = 0;
  for (const auto &[name, ns] : critical.items())
    all += ns.get<double>();
  return fmt::format(
      "the barrier takes {:.0f} % of cores' and mesh's time",
      all > 0 ? 100 * critical.at("barrier_ns").get<double>() / all : 0);
}

/// What a chip with a faster part would gain.
std::string fasterChips(const Json &mapping) {
  std::string out;
  for (const Json &spot : mapping.at("hotspots"))
    if (const std::string remedy = spot.at("remedy"); !remedy.empty())
      out += "Predicted: " + remedy + "\n";
  return out;
}

/// The step of the mapping that was chosen, and the shortest predicted one.
std::pair<double, double> chosenAndLeast(const Json &tradeOff) {
  double chosen = 0, least = 0;
  for (const Json &row : tradeOff) {
    const double ns = row.at("step_ns");
    if (row.at("chosen").get<bool>())
      chosen = ns;
    if (least == 0 || ns < least)
      least = ns;
  }
  return {chosen, least};
}

} // namespace

std::string slowestLine(const Json &result) {
  const Json &latency = result.at("latency");
  if (latency.is_null())
    return "";
  const std::vector<StepEnd> ends = endsOf(latency.at("closed_by"));
  const uint64_t steps = countOfSteps(ends);
  if (steps == 0)
    return "";
  const std::string held = holdingsOf(result.at("mapping"), ends.front().name);
  return fmt::format("Slowest: {}{} ended {:.0f} % of the steps; {}\n",
                     ends.front().name, held.empty() ? "" : " (" + held + ")",
                     100 * double(ends.front().steps) / double(steps),
                     fixedPart(latency));
}

std::string formatSlowSteps(const Json &result) {
  std::string out = slowestLine(result);
  if (out.empty())
    return out;
  const Json &mapping = result.at("mapping");
  const std::vector<StepEnd> ends =
      endsOf(result.at("latency").at("closed_by"));
  const double steps = double(countOfSteps(ends));
  TextTable table(
      {"steps ended by", "steps", "share", "holds", "predicted until then"});
  for (size_t i = 0; i < std::min(ends.size(), kShown); ++i)
    table.add({ends[i].name, grouped(ends[i].steps),
               fmt::format("{:.1f} %", 100 * double(ends[i].steps) / steps),
               holdingsOf(mapping, ends[i].name),
               predictionOf(mapping, ends[i].name)});
  out += table.text();
  const Json &tradeOff = mapping.at("trade_off");
  const auto [chosen, least] = chosenAndLeast(tradeOff);
  if (!tradeOff.empty())
    out +=
        least < kFaster * chosen
            ? fmt::format("A mapping that was looked at is predicted to take "
                          "at least {:.0f} % less of a step: --map-for time "
                          "takes it\n",
                          std::floor(kPromised * (1 - least / chosen)))
            : fmt::format("Of {} mappings that were looked at, none is "
                          "predicted to be faster\n",
                          tradeOff.size());
  return out + fasterChips(mapping);
}

} // namespace dendrolith::report
