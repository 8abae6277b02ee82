// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `spike_values` of result.json: how often each layer emitted each value.

#ifndef NEURITE_SIMULATOR_REPORT_SPIKETEXT_H
#define NEURITE_SIMULATOR_REPORT_SPIKETEXT_H

#include <nlohmann/json.hpp>

#include <string>

namespace neurite::report {

struct SpikeShares {
  double updates = 0; // neuron updates counted, silent ones too
  double mean = 0;    // of |S|
  double largest = 0; // |S| that the layer's type has
};

/// Of one layer: {"-1": n, "0": n, ...}.
SpikeShares spikeShares(const nlohmann::ordered_json &values);

/// A table with a line per layer: mean |S| and the share of each value.
std::string formatSpikeValues(const nlohmann::ordered_json &layers);

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_SPIKETEXT_H
