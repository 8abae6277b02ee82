// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search for precision found, as text, as CSV and as tune.json.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNEREPORT_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNEREPORT_H

#include "runtime/explore/tune/SplitSamples.h"
#include "runtime/explore/tune/Tune.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::tuning {

struct Findings {
  std::vector<TunedLayer> layers;
  std::string metric;
  SplitFiles files;
  double reference = 0, floor = 0; ///< scores of held-out samples
  Point start, best;
  std::vector<Point> points;
  std::vector<std::vector<Point>> sensitivity;
  std::optional<Point> testFloat, testStart, testBest;
};

/// "94.20 %" or, of another metric than accuracy, "0.8110".
std::string scoreText(double score, const std::string &metric);

/// One line for a point that was just measured.
std::string lineOf(const Point &point, const std::vector<TunedLayer> &layers,
                   const std::string &metric, Objective objective);

/// The command that compiles the winner again.
std::string commandOf(const TuneRequest &request, const Findings &found);

nlohmann::ordered_json resultOf(const TuneRequest &request,
                                const Findings &found);
std::string textOf(const TuneRequest &request, const Findings &found);
/// The Pareto set.
std::string csvOf(const TuneRequest &request, const Findings &found);

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNEREPORT_H
