// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits numbers of a chip to measurements, and says how well networks are
// predicted that were left out.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_CALIBRATE_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_CALIBRATE_H

#include "runtime/explore/silicon/Compare.h"
#include "runtime/explore/silicon/Parameters.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::silicon {

struct FittedRow {
  Comparison row;               ///< as shipped
  double before = 0, after = 0; ///< errors, signed
  double predicted = 0;         ///< after
  /// The error where the row's network, or a row without one, took no part.
  std::optional<double> leftOut;
  bool isExplained = true; ///< by some values within the bands
};

struct Calibration {
  Target chip; ///< as shipped
  std::vector<Parameter> parameters;
  std::vector<double> values;     ///< of the parameters
  std::vector<FittedRow> rows;    ///< those that take part
  std::vector<Comparison> others; ///< those that do not, with the reason
  uint64_t replays = 0;
};

struct CalibrateRequest {
  std::string target;
  std::vector<std::string> fit;
  bool leaveOneOut = false;
  /// Is told after each how many replays there were.
  std::function<void(uint64_t)> progress;
};

/// Throws Error for more parameters than rows.
Calibration calibrate(const std::vector<Measurements> &measured,
                      Workbench &bench, const CalibrateRequest &request);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_CALIBRATE_H
