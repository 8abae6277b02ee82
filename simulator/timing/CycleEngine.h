// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cycle-level simulation from elaboration to result. SystemC elaborates
// once per process, so a process calls this once: see runCycle() in
// simulator/Run.h, which forks.

#ifndef NEURITE_SIMULATOR_TIMING_CYCLEENGINE_H
#define NEURITE_SIMULATOR_TIMING_CYCLEENGINE_H

#include "simulator/RunOptions.h"
#include "simulator/RunResult.h"
#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/rows/Rows.h"
#include "targets/loader/Target.h"

namespace neurite::sim {

/// Runs all samples one after the other. `options.traces` are laid out here,
/// and checkFits() has passed. Values come from `rows`; with --verify it is
/// null, and values are what the messages bring. Throws Error, also for what
/// SystemC reports.
RunResult simulate(const image::Program &program, const Machine &machine,
                   const Target &target, const TimingSet &timing,
                   const Inputs &inputs, const RunOptions &options,
                   const Rows *rows);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_CYCLEENGINE_H
