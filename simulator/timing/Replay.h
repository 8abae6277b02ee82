// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of the cycle engine that are computed once and timed many times. What a
// program computes does not depend on times. So a run can keep what its cores
// and its host send, and how much they work for it. Another set of times, that
// of mesh and barrier included, is then applied to that alone.

#ifndef DENDROLITH_SIMULATOR_TIMING_REPLAY_H
#define DENDROLITH_SIMULATOR_TIMING_REPLAY_H

#include "simulator/timing/RunCycle.h"

#include <memory>
#include <string>

namespace dendrolith::sim {

class Machine;

/// A program made ready for its record, any number of times.
class Replay {
public:
  /// Both outlive it.
  Replay(const image::Program &program, const std::string &record);
  ~Replay();

  /// The times of a run, which are those of runCycle() to the picosecond.
  /// Nothing else is in the result, and of the counts only stalls. `target` may
  /// differ from that of the record in its times and in microcode.lanes.
  /// `options` ask for a timing set and a timeline. Throws Error, also for a
  /// record of another program.
  RunResult run(const Target &target, const RunOptions &options) const;
  /// ps that the system around the cores adds to each step by a timing set.
  uint64_t management(const Target &target, const std::string &timing) const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

/// Replay::run() of a machine that the caller has, in a worker process.
RunResult replayInWorker(const Machine &machine, const Target &target,
                         const TimingSet &timing, const RunOptions &options,
                         const std::string &record);

/// Puts the times of a replay in place of those that a result has.
void putTimes(RunResult &result, RunResult times);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_REPLAY_H
