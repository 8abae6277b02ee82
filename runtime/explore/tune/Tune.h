// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith tune` without a command line: the cheapest precision of each
// layer that keeps the answers.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNE_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNE_H

#include "runtime/explore/tune/MeasurePoint.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dendrolith::tuning {

struct TuneRequest {
  /// The model and how it is compiled. None of its weight bits is exceeded, and
  /// a part of its calibration samples is held out.
  session::RunRequest run;
  std::string labels;   ///< of the calibration samples
  double keep = 0.005;  ///< how far the score may fall below the float one
  std::string keepText; ///< the same as it was asked for
  Objective objective = Objective::Energy;
  double heldOut = 0.8; ///< the share of samples that judge
  LabelledFiles test;   ///< may be empty
  std::string folder;   ///< where everything is written
  /// The flags that a measurement depends on, as text: for the store, and for
  /// the command that makes the winner again.
  std::string settings;
};

struct TuneOutcome {
  nlohmann::ordered_json result; ///< the content of tune.json
  std::string text;              ///< the same for people
};

/// Searches and writes best.dlp, tune.json, pareto.csv, the parts of the
/// calibration samples and points/ into the folder. Points that lie there for
/// the same data and settings are not measured again. Throws Error, also where
/// no precision within the chip's keeps the score.
TuneOutcome tune(const TuneRequest &request);

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNE_H
