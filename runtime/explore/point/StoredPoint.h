// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A point as it lies in a store, with its place in the study and what it took.

#ifndef DENDROLITH_RUNTIME_EXPLORE_POINT_STOREDPOINT_H
#define DENDROLITH_RUNTIME_EXPLORE_POINT_STOREDPOINT_H

#include "runtime/explore/point/Point.h"

#include <string>
#include <vector>

namespace dendrolith::explore {

/// What a point took: not part of the point, as it differs from run to run.
struct Effort {
  double wallSeconds = 0;
  uint64_t peakBytes = 0;
  /// "quantise", "map", "values", "time", "price", in this order.
  struct Stage {
    std::string name;
    bool reused = false;
    double seconds = 0;
  };
  std::vector<Stage> stages;
};

struct StoredPoint {
  uint64_t number = 0; ///< from 1 on in the order of the study: "P17"
  std::string key;     ///< the SHA-256 that names its file
  Point point;
  /// Absent where it was measured before and is taken as it lies.
  std::optional<Effort> effort;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_POINT_STOREDPOINT_H
