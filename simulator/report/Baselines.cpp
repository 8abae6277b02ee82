// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/Baselines.h"

#include "simulator/report/Lines.h"
#include "simulator/report/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// Levels that a neuron can tell in a sample, beside silence: the most over all
/// layers whose values were counted. No layer that spikes has none.
double levelsOf(const Json &result) {
  const Json &populations = result.at("schedule").at("populations");
  const double ticks = result.at("ticks");
  double most = 0;
  for (const auto &[name, values] : result.at("spike_values").items()) {
    double largest = 0;
    for (const auto &[value, count] : values.items())
      if (count.get<uint64_t>() > 0)
        largest =
            std::max(largest, std::fabs(std::strtod(value.c_str(), nullptr)));
    const double perTick =
        populations.contains(name)
            ? std::max(populations.at(name).at("ticks").get<double>(), 1.0)
            : 1;
    most = std::max(most, ticks * perTick * largest);
  }
  return most;
}

double priceOf(uint64_t bits) { return bits <= 8 ? kByteMacPj : kWordMacPj; }

} // namespace

Json baselines(const Json &result) {
  if (result.at("neurobench").is_null() || result.at("schedule").is_null() ||
      result.at("spike_values").is_null())
    return nullptr;
  const Json &dense = result.at("neurobench")
                          .at("integer")
                          .at("SynapticOperations")
                          .at("Dense");
  const double ticks = result.at("ticks");
  if (dense.is_null() || !(ticks > 0))
    return nullptr;
  const double macs = dense, levels = levelsOf(result);
  Json all = {{"dense_macs", macs},
              {"dense_fp32_pJ", macs * kFloatMacPj},
              {"dense_int8_pJ", macs * kByteMacPj},
              {"quantised_bits", nullptr},
              {"quantised_macs", nullptr},
              {"quantised_pJ", nullptr}};
  if (!(levels >= 1 && std::isfinite(levels)))
    return all;
  const uint64_t bits = uint64_t(std::ceil(std::log2(levels + 1)));
  all["quantised_bits"] = bits;
  all["quantised_macs"] = macs / ticks;
  all["quantised_pJ"] = macs / ticks * priceOf(bits);
  return all;
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
        energyText(all.at("quantised_pJ")), priceOf(bits), bits <= 8 ? 8 : 32);
  }
  return out + "\n";
}

} // namespace dendrolith::report
