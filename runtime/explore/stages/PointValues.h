// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage `price`, and what a point says of all stages.

#ifndef NEURITE_RUNTIME_EXPLORE_STAGES_POINTVALUES_H
#define NEURITE_RUNTIME_EXPLORE_STAGES_POINTVALUES_H

#include "runtime/explore/stages/Runs.h"

namespace neurite::explore {

/// Fills a point that is done. `chip` is the chip as it ran, `tables` one cost
/// table or the two ends of a band.
void fill(Point &point, const Mapped &mapped, const Executed &executed,
          const std::vector<CostTable> &tables);

} // namespace neurite::explore

#endif // NEURITE_RUNTIME_EXPLORE_STAGES_POINTVALUES_H
