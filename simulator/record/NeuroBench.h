// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NeuroBench's metrics by the definitions of its harness (version 2.3.0).

#ifndef NEURITE_SIMULATOR_RECORD_NEUROBENCH_H
#define NEURITE_SIMULATOR_RECORD_NEUROBENCH_H

#include "runtime/image/Program.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace neurite::sim {

class Machine;
class EventCounter;
class Traffic;

/// The static metrics are of the float model, as it was imported. The workload
/// metrics are of the execution on the chip: its spikes, its integer weights
/// (one that quantisation made zero counts as zero) and its membrane v.
struct NeuroBench {
  uint64_t footprint = 0; // bytes of parameters and buffers, zeros included
  uint64_t parameterCount = 0;
  /// Zero weights of all weights of connection layers, rounded to 3 decimals as
  /// the harness does. Absent for a network without weights.
  std::optional<double> connectionSparsity;
  /// Silent ones of all activations, over all populations that can fire, ticks
  /// and samples. Absent when no population can fire.
  std::optional<double> activationSparsity;
  /// Per sample, summed over its ticks. A layer call (an input at one tick)
  /// with an element other than -1, 0, 1 counts as MACs as a whole.
  double dense = 0, effectiveMacs = 0, effectiveAcs = 0;
  /// Per sample: neurons at the first tick, then each change of v.
  double membraneUpdates = 0;
};

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
