// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the designs of a store that have no point yet, in worker processes
// on this machine. Others may do so at the same time, here or elsewhere.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_RUNWORKERS_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_RUNWORKERS_H

#include "runtime/explore/store/Store.h"
#include "runtime/explore/workers/Worker.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::explore {

struct RunOptions {
  unsigned jobs = 1;
  /// This process is `part` of `parts`: it begins at another place than the
  /// others, and ends when everything that is left is claimed.
  uint64_t part = 0, parts = 1;
  /// Points that end so are measured again.
  std::set<PointState> again;
  /// How many designs of how many are points.
  std::function<void(uint64_t done, uint64_t total)> progress;
  /// A line for people.
  std::function<void(const std::string &)> say;
};

struct RunEnd {
  uint64_t designs = 0;  ///< that are to be points
  uint64_t before = 0;   ///< that were before
  uint64_t measured = 0; ///< here
  uint64_t left = 0;     ///< that are none yet
  bool stopped = false;  ///< by a signal
  bool outOfTime = false;
  double seconds = 0;
};

/// Throws Error for what is no fault of one point: a full disk, a model that
/// cannot be read. What is measured by then stays.
RunEnd runWorkers(const Store &store, const DesignList &designs,
                  const MakeMeter &make, const RunOptions &options);

class WorkerPool;

/// The same for designs that are asked for one after the other. Workers stay,
/// with the networks that they have loaded.
class StandingWorkers {
public:
  /// `designs` finds each by its number, also in a process that was forked
  /// before it was asked for.
  StandingWorkers(const Store &store, const DesignList &designs, MakeMeter make,
                  const RunOptions &options);
  ~StandingWorkers();

  /// Designs `first` to `end`, of which the numbers rise from call to call.
  RunEnd measure(uint64_t first, uint64_t end);

private:
  const Store &store;
  MakeMeter make;
  std::unique_ptr<WorkerPool> pool;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_RUNWORKERS_H
