// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a run, the same for every engine: what was recorded and what was
// counted become the result.

#ifndef DENDROLITH_SIMULATOR_RECORD_COLLECT_H
#define DENDROLITH_SIMULATOR_RECORD_COLLECT_H

#include "runtime/image/Program.h"
#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/record/Recorder.h"
#include "simulator/result/RunResult.h"

namespace dendrolith::sim {

/// What a run has left behind.
struct FinishedRun {
  const image::ModelStatistics &model; // of the program
  const Target &target;                // gives the mesh
  const Machine &machine;
  const Inputs &inputs;
  const Traffic &traffic; // what the emissions sent
  const EventCounter &events;
  const StepLimits &limits;
  Recorder &recorder; // gives its arrays away
};

/// The whole result but for times, which only an engine with a clock has.
RunResult collect(const FinishedRun &run);

// This computes NeuroBench's metrics by the definitions of its
// harness (version 2.3.0).

class Machine;
class EventCounter;
class Traffic;

/// Computes the metrics of a run. `model` belongs to the program that `machine`
/// was built from and whose events `events` counted; `effective` is how many
/// synaptic operations there were (Expanded).
NeuroBench neuroBench(const image::ModelStatistics &model,
                      const Machine &machine, const Traffic &traffic,
                      const EventCounter &events, uint64_t effective);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_COLLECT_H
