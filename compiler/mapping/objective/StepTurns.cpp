// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepTurns.h"

#include <algorithm>

namespace dendrolith {

StepTurns::StepTurns(const StepGraph &graph, const std::vector<uint32_t> &cores,
                     const Target &target)
    : graph(graph), cores(cores), target(target), ids(cores) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (uint32_t core : cores)
    endOf.push_back(
        size_t(std::lower_bound(ids.begin(), ids.end(), core) - ids.begin()));
  turns.resize((ids.size() + 1) * size_t(graph.steps));
}

void StepTurns::add(const ChipModel &model, double sendShare) {
  for (uint32_t s = 0; s < cores.size(); ++s) {
    Turn *turn = of(s);
    for (uint32_t step = 0; step < graph.steps; ++step) {
      size_t at = size_t(s) * graph.steps + step;
      turn[step].update += double(graph.update[at]);
      turn[step].receive += double(graph.receive[at]);
    }
  }
  for (const StepGraph::Flow &flow : graph.flows) {
    Turn *turn = of(flow.from);
    for (uint32_t step = 0; step < graph.steps; ++step)
      turn[step].sent += double(graph.messages[flow.at + step]);
  }
  // The host has nothing to update, but hands over one message at a time.
  for (size_t at = ids.size() * graph.steps; at < turns.size(); ++at)
    turns[at].update += sendShare * turns[at].sent *
                        std::max(double(model.timing.hostTime()),
                                 double(model.timing.noc.local.interval));
}

std::vector<double> StepTurns::putInOrder(const SerialPhases &phases,
                                          const TimingSet &timing) {
  const uint32_t steps = graph.steps;
  std::vector<double> spikes(steps), entries(steps);
  std::vector<double> serving(turns.size());
  for (const StepGraph::Flow &flow : graph.flows) {
    if (flow.to == host)
      continue;
    const bool fromHost = flow.from == host,
               elsewhere = !fromHost && cores[flow.from] != cores[flow.to];
    double *served = serving.data() + endOf[flow.to] * steps;
    for (uint32_t step = 0; step < steps; ++step) {
      const uint32_t next = (step + 1) % steps;
      if (fromHost ? phases.hostLists : !(elsewhere && phases.sequencer))
        served[next] += double(graph.services[flow.at + step]);
      if (elsewhere)
        entries[next] += double(graph.entries[flow.at + step]);
    }
  }
  for (uint32_t s = 0; s < cores.size(); ++s) {
    double *served = serving.data() + endOf[s] * steps;
    for (uint32_t step = 0; step < steps; ++step) {
      const double emitted = double(graph.emitted[size_t(s) * steps + step]);
      spikes[step] += emitted;
      served[(step + 1) % steps] += emitted * double(phases.perSpike);
    }
  }
  for (size_t core = 0; core < ids.size(); ++core) {
    const double empty =
        phases.allSlots ? emptySlots(core) * double(timing.updateInactive) : 0;
    for (uint32_t step = 0; step < steps; ++step) {
      Turn &turn = turns[core * steps + step];
      turn.receive = serving[core * steps + step];
      turn.update += turn.receive;
      turn.update += empty;
    }
  }
  std::vector<double> behind;
  if (!phases.sequencer)
    return behind;
  const SequencerTiming &sequencer = *phases.sequencer;
  for (uint32_t step = 0; step < steps; ++step)
    behind.push_back(double(sequencer.perCore) * double(target.numCores()) +
                     double(sequencer.perSpike) * spikes[step] +
                     (entries[step] > 0
                          ? double(sequencer.busy) +
                                double(sequencer.perEntry) * entries[step]
                          : double(sequencer.idle)));
  return behind;
}

double StepTurns::emptySlots(size_t core) const {
  uint64_t neurons = 0;
  for (size_t s = 0; s < cores.size(); ++s)
    neurons += cores[s] == ids[core] ? graph.neurons[s] : 0;
  const uint64_t slots = target.limits.compartmentsPerCore.value_or(0);
  return slots > neurons ? double(slots - neurons) : 0;
}

} // namespace dendrolith
