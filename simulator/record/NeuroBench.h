// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions compute NeuroBench's metrics by the definitions of its
// harness (version 2.3.0) and write them under the harness's names.

#ifndef NEURITE_SIMULATOR_RECORD_NEUROBENCH_H
#define NEURITE_SIMULATOR_RECORD_NEUROBENCH_H

#include "runtime/image/Program.h"
#include "simulator/RunResult.h"

#include <nlohmann/json_fwd.hpp>

namespace neurite::sim {

class Machine;
class EventCounter;
class Traffic;

/// Computes the metrics of a run. `model` belongs to the program that `machine`
/// was built from and whose events `events` counted; `effective` is how many
/// synaptic operations there were (Expanded).
NeuroBench neuroBench(const image::ModelStatistics &model,
                      const Machine &machine, const Traffic &traffic,
                      const EventCounter &events, uint64_t effective);

/// Writes the metrics under the harness's names: footprint, parameter_count,
/// connection_sparsity, activation_sparsity, synaptic_operations {Dense,
/// Effective_MACs, Effective_ACs}, membrane_updates.
nlohmann::ordered_json toJson(const NeuroBench &metrics);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RECORD_NEUROBENCH_H
