// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/CycleEngine.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/Process.h"
#include "simulator/timing/barrier/BarrierModel.h"
#include "simulator/timing/barrier/LocalBarrier.h"
#include "simulator/timing/work/RecordedWork.h"

#include <fmt/format.h>

#include <functional>

/// SystemC's library wants this symbol, for a `main` of its own that nobody
/// here uses. Weak, and in this file, so that whoever links the engine has it
/// and may still bring another.
__attribute__((weak)) int sc_main(int, char **) { return 1; }

namespace neurite::sim {

/// Keeps the kernel's own messages from the user: what goes wrong comes back as
/// an exception.
static void quietReports() {
  using sc_core::sc_report_handler;
  sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
  sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
}

/// Adds how long ports let engines wait.
static void addStalls(const Chip &chip, Counts &counts) {
  for (uint32_t i = 0; i < chip.host(); ++i)
    counts.cores[chip.machine.cores()[i].id][Counter::Stalls] =
        chip.streams[i].sent().stalled;
  counts.host[Counter::Stalls] = chip.streams[chip.host()].sent().stalled;
}

/// With --verify, what went through the mesh must be what was emitted.
static void compareCounts(const Counts &emitted, Counts travelled) {
  travelled.chip = emitted.chip;
  std::string difference = emitted.difference(travelled);
  if (!difference.empty())
    throw Error("verify: expected the counts of the emissions, found others "
                "in the mesh: " +
                difference);
}

/// Adds what engines and links did, with cores named by their ids.
static void addActivity(const Chip &chip, const MeshModel &mesh,
                        RunResult &result) {
  const std::vector<Machine::Core> &cores = chip.machine.cores();
  result.coreActivity = chip.activity.cores();
  for (size_t i = 0; i < cores.size(); ++i)
    result.coreActivity[i].core = cores[i].id;
  result.linkActivity = mesh.links();
  result.timeline =
      chip.handshake ? chip.handshake->takeTimeline() : chip.activity.timeline;
  for (TimelineEvent &event : result.timeline.events)
    if (event.kind != TimelineEvent::Mesh &&
        event.kind != TimelineEvent::Barrier)
      event.core = cores[event.core].id;
}

/// Elaborates the chip and lets time pass. When all samples are over, `compare`
/// sees what was counted in the mesh, with --verify.
static RunResult elapse(Chip &chip,
                        const std::function<void(const Counts &)> &compare) {
  quietReports();
  std::exception_ptr failure;
  RunResult result;
  try {
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    MeshModel mesh("mesh", chip, failure);
    std::unique_ptr<StepControl> barrier;
    const RunOptions &options = chip.options;
    if (chip.handshake)
      barrier = std::make_unique<LocalBarrier>("barrier", chip, mesh,
                                               options.progress, failure);
    else
      barrier = std::make_unique<BarrierModel>("barrier", chip, mesh,
                                               options.progress, failure);
    sc_core::sc_start();
    if (failure)
      std::rethrow_exception(failure);
    if (!barrier->finished)
      throw Error(
          fmt::format("step {} of sample {} did not end: no event is "
                      "left although not everything is quiet",
                      chip.handshake ? chip.handshake->lowestStep() : chip.step,
                      chip.sample));
    if (chip.shadow)
      compare(mesh.counts());
    result.timePs = now();
    result.sampleLatencyPs = std::move(barrier->sampleLatencies);
    result.stepTimes = std::move(barrier->stepTimes);
    addStalls(chip, result.counts);
    addActivity(chip, mesh, result);
  } catch (const sc_core::sc_report &report) {
    throw Error(fmt::format("SystemC: {}: {}", report.get_msg_type(),
                            report.get_msg()));
  }
  return result;
}

static const Machine &fitting(const Machine &machine, const Target &target) {
  checkFits(machine, target);
  return machine;
}

/// Where steps overlap, ticks do not end one after the other, as a file needs.
static OutputStore storeOf(const RunOptions &options, const TimingSet &timing) {
  return timing.barrier.form == BarrierTiming::Form::Handshake ? OutputStore()
                                                               : options.store;
}

CycleRun::CycleRun(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &values,
                   const RunOptions &options)
    : program(program), target(target), options(options), machine(program),
      timing(target.timing(options.timing)),
      timings(fitting(machine, target), timing), inputs(machine, values),
      recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
               options.spikes, storeOf(options, timing)),
      limited(LimitedTraffic::of(program, target)),
      compiled(
          compileGroups(machine, options, inputs.ticks(), inputs.samples())) {
  if (options.verify)
    lists.emplace(machine);
  else
    rows.emplace(program, machine, nullptr);
  if (inputs.samples() > 1)
    costs.emplace(machine, target, traffic());
}

Part simulate(CycleRun &run, Share share, const RunOptions &options,
              WorkRecord *record) {
  LiveWork work(run.machine, run.target, run.timings, run.inputs, run.recorder,
                run.rows ? &*run.rows : nullptr,
                run.costs ? &*run.costs : nullptr, record, run.limited.get(),
                run.timing.barrier.form == BarrierTiming::Form::Handshake);
  work.state.compiled = run.compiled;
  Chip chip(run.machine, run.target, run.timing, run.timings, options, work,
            &work, share);
  RunResult times = elapse(chip, [&](const Counts &travelled) {
    compareCounts(work.events.expand(run.target, run.traffic()).counts,
                  travelled);
  });
  return {std::move(work.events), std::move(work.limits), std::move(times)};
}

RunResult replay(const Machine &machine, const Target &target,
                 const TimingSet &timing, const RunOptions &options,
                 std::string_view record) {
  const CoreTimings timings(machine, timing);
  RecordedWork work(machine, target, timings, record);
  Chip chip(machine, target, timing, timings, options, work, nullptr, {});
  return elapse(chip, {});
}

} // namespace neurite::sim
