// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far one value moves where one axis alone leaves the baseline.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_TORNADO_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_TORNADO_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/study/Study.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// How much larger than the baseline's, as a share of it, end by end: both ends
/// rest on the same assumptions as the baseline's, the low ones and the high
/// ones. Nothing where the baseline is 0.
struct Move {
  double low = 0, high = 0;
};

std::optional<Move> moveOf(const Band &value, const Band &base);

struct TornadoStep {
  std::string setting;       ///< "4"; of axes that move together "4, 65536"
  size_t at = 0;             ///< which of the study's points
  std::optional<Band> value; ///< nothing where it is not done
  std::optional<Move> move;
};

struct TornadoBar {
  std::string axis;               ///< of axes that move together "a + b"
  std::vector<TornadoStep> steps; ///< in the study's order, no baseline
  double reach = 0; ///< the largest move of either end, without its sign
};

struct Tornado {
  std::string model; ///< and target; "" where there is one of each
  std::string value;
  std::optional<size_t> baseline; ///< nothing where it was not measured
  std::string why;                ///< it has no value
  std::optional<Band> at;
  std::vector<TornadoBar> bars; ///< the furthest first, then by name
};

/// One for each model and target, so that only one thing changes.
std::vector<Tornado> tornadosOf(const Study &study,
                                const std::vector<StoredPoint> &points,
                                const std::string &value);

std::string textOf(const std::vector<StoredPoint> &points,
                   const std::vector<Tornado> &tornados);

/// "+12.3 %", or of two ends "-3.1 to +12.3 %".
std::string moveText(const Move &move);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_TORNADO_H
