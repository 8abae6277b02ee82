// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/SpikeText.h"

#include "simulator/record/Json.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdlib>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

// A wider range is described by its mean and its silence alone.
static constexpr int64_t kValuesShown = 8;

// Emissions are 32-bit integers.
static constexpr int64_t kLargest = int64_t(1) << 31;

/// Reads a key of the file, which is untrusted.
static int64_t valueOf(const std::string &key) {
  int64_t value = 0;
  const char *end = key.data() + key.size();
  auto read = std::from_chars(key.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < -kLargest ||
      value > kLargest)
    throw Error("the result's spike_values: expected integers that a layer "
                "emits, found '" +
                printable(key) + "'");
  return value;
}

SpikeShares spikeShares(const Json &values) {
  SpikeShares shares;
  for (const auto &[value, count] : values.items()) {
    double times = double(count.get<uint64_t>());
    double magnitude = double(std::abs(valueOf(value)));
    shares.updates += times;
    shares.mean += times * magnitude;
    shares.largest = std::max(shares.largest, magnitude);
  }
  if (shares.updates > 0)
    shares.mean /= shares.updates;
  return shares;
}

std::string formatSpikeValues(const Json &layers) {
  int64_t low = 0, high = 0; // values that are shown
  for (const auto &[name, values] : layers.items())
    for (const auto &[value, count] : values.items()) {
      low = std::max(std::min(low, valueOf(value)), -kValuesShown);
      high = std::min(std::max(high, valueOf(value)), kValuesShown);
    }
  std::vector<std::string> header = {"layer", "mean |S|"};
  for (int64_t value = low; value <= high; ++value)
    header.push_back(fmt::format("{} %", value));
  TextTable table(header);
  for (const auto &[name, values] : layers.items()) {
    SpikeShares shares = spikeShares(values);
    bool wide = values.size() > 2 * kValuesShown + 1;
    std::vector<std::string> row = {name, fmt::format("{:.3f}", shares.mean)};
    for (int64_t value = low; value <= high; ++value) {
      std::string key = std::to_string(value);
      bool shown =
          values.contains(key) && shares.updates > 0 && (!wide || value == 0);
      row.push_back(
          shown ? fmt::format("{:.1f}", 100 * values.at(key).get<double>() /
                                            shares.updates)
                : "");
    }
    table.add(row);
  }
  return "Spike values (share of a layer's updates; 0 is silence)\n" +
         table.text();
}

} // namespace dendrolith::report
