// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage `price`, and what a point says of all stages.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_POINTVALUES_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_POINTVALUES_H

#include "runtime/explore/stages/Runs.h"

namespace dendrolith::explore {

/// Fills a point that is done. `tables` are one cost table or the two ends of a
/// band; the timing set is the one that the chip ran with.
void fill(Point &point, const Mapped &mapped, const Executed &executed,
          const Target &chip, const TimingSet &timing,
          const std::vector<CostTable> &tables);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_POINTVALUES_H
