// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the work of a core's update engine takes. Work is told in numbers
// without a time, by kind, so that it can be kept and timed again.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORK_WORKTIMES_H
#define DENDROLITH_SIMULATOR_TIMING_WORK_WORKTIMES_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"
#include "targets/support/Time.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// Kinds of work that a core has: updates and emissions and, for each of its
/// groups, runs of each part of the group's program (MicroProgram::parts()).
namespace work {
enum WorkKind : uint32_t { Active, Inactive, Emission, FirstProgram };
} // namespace work

/// Work between two messages: kinds and how much of each, rising.
using WorkPiece = std::vector<std::pair<uint32_t, uint64_t>>;

/// The first kind of each group of a core, and the end of all.
std::vector<uint32_t> kindsOfGroups(const Machine &machine, uint32_t core);

class WorkTimes {
public:
  /// `timing` is the set as the core has it.
  WorkTimes(const Machine &machine, uint32_t core, const Target &target,
            const TimingSet &timing);

  /// How many kinds there are.
  uint32_t kinds() const { return static_cast<uint32_t>(each.size()); }
  /// In ps.
  uint64_t of(uint32_t kind, uint64_t count) const {
    return times(count, each[kind]);
  }
  uint64_t of(const WorkPiece &piece) const {
    uint64_t sum = 0;
    for (const auto &[kind, count] : piece)
      sum = plus(sum, of(kind, count));
    return sum;
  }

private:
  std::vector<uint64_t> each; // ps, by kind
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORK_WORKTIMES_H
