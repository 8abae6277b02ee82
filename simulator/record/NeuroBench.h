// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This computes NeuroBench's metrics by the definitions of its
// harness (version 2.3.0).

#ifndef DENDROLITH_SIMULATOR_RECORD_NEUROBENCH_H
#define DENDROLITH_SIMULATOR_RECORD_NEUROBENCH_H

#include "runtime/image/Program.h"
#include "simulator/result/RunResult.h"

namespace dendrolith::sim {

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

#endif // DENDROLITH_SIMULATOR_RECORD_NEUROBENCH_H
