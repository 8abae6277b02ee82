// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of the cycle engine, from a program image to its result.

#ifndef DENDROLITH_SIMULATOR_TIMING_RUNCYCLE_H
#define DENDROLITH_SIMULATOR_TIMING_RUNCYCLE_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "simulator/options/RunOptions.h"
#include "simulator/result/RunResult.h"
#include "targets/loader/Target.h"

#include <map>
#include <memory>
#include <string>

namespace dendrolith::sim {

/// Runs the program in SystemC, in worker processes.
RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &inputs,
                   const RunOptions &options);

/// runCycle(), which writes down in `record` what a Replay needs.
RunResult recordCycle(const image::Program &program, const Target &target,
                      const std::map<std::string, Samples> &inputs,
                      const RunOptions &options, std::string &record);

/// runCycle() by several processes (RunOptions::ranks): each computes the
/// values of its cores and writes down what they send, and then lets what all
/// send in its part of the steps travel. The result is the first one's.
RunResult runCycleTogether(const image::Program &program, const Target &target,
                           const std::map<std::string, Samples> &values,
                           const RunOptions &options);

// Runs of the cycle engine that are computed once and timed many times. What a
// program computes does not depend on times. So a run can keep what its cores
// and its host send, and how much they work for it. Another set of times, that
// of mesh and barrier included, is then applied to that alone.

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

/// Puts the times of a replay in place of those that a result has.
void putTimes(RunResult &result, RunResult times);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_RUNCYCLE_H
