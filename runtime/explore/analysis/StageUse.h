// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a study was computed, and how much taken from what was there.

#ifndef DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_STAGEUSE_H
#define DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_STAGEUSE_H

#include "runtime/explore/point/Point.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

/// How often one stage was done, over all points whose effort is known.
struct StageUse {
  std::string name;
  uint64_t done = 0, reused = 0;
  double seconds = 0; ///< where it was done
};

/// In the order in which a point meets its stages.
std::vector<StageUse> stageUseOf(const std::vector<StoredPoint> &points);

/// "quantise 1 of 36 (2.9 s), ...": how often each stage was done of the points
/// that came to it; "" where no effort is known.
std::string textOf(const std::vector<StageUse> &stages);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_ANALYSIS_STAGEUSE_H
