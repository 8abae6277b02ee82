// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network that ran once on a chip: what it counted, what that costs, and how
// long its steps take, also at other times.

#ifndef DENDROLITH_RUNTIME_EXPLORE_SILICON_ACTIVITY_H
#define DENDROLITH_RUNTIME_EXPLORE_SILICON_ACTIVITY_H

#include "runtime/session/RunRequest.h"
#include "simulator/result/RunResult.h"
#include "simulator/timing/RunCycle.h"
#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"
#include "targets/loader/silicon/Measurements.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::session {
struct Workload;
}

namespace dendrolith::silicon {

class Activity {
public:
  /// Compiles and runs. Steps before `firstStep` are a ramp, which times leave
  /// out. Throws Error.
  Activity(session::RunRequest request, uint64_t firstStep);
  ~Activity();

  const Target &chip() const;
  uint64_t cores() const { return run.counts.cores.size(); }
  uint64_t steps() const { return run.steps * run.samples; }
  const sim::Counts &counts() const { return run.counts; }

  /// The mean of a step in ns, of the row's phase where it has one. Steps count
  /// from the first in which a neuron is updated.
  double timeOf(const Measurement &row) const;
  /// The same on chips whose times are all at one of their ends.
  double timeAtEnd(const Measurement &row, bool slow) const;
  /// The times of a chip whose other numbers are the same.
  sim::RunResult replayOn(const Target &other) const;
  double timeOf(const Measurement &row, const sim::RunResult &times) const;
  /// What management processors of a chip add to a step in ns.
  double managementOn(const Target &other) const;
  /// Events of a core in a step, the mean of the row's cores.
  double countOf(const Measurement &row) const;
  /// Dynamic energy of a step in pJ.
  double energyAt(const CostTable &prices) const;

private:
  std::unique_ptr<session::RunRequest> request; ///< `work` refers to it
  std::unique_ptr<session::Workload> work;
  uint64_t firstStep;
  uint64_t opening = 0; ///< steps in which the host alone sends
  std::string record;
  sim::RunResult run;
  std::unique_ptr<const sim::Replay> replay;
  mutable std::map<bool, sim::RunResult> ends; ///< by slow, once asked for
};

// Between which times a chip's steps lie, as far as its numbers are known.

/// Whether steps get slower with more of a number of that unit. They do with
/// every time, and not with room in a buffer.
bool isSlowerWithMore(const std::string &unit);

/// The chip with each number of a timing set that has ends at the slower one of
/// them, or at the quicker one.
Target atTimeEnds(const Target &chip, const TimingSet &timing, bool slow);

} // namespace dendrolith::silicon

#endif // DENDROLITH_RUNTIME_EXPLORE_SILICON_ACTIVITY_H
