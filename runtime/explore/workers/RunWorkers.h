// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the designs of a store that have no point yet, in worker processes
// on this machine. Others may do so at the same time, here or elsewhere.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_RUNWORKERS_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_RUNWORKERS_H

#include "runtime/explore/store/Store.h"
#include "runtime/explore/workers/Worker.h"

#include <csignal>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::explore {

// SIGINT and SIGTERM while work goes on: the first asks for an end when the
// current points are finished, the second one ends at once.

/// Counts the signals while it lives; there is one at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  int count() const;
  /// Does what the last signal would have done without this.
  void pass();

private:
  struct sigaction before[2];
};

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

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_RUNWORKERS_H
