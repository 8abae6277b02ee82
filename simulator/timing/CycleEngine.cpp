// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/CycleEngine.h"

#include "simulator/record/Collect.h"
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

/// Elaborates the chip and lets time pass. When all samples are over, `values`
/// says what came out, to which the times are added.
static RunResult elapse(Chip &chip, const std::function<RunResult()> &values) {
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
    result = values();
    result.timePs = now();
    result.sampleLatencyPs = std::move(barrier->sampleLatencies);
    result.stepTimes = std::move(barrier->stepTimes);
    addStalls(chip, result.counts);
    if (chip.shadow)
      compareCounts(result.counts, mesh.counts());
    addActivity(chip, mesh, result);
  } catch (const sc_core::sc_report &report) {
    throw Error(fmt::format("SystemC: {}: {}", report.get_msg_type(),
                            report.get_msg()));
  }
  return result;
}

RunResult simulate(const image::Program &program, const Machine &machine,
                   const Target &target, const TimingSet &timing,
                   const Inputs &inputs, const RunOptions &options,
                   const Rows *rows,
                   std::shared_ptr<const CompiledGroups> compiled,
                   WorkRecord *record) {
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes);
  const ListTraffic lists(machine);
  const Traffic &traffic = rows ? static_cast<const Traffic &>(*rows) : lists;
  // The counts of a single sample are those of the run.
  std::optional<EmissionCosts> costs;
  if (inputs.samples() > 1)
    costs.emplace(machine, target, traffic);
  const CoreTimings timings(machine, timing);
  const std::unique_ptr<const LimitedTraffic> limited =
      LimitedTraffic::of(program, target);
  LiveWork work(machine, target, timings, inputs, recorder, rows,
                costs ? &*costs : nullptr, record, limited.get(),
                timing.barrier.form == BarrierTiming::Form::Handshake);
  work.state.compiled = std::move(compiled);
  Chip chip(machine, target, timing, timings, options, work, &work);
  return elapse(chip, [&] {
    return collect({program.statistics(), target, machine, inputs, traffic,
                    work.events, work.limits, recorder});
  });
}

RunResult replay(const Machine &machine, const Target &target,
                 const TimingSet &timing, const RunOptions &options,
                 std::string_view record) {
  const CoreTimings timings(machine, timing);
  RecordedWork work(machine, target, timings, record);
  Chip chip(machine, target, timing, timings, options, work, nullptr);
  return elapse(chip, [] { return RunResult(); });
}

} // namespace neurite::sim
