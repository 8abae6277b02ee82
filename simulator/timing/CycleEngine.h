// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cycle-level simulation from elaboration to result. SystemC elaborates
// once per process, so a process calls one of these once: see runCycle() in
// simulator/Run.h and simulator/Replay.h, which fork.

#ifndef NEURITE_SIMULATOR_TIMING_CYCLEENGINE_H
#define NEURITE_SIMULATOR_TIMING_CYCLEENGINE_H

#include "simulator/RunOptions.h"
#include "simulator/RunResult.h"
#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/rows/Rows.h"
#include "simulator/timing/work/WorkRecord.h"
#include "targets/loader/Target.h"

#include <string_view>

namespace neurite::sim {

/// Runs all samples one after the other. `options.traces` are laid out here,
/// and checkFits() has passed. Values come from `rows`; with --verify it is
/// null, and values are what the messages bring. `record`, if there is one,
/// gets what replay() needs, and `compiled` is for State. Throws Error, also
/// for what SystemC reports.
RunResult simulate(const image::Program &program, const Machine &machine,
                   const Target &target, const TimingSet &timing,
                   const Inputs &inputs, const RunOptions &options,
                   const Rows *rows,
                   std::shared_ptr<const CompiledGroups> compiled,
                   WorkRecord *record);

/// The times of a recorded run of the same program on a chip with other times.
/// The result has nothing but times, stalls among them. Throws Error.
RunResult replay(const Machine &machine, const Target &target,
                 const TimingSet &timing, const RunOptions &options,
                 std::string_view record);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_CYCLEENGINE_H
