// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/CycleEngine.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/functional/rows/EventOrder.h"
#include "simulator/timing/kernel/Kernel.h"
#include "simulator/timing/work/RecordedWork.h"

#include <fmt/format.h>

namespace dendrolith::sim {

/// With --verify, what went through the mesh must be what was emitted.
static void compareCounts(const Counts &emitted, Counts travelled) {
  travelled.chip = emitted.chip;
  std::string difference = emitted.difference(travelled);
  if (!difference.empty())
    throw Error("verify: expected the counts of the emissions, found others "
                "in the mesh: " +
                difference);
}

static const Machine &fitting(const Machine &machine, const Target &target) {
  checkFits(machine, target);
  return machine;
}

/// A timeline of nothing is refused before anything runs.
static void checkTimeline(const TimelineRequest &request, uint64_t samples,
                          uint64_t steps) {
  const auto check = [&](const char *what, uint64_t first, uint64_t count) {
    if (request.rows && first >= count)
      throw Error(count ? fmt::format("--timeline: {} from {} on were asked "
                                      "for, the run has {} 0 to {}; give a "
                                      "range with one of them",
                                      what, first, what, count - 1)
                        : fmt::format("--timeline: the run has no {}, so that "
                                      "there is nothing to show",
                                      what));
  };
  check("samples", request.firstSample, samples);
  check("steps", request.firstStep, steps);
}

CycleRun::CycleRun(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &values,
                   const RunOptions &options)
    : program(program), target(target), options(options),
      machine(program,
              options.verify ? Machine::Lists::Kept : Machine::Lists::Timed),
      timing(target.timing(options.timing)),
      timings(fitting(machine, target), timing), inputs(machine, values),
      recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
               options.spikes, options.stores),
      limited(LimitedTraffic::of(program, target)),
      compiled(compileGroups(machine, options, inputs.ticks(), inputs.samples(),
                             1)) {
  if (const auto order = EventOrder::of(program, target)) {
    inputs.play(order->plan(machine, Rows(program, machine, nullptr), inputs));
    recorder.repeatTicks();
  }
  if (options.verify)
    lists.emplace(machine);
  else
    rows.emplace(program, machine, nullptr);
  if (inputs.samples() > 1)
    costs.emplace(machine, target, traffic());
  checkTimeline(options.timeline, inputs.samples(), inputs.mostSteps());
}

Part simulate(CycleRun &run, Share share, const RunOptions &options,
              WorkRecord *record, Leg *leg) {
  LiveWork work(run.machine, run.target, run.timings, run.inputs, run.recorder,
                run.rows ? &*run.rows : nullptr,
                run.costs ? &*run.costs : nullptr, record, run.limited.get());
  work.state.compiled = run.compiled;
  Chip chip(run.machine, run.target, run.timing, run.timings, options, work,
            &work, share);
  chip.leg = leg;
  RunResult times = elapse(chip, [&](const Counts &travelled) {
    compareCounts(work.events.expand(run.target, run.traffic()).counts,
                  travelled);
  });
  return {std::move(work.events), std::move(work.limits), std::move(times)};
}

RunResult replay(const Machine &machine, const Target &target,
                 const TimingSet &timing, const RunOptions &options,
                 std::string_view record, const Earlier &earlier,
                 uint64_t firstSample, Leg *leg) {
  const CoreTimings timings(machine, timing);
  RecordedWork work(machine, target, timings, record, earlier);
  Chip chip(machine, target, timing, timings, options, work, nullptr,
            {firstSample, 1});
  chip.leg = leg;
  return elapse(chip, {});
}

bool settlesByStep(const Machine &machine, const Target &target,
                   const TimingSet &timing) {
  const NocTiming &noc = timing.noc;
  if (timing.serial || noc.grid || noc.turn)
    return false;
  uint64_t settles = 0;
  for (const PortTiming &port :
       {noc.north, noc.south, noc.east, noc.west, noc.local, noc.crossing})
    settles = std::max({settles, port.credit, port.interval, port.inject});
  const Extent extent = extentOf(machine, target);
  return timing.barrierTime(extent.fullest, extent.chips.size()) >= settles;
}

} // namespace dendrolith::sim
