// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes NeuroBench's metrics by the definitions of its harness (version
// 2.3.0) and writes them under the harness's names.

#ifndef NEURITE_SIMULATOR_RECORD_NEUROBENCH_H
#define NEURITE_SIMULATOR_RECORD_NEUROBENCH_H

#include "runtime/image/Program.h"
#include "simulator/RunResult.h"

#include <nlohmann/json_fwd.hpp>

namespace neurite::sim {

class Machine;
class EventCounter;
class Traffic;

/// `model` is of the program that `machine` was built from and `events`
/// counted, with so many `effective` synaptic operations (Expanded).
NeuroBench neuroBench(const image::ModelStatistics &model,
                      const Machine &machine, const Traffic &traffic,
                      const EventCounter &events, uint64_t effective);

/// Under the harness's names: footprint, parameter_count, connection_sparsity,
/// activation_sparsity, synaptic_operations {Dense, Effective_MACs,
/// Effective_ACs}, membrane_updates.
nlohmann::ordered_json toJson(const NeuroBench &metrics);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RECORD_NEUROBENCH_H
