// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What states of neurons were over time (membranes, currents, plateaus), out of
// the recorded file of a result.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_STATEPICTURE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_STATEPICTURE_H

#include "simulator/report/html/Rasters.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::report::html {

/// A state of a population in the first sample.
struct StateTrace {
  std::string name;     ///< "lif1:v"
  bool isReal = false;  ///< in the units of the model, else raw integers
  uint64_t neurons = 0; ///< all of them
  /// One row of values for each of the first neurons, as many as are drawn.
  std::vector<std::vector<double>> rows;
  /// Over all neurons.
  double least = 0, greatest = 0, mean = 0;
  /// The threshold of all its neurons, in the same units.
  std::optional<double> threshold;
};

/// What was traced as NODE:STATE. `units` is `trace_units_per_real` of the
/// result, which says what a raw integer is worth; null where that is not
/// known.
std::vector<StateTrace> statesOf(const Recorded &recorded,
                                 const nlohmann::ordered_json &units,
                                 uint64_t samples, const std::string &place);

/// Adds what `network` of the result says of them, in the model's units.
void addThresholds(const nlohmann::ordered_json &network,
                   std::vector<StateTrace> &states);

/// Lines of the first neurons, a plot for each state.
std::string statePicture(const std::vector<StateTrace> &states);

/// Between which values each state was.
std::string stateTable(const std::vector<StateTrace> &states);

/// [{name, threshold, rows: [[value at each tick] of a neuron, ...]}, ...] for
/// the program that zooms.
nlohmann::ordered_json stateData(const std::vector<StateTrace> &states);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_STATEPICTURE_H
