// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Collect.h"

#include "simulator/record/NeuroBench.h"

namespace dendrolith::sim {

RunResult collect(const FinishedRun &run) {
  RunResult result;
  result.samples = run.inputs.samples();
  result.ticks = run.inputs.ticks();
  result.steps = run.machine.stepsOf(run.inputs.ticks());
  result.outputs = std::move(run.recorder.outputs);
  result.traces = std::move(run.recorder.traces);
  result.spikes = run.recorder.takeSpikes();
  Expanded emitted = run.events.expand(run.target, run.traffic);
  result.counts = std::move(emitted.counts);
  result.attribution = std::move(emitted.attribution);
  result.sampleCounts = run.events.bySample();
  if (result.samples == 1) {
    result.sampleCounts = {result.counts.total()};
    result.sampleCounts.front()[Counter::Resets] = 0;
  }
  result.saturations = run.events.saturations();
  result.spikeValues = run.events.spikeValues();
  result.warnings = run.limits.warnings();
  result.neuroBench = neuroBench(run.model, run.machine, run.traffic,
                                 run.events, emitted.effective);
  return result;
}

} // namespace dendrolith::sim
