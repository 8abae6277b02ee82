// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Baselines.h"

#include <nlohmann/json.hpp>

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

} // namespace

double macPrice(uint64_t bits) { return bits <= 8 ? kByteMacPj : kWordMacPj; }

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
  all["quantised_pJ"] = macs / ticks * macPrice(bits);
  return all;
}

} // namespace dendrolith::report
