// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith tune` without a command line: the cheapest precision of each
// layer that keeps the answers.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNE_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNE_H

#include "runtime/explore/tune/MeasurePoint.h"
#include "runtime/explore/tune/TunePoint.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <optional>
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

struct SearchSpace {
  /// The widths of each layer, rising; the last one is where the search begins.
  std::vector<std::vector<uint64_t>> widths;
  double floor = 0;  ///< the least score that is good enough
  double giveUp = 0; ///< a layer alone is not narrowed below this score
  double grain = 0;  ///< score of one sample: less of a loss is none
  Objective objective = Objective::Energy;
};

using Measure = std::function<Point(const Bits &)>;

class TuneSearch {
public:
  TuneSearch(SearchSpace space, Measure measure)
      : space(std::move(space)), measure(std::move(measure)) {}

  /// Measures how sensitive each layer is, alone narrower than all others;
  /// then narrows layers one width at a time, that first which saves most for
  /// its loss: from the widest network, and from the narrowest widths that
  /// layers bear alone, widened until the score is reached; and at last trades
  /// a width of one layer for one of another. Returns the cheapest point that
  /// reaches the floor, if any does.
  std::optional<Point> run();

  /// What one layer alone does, from wide to narrow, as far as it was measured.
  const std::vector<std::vector<Point>> &sensitivity() const { return alone; }
  /// All points that were measured, in the order of their bits.
  std::vector<Point> points() const;

private:
  const Point &at(const Bits &bits);
  bool isGood(const Point &point) const {
    return point.refused.empty() && point.score >= space.floor;
  }
  Bits widest() const;
  /// The next narrower (-1) or wider (+1) width of a layer; nothing at an end.
  std::optional<Bits> moved(const Bits &bits, size_t layer, int by) const;
  void measureAlone();
  Bits widened(Bits bits);
  Bits narrowed(Bits bits);
  Bits traded(Bits bits);

  const SearchSpace space;
  const Measure measure;
  std::map<Bits, Point> known;
  std::vector<std::vector<Point>> alone;
};

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNE_H
