// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NeuroBench is described in J. Yik et al., NeuroBench: A Framework for
// Benchmarking Neuromorphic Computing Algorithms and Systems, 2023-2025,
// https://arxiv.org/abs/2304.04640; https://github.com/NeuroBench/neurobench

#include "simulator/record/Collect.h"

#include "simulator/events/EventCounter.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::sim {

/// What people call an event.
static EventCounts::Taken takenOf(const Machine &machine,
                                  const EventPlan::Event &event) {
  for (const Machine::Input &input : machine.inputs())
    if (event.source - input.source < input.sources())
      return {event.tick, input.name, event.source - input.source};
  for (const Machine::Group &group : machine.groups())
    if (event.source - group.source < group.count * group.sources) {
      const Machine::Population &population =
          machine.populations()[group.population];
      const uint64_t neuron =
          group.firstNeuron + (event.source - group.source) / group.sources;
      return {event.tick, population.name, population.numberOf(neuron)};
    }
  return {event.tick, "", 0};
}

RunResult collect(const FinishedRun &run) {
  RunResult result;
  result.samples = run.inputs.samples();
  result.ticks = run.inputs.ticks();
  result.steps = run.inputs.mostSteps();
  if (const EventPlan *order = run.inputs.order()) {
    EventCounts &events = result.events.emplace();
    events.places = order->places;
    uint64_t left = EventCounts::told;
    for (const auto &sample : order->events) {
      auto &told = events.order.emplace_back();
      for (const EventPlan::Event &event : sample) {
        events.taken += event.source != EventPlan::Event::nobody;
        if (left == 0)
          continue;
        told.push_back(takenOf(run.machine, event));
        --left;
      }
    }
    for (const auto &sample : order->lost)
      events.lost += sample.size();
  }
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

NeuroBench neuroBench(const image::ModelStatistics &model,
                      const Machine &machine, const Traffic &traffic,
                      const EventCounter &events, uint64_t effective) {
  NeuroBench result;
  result.footprint = model.parameter_bytes();
  result.parameterCount = model.parameters();
  if (model.connection_weights() > 0)
    result.connectionSparsity =
        std::round(1000.0 * static_cast<double>(model.zero_weights()) /
                   static_cast<double>(model.connection_weights())) /
        1000.0;

  ZeroedVector<uint64_t> graded = events.gradedEmissions;
  for (const Machine::Group &group : machine.groups())
    for (uint32_t part = 0; part < group.sources; ++part)
      for (uint32_t n = 0; n < group.count && spikeForm(group, part).graded;
           ++n)
        graded[group.sourceOf(n, part)] =
            events.emissions[group.sourceOf(n, part)];
  uint64_t multiplies = 0;
  for (const Traffic::Messages &sent :
       traffic.sum({0, machine.sources(), 1}, graded.data()))
    multiplies += sent.count * traffic.delivery(sent.kind).nonZero;
  const uint64_t accumulates = effective - multiplies;

  uint64_t activations = 0, fired = 0, membranes = 0;
  for (const Machine::Group &group : machine.groups()) {
    if (group.cuba.rules.silent || group.sources == 0)
      continue;
    const uint64_t sources = uint64_t(group.count) * group.sources;
    activations += sources * events.updates * group.schedule.ticks;
    for (uint64_t s = 0; s < sources; ++s)
      fired +=
          events.emissions[group.source + s] + events.lost[group.source + s];
  }
  for (uint64_t updates : events.membraneUpdates)
    membranes += updates;
  if (activations > 0)
    result.activationSparsity = static_cast<double>(activations - fired) /
                                static_cast<double>(activations);
  double samples = static_cast<double>(std::max<uint64_t>(events.samples, 1));
  result.effectiveMacs = static_cast<double>(multiplies) / samples;
  result.effectiveAcs = static_cast<double>(accumulates) / samples;
  result.dense = static_cast<double>(model.dense_synops_per_tick()) *
                 static_cast<double>(events.tokens) / samples;
  result.membraneUpdates = static_cast<double>(membranes) / samples;
  return result;
}

} // namespace dendrolith::sim
