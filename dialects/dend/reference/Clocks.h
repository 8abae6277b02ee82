// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logical time: ticks per root tick, and the order of updates in a root tick.

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_CLOCKS_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_CLOCKS_H

#include "dialects/dend/Dend.h"

#include "llvm/ADT/StringMap.h"

#include <vector>

namespace dendrolith::dend {

/// How often each clock ticks in one root tick (1 for the root clock itself).
/// Diagnostics for a missing or second root, an unknown or circular `divides`,
/// and more than 2^20 ticks.
mlir::FailureOr<llvm::StringMap<int64_t>> ticksPerRoot(NetworkOp network);

/// When a projection's values arrive. One of the two clocks ticks a whole
/// number of times per tick of the other; `delay` counts the slower one's.
struct Timing {
  int64_t sourceTicks = 1, targetTicks = 1; // per root tick
  int64_t delay = 0;

  int64_t slowTicks() const { return std::min(sourceTicks, targetTicks); }
  /// The slower clock's tick at which the source's tick arrives.
  int64_t arrival(int64_t sourceTick) const {
    return sourceTick / (sourceTicks / slowTicks()) + delay;
  }
  /// The target's tick that sees what arrives at a tick of the slower clock:
  /// its first one in that tick.
  int64_t seen(int64_t slowTick) const {
    return slowTick * (targetTicks / slowTicks());
  }
};

/// One update of one population within a root tick.
struct Visit {
  unsigned population;
  int64_t tick; // of the population's clock, from 0 in each root tick
};

/// A projection between two populations.
struct Dependency {
  unsigned source, target;
  Timing timing;
  ProjectOp op;
};

/// Order of all updates of a root tick in which every value that arrives in the
/// tick was computed before; among free updates the earlier tick goes first,
/// then the population that comes first. A cycle of zero-delay projections is
/// an error on the network that names its populations.
mlir::FailureOr<std::vector<Visit>>
orderUpdates(NetworkOp network, llvm::ArrayRef<PopulationOp> populations,
             llvm::ArrayRef<int64_t> ticks,
             llvm::ArrayRef<Dependency> dependencies);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_CLOCKS_H
