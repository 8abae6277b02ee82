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
#include <string>

namespace dendrolith::sim {

/// Runs the program in SystemC, in worker processes.
RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &inputs,
                   const RunOptions &options);

/// runCycle(), which writes down in `record` what a Replay (Replay.h) needs.
RunResult recordCycle(const image::Program &program, const Target &target,
                      const std::map<std::string, Samples> &inputs,
                      const RunOptions &options, std::string &record);

/// runCycle() by several processes (RunOptions::ranks): each computes the
/// values of its cores and writes down what they send, and the first one lets
/// all of it travel.
RunResult runCycleTogether(const image::Program &program, const Target &target,
                           const std::map<std::string, Samples> &values,
                           const RunOptions &options);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_RUNCYCLE_H
