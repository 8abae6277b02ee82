// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints `spike_values` of result.json: how often each layer emitted each
// value.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_SPIKETEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_SPIKETEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

struct SpikeShares {
  double updates = 0; // how many were counted, silent ones included
  double mean = 0;    // of the magnitude |S|
  double largest = 0; // magnitude |S| that the layer's type has
};

/// Sums up the values of one layer, given as {"-1": n, "0": n, ...}.
SpikeShares spikeShares(const nlohmann::ordered_json &values);

/// A table with a line for each layer: its mean |S| and the share of each
/// value.
std::string formatSpikeValues(const nlohmann::ordered_json &layers);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_SPIKETEXT_H
