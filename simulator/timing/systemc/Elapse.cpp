// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/systemc/Elapse.h"

#include "simulator/timing/systemc/BarrierModel.h"
#include "simulator/timing/systemc/CoreModel.h"

#include <fmt/format.h>

#include <cstdlib>

/// SystemC's library wants this symbol, for a `main` of its own that nobody
/// here uses. Weak, and in this file, so that whoever links the engine has it
/// and may still bring another.
__attribute__((weak)) int sc_main(int, char **) { return 1; }

namespace dendrolith::sim {

/// Keeps the kernel's own messages from the user: what goes wrong comes back as
/// an exception.
static void quietReports() {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
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
  counts.host[Counter::Stalls] += chip.streams[chip.host()].sent().stalled;
}

static void addTimeline(Chip &chip, Timeline &timeline) {
  const std::vector<Machine::Core> &cores = chip.machine.cores();
  timeline = chip.activity.timeline.take();
  for (uint32_t i = 0; i < cores.size(); ++i)
    timeline.tiles.push_back({cores[i].id, chip.tileOf(i)});
  const auto idOf = [&](uint64_t core) {
    return core < cores.size() ? cores[core].id : TimelineSlice::host;
  };
  for (TimelineStep &step : timeline.steps) {
    for (TimelineSlice &slice : step.slices)
      if (slice.kind != TimelineSlice::Mesh &&
          slice.kind != TimelineSlice::Barrier)
        slice.core = idOf(slice.core);
    for (TimelineFlow &flow : step.flows) {
      flow.from = idOf(flow.from);
      flow.to = idOf(flow.to);
    }
    for (TimelineQueue &queue : step.queues)
      queue.core = idOf(queue.core);
  }
}

/// Adds what engines and links did, with cores named by their ids.
static void addActivity(Chip &chip, const MeshModel &mesh, RunResult &result) {
  const std::vector<Machine::Core> &cores = chip.machine.cores();
  result.coreActivity = chip.activity.cores();
  for (size_t i = 0; i < cores.size(); ++i)
    result.coreActivity[i].core = cores[i].id;
  result.linkActivity = mesh.links();
  if (chip.activity.timeline.wanted())
    addTimeline(chip, result.timeline);
}

static RunResult run(Chip &chip, const Compare &compare) {
  quietReports();
  std::exception_ptr failure;
  RunResult result;
  try {
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    MeshModel mesh("mesh", chip, failure);
    BarrierModel barrier("barrier", chip, mesh, chip.options.progress, failure);
    sc_core::sc_start();
    if (failure)
      std::rethrow_exception(failure);
    if (!barrier.finished)
      throw Error(fmt::format("step {} of sample {} did not end: no event is "
                              "left although not everything is quiet",
                              chip.step, chip.sample));
    if (chip.shadow)
      compare(mesh.counts());
    result.timePs = now() - barrier.counted;
    result.sampleLatencyPs = std::move(barrier.sampleLatencies);
    result.stepTimes = std::move(barrier.stepTimes);
    addStalls(chip, result.counts);
    addActivity(chip, mesh, result);
  } catch (const sc_core::sc_report &report) {
    throw Error(fmt::format("SystemC: {}: {}", report.get_msg_type(),
                            report.get_msg()));
  }
  return result;
}

} // namespace dendrolith::sim

void dendrolithElapse(dendrolith::sim::Chip &chip,
                      const dendrolith::sim::Compare &compare,
                      dendrolith::sim::RunResult &result) {
  result = dendrolith::sim::run(chip, compare);
}
