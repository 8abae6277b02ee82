// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/NeuroBench.h"

#include "simulator/events/Mesh.h"
#include "simulator/events/Tally.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace neurite::sim {

/// Non-zero weights that an emission of `source` meets.
static uint64_t nonZeroFanOut(const Machine &machine, uint32_t source,
                              const std::vector<uint32_t> &nonZeroOfAxon) {
  uint64_t sum = 0;
  for (const Machine::Message &message : machine.messages(source))
    sum += nonZeroOfAxon[message.axon];
  return sum;
}

NeuroBench neuroBench(const image::Program &program, const Machine &machine,
                      const Tally &tally) {
  NeuroBench result;
  const image::ModelStatistics &model = program.statistics();
  result.footprint = model.parameter_bytes();
  result.parameterCount = model.parameters();
  if (model.connection_weights() > 0)
    result.connectionSparsity =
        std::round(1000.0 * static_cast<double>(model.zero_weights()) /
                   static_cast<double>(model.connection_weights())) /
        1000.0;

  std::vector<uint32_t> nonZeroOfAxon;
  nonZeroOfAxon.reserve(machine.axons().size());
  for (const Machine::Axon &axon : machine.axons()) {
    const int16_t *first = machine.weights().data() + axon.weight;
    nonZeroOfAxon.push_back(static_cast<uint32_t>(
        axon.count - std::count(first, first + axon.count, 0)));
  }
  uint64_t accumulates = 0, multiplies = 0;
  std::vector<uint8_t> gradedSource(machine.sources(), 0);
  for (const Machine::Group &group : machine.groups())
    for (uint32_t part = 0; part < group.sources; ++part)
      for (uint32_t n = 0; n < group.count && spikeForm(group, part).graded;
           ++n)
        gradedSource[group.sourceOf(n, part)] = 1;
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    uint64_t all = tally.emissions[source];
    if (all == 0)
      continue;
    uint64_t fanOut = nonZeroFanOut(machine, source, nonZeroOfAxon);
    uint64_t graded =
        gradedSource[source] ? all : tally.gradedEmissions[source];
    multiplies += graded * fanOut;
    accumulates += (all - graded) * fanOut;
  }

  uint64_t activations = 0, fired = 0, membranes = 0;
  for (const Machine::Group &group : machine.groups()) {
    if (group.cuba.rules.silent || group.sources == 0)
      continue;
    const uint64_t sources = uint64_t(group.count) * group.sources;
    activations += sources * tally.tokens * group.rhythm.ticks;
    for (uint64_t s = 0; s < sources; ++s)
      fired += tally.emissions[group.source + s];
  }
  for (uint64_t updates : tally.membraneUpdates)
    membranes += updates;
  if (activations > 0)
    result.activationSparsity = static_cast<double>(activations - fired) /
                                static_cast<double>(activations);
  double samples = static_cast<double>(std::max<uint64_t>(tally.samples, 1));
  result.effectiveMacs = static_cast<double>(multiplies) / samples;
  result.effectiveAcs = static_cast<double>(accumulates) / samples;
  result.dense = static_cast<double>(model.dense_synops_per_tick()) *
                 static_cast<double>(tally.tokens) / samples;
  result.membraneUpdates = static_cast<double>(membranes) / samples;
  return result;
}

static nlohmann::ordered_json optional(const std::optional<double> &value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json toJson(const NeuroBench &metrics) {
  nlohmann::ordered_json json;
  json["footprint"] = metrics.footprint;
  json["parameter_count"] = metrics.parameterCount;
  json["connection_sparsity"] = optional(metrics.connectionSparsity);
  json["activation_sparsity"] = optional(metrics.activationSparsity);
  json["synaptic_operations"]["Dense"] = metrics.dense;
  json["synaptic_operations"]["Effective_MACs"] = metrics.effectiveMacs;
  json["synaptic_operations"]["Effective_ACs"] = metrics.effectiveAcs;
  json["membrane_updates"] = metrics.membraneUpdates;
  return json;
}

} // namespace neurite::sim
