// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cycle-level simulation from elaboration to result. SystemC elaborates
// once per process, so a process calls one of these once: see RunCycle.h,
// which forks.

#ifndef DENDROLITH_SIMULATOR_TIMING_CYCLEENGINE_H
#define DENDROLITH_SIMULATOR_TIMING_CYCLEENGINE_H

#include "simulator/functional/machine/CompileGroups.h"
#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/rows/Rows.h"
#include "simulator/options/RunOptions.h"
#include "simulator/timing/messages/ServiceTimes.h"
#include "simulator/timing/work/WorkRecord.h"
#include "simulator/timing/workers/Part.h"
#include "targets/loader/Target.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dendrolith::sim {

/// A run made ready, all of which its workers share. What can be refused is
/// refused here, as Error.
class CycleRun {
public:
  /// All of them outlive it. `options.traces` are laid out here.
  CycleRun(const image::Program &program, const Target &target,
           const std::map<std::string, Samples> &values,
           const RunOptions &options);

  const image::Program &program;
  const Target &target;
  const RunOptions &options;
  const Machine machine;
  const TimingSet &timing;
  const CoreTimings timings;
  Inputs inputs;
  Recorder recorder;
  /// Values come from these. With --verify there are none, and values are what
  /// the messages bring.
  std::optional<const Rows> rows;
  std::optional<const ListTraffic> lists; // instead of rows
  const Traffic &traffic() const {
    return rows ? static_cast<const Traffic &>(*rows) : *lists;
  }
  /// Null where the only sample has the counts of the run.
  std::optional<const EmissionCosts> costs;
  const std::unique_ptr<const LimitedTraffic> limited;
  const std::shared_ptr<const CompiledGroups> compiled;
};

/// Runs the samples of a share one after the other. `record`, if there is one,
/// gets what replay() needs, and `progress` hears of the steps of the share.
/// With a leg, lets its steps travel, of the one sample.
/// Throws Error, also for what SystemC reports.
Part simulate(CycleRun &run, Share share, const RunOptions &options,
              WorkRecord *record, Leg *leg = nullptr);

/// The times of a recorded run of the same program on a chip with other times.
/// The result has nothing but times, stalls among them. The record may begin
/// with a later sample, or with a later step of the only one, where its leg is
/// timed alone. Throws Error.
RunResult replay(const Machine &machine, const Target &target,
                 const TimingSet &timing, const RunOptions &options,
                 std::string_view record, const Earlier &earlier = {},
                 uint64_t firstSample = 0, Leg *leg = nullptr);

/// Whether the mesh keeps nothing from one step to the next but whose turn it
/// is, so that the steps of a sample may be timed in legs.
bool settlesByStep(const Machine &machine, const Target &target,
                   const TimingSet &timing);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_CYCLEENGINE_H
