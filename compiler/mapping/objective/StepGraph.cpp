// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepGraph.h"

#include "compiler/mapping/network/ListWalk.h"
#include "compiler/mapping/objective/StepRecorder.h"

#include <algorithm>
#include <cmath>

namespace dendrolith {

double StepGraph::mean(const std::vector<float> &loads, size_t index) const {
  double sum = 0;
  for (uint32_t s = 0; s < steps; ++s)
    sum += double(loads[index * steps + s]);
  return sum / steps;
}

namespace {

class StepGraphBuilder {
public:
  StepGraphBuilder(const MapNetwork &network, const SynapseFormat &format,
                   const std::vector<std::vector<uint32_t>> &starts,
                   const ChipModel &model)
      : network(network), format(format), starts(starts), model(model),
        clock(network), visits(network, clock, model),
        recorder(network, clock, visits, model) {}

  StepGraph run() {
    graph.steps = clock.steps;
    graph.sampled = clock.sampled;
    uint32_t slices = 0;
    for (const std::vector<uint32_t> &bounds : starts) {
      firstSlice.push_back(slices);
      slices += uint32_t(bounds.size()) - 1;
      for (size_t k = 0; k + 1 < bounds.size(); ++k)
        graph.neurons.push_back(bounds[k + 1] - bounds[k]);
    }
    graph.update.resize(size_t(slices) * graph.steps);
    graph.receive.resize(graph.update.size());
    sent.resize((size_t(slices) + 1) * graph.steps); // the last is the host
    if (model.timing.serial) {
      sentTime.resize(sent.size());
      sentEntries.resize(sent.size());
      graph.emitted.resize(graph.update.size());
    }
    addUpdates();
    addMessages(true);
    addMessages(false);
    graph.replayed = recorder.take();
    graph.workEnergy /= graph.steps;
    graph.sendsPerMessage = messages > 0 ? emitted / messages : 1;
    return std::move(graph);
  }

private:
  void addUpdates() {
    for (uint32_t p = 0; p < network.populations.size(); ++p) {
      const MapPopulation &population = network.populations[p];
      for (size_t k = 0; k + 1 < starts[p].size(); ++k) {
        Visits::Load load = visits.of(p, starts[p][k], starts[p][k + 1]);
        float *update = graph.update.data() + (firstSlice[p] + k) * graph.steps;
        clock.forEachUpdate(population.schedule,
                            [&](uint32_t step, uint32_t bit) {
                              update[step] += float(load.time[bit]);
                              graph.workEnergy += load.energy[bit];
                            });
      }
    }
  }

  void addMessages(bool fromInput) {
    const auto lists = listsBySource(network, format, starts, fromInput);
    for (uint32_t i = 0; i < lists.size(); ++i) {
      if (fromInput) {
        addSource(lists[i], true, i, 0, network.inputs[i].size, host);
        continue;
      }
      uint32_t sources = network.populations[i].sources;
      for (size_t k = 0; k + 1 < starts[i].size(); ++k) {
        const uint32_t slice = firstSlice[i] + uint32_t(k);
        recorder.openSlice(i, slice, starts[i][k]);
        addSource(lists[i], false, i, starts[i][k] * sources,
                  starts[i][k + 1] * sources, slice);
        recorder.closeSlice(slice, starts[i][k + 1]);
      }
    }
  }

  /// All that elements [first, end) of one slice, or of an input, send.
  void addSource(const std::vector<ProjectionLists> &walks, bool fromInput,
                 uint32_t i, uint32_t first, uint32_t end, uint32_t slice) {
    const MapSchedule &schedule = network.schedule(fromInput, i);
    float *update =
        fromInput ? nullptr : graph.update.data() + size_t(slice) * graph.steps;
    const double spikeEmit = double(model.timing.spikeEmit);
    const double messageOut = double(model.timing.messageOut);
    // Each source goes to as many outputs as the population has for it.
    const double hostMessages =
        fromInput ? 0
                  : double(network.hostOutputs(i)) /
                        std::max(network.populations[i].sources, 1u);
    for (uint32_t element = first; element < end; ++element) {
      emissions.clear();
      clock.forEachEmission(schedule, network.activity(fromInput, i, element),
                            network.rate(fromInput, i, element),
                            [&](uint32_t step, double weight) {
                              emissions.push_back({step, weight});
                            });
      if (emissions.empty())
        continue;
      uint32_t lists = 0;
      current.clear();
      for (const ProjectionLists &walk : walks)
        walk.lists.forEach(
            element, [&](size_t k, const ListPlan &plan, uint64_t, uint64_t) {
              addList(firstSlice[walk.projection->target] + uint32_t(k), plan,
                      *walk.projection);
              ++lists;
            });
      for (auto [step, weight] : emissions) {
        messages += weight * lists;
        emitted += lists > 0 ? weight : 0;
      }
      if (!fromInput)
        for (auto [step, weight] : emissions) {
          update[step] +=
              float(weight * (spikeEmit + messageOut * (lists + hostMessages)));
          graph.workEnergy += weight * model.prices.spike;
          if (model.timing.serial)
            graph.emitted[size_t(slice) * graph.steps + step] += float(weight);
          if (hostMessages > 0)
            flow(host)[step] += float(weight * hostMessages);
        }
      for (auto [step, weight] : emissions)
        if (isSent(element, step, weight))
          recorder.emit(step, slice, element, current,
                        uint32_t(std::lround(hostMessages)));
    }
    flush(slice);
  }

  /// Whether an element of which only a rate is known sends in a step that is
  /// kept message by message: as often as the rate says, and always in the same
  /// steps. Multiples of two irrational numbers spread elements and steps
  /// evenly.
  static bool isSent(uint32_t element, uint32_t step, double weight) {
    return weight >= 1 ||
           std::fmod(element * 0.6180339887498949 + step * 0.7548776662466927,
                     1) < weight;
  }

  void addList(uint32_t target, const ListPlan &plan,
               const MapProjection &projection) {
    const double service = model.serviceOf(plan, projection.convolution);
    const double energy = double(plan.count) * model.prices.synop +
                          double(plan.words) * model.prices.word;
    current.push_back({target, float(service)});
    float *receive = graph.receive.data() + size_t(target) * graph.steps;
    float *messages = flow(target);
    for (auto [step, weight] : emissions) {
      receive[step] += float(weight * service);
      messages[step] += float(weight);
      graph.workEnergy += weight * energy;
    }
    if (!model.timing.serial)
      return;
    const double due =
        projection.delay ? double(model.timing.serial->perDue) * plan.count : 0;
    const size_t first = size_t(target) * graph.steps;
    for (auto [step, weight] : emissions) {
      sentTime[first + step] += float(weight * (service + due));
      sentEntries[first + step] += float(weight * plan.count);
    }
  }

  /// Messages of the current source to a slice or the host, by step.
  float *flow(uint32_t to) {
    size_t column = to == host ? sent.size() / graph.steps - 1 : to;
    if (touchedBy.size() <= column)
      touchedBy.resize(sent.size() / graph.steps, false);
    if (!touchedBy[column]) {
      touchedBy[column] = true;
      touched.push_back(to);
    }
    return sent.data() + column * graph.steps;
  }

  void flush(uint32_t sender) {
    std::sort(touched.begin(), touched.end());
    for (uint32_t to : touched) {
      size_t column = to == host ? sent.size() / graph.steps - 1 : to;
      float *row = sent.data() + column * graph.steps;
      graph.flows.push_back({sender, to, graph.messages.size()});
      graph.messages.insert(graph.messages.end(), row, row + graph.steps);
      std::fill_n(row, graph.steps, 0.0f);
      if (model.timing.serial) {
        move(sentTime, column, graph.services);
        move(sentEntries, column, graph.entries);
      }
      touchedBy[column] = false;
    }
    touched.clear();
  }

  /// Takes the row of a flow, and leaves zeros.
  void move(std::vector<float> &rows, size_t column,
            std::vector<float> &taken) {
    float *row = rows.data() + column * graph.steps;
    taken.insert(taken.end(), row, row + graph.steps);
    std::fill_n(row, graph.steps, 0.0f);
  }

  const MapNetwork &network;
  const SynapseFormat &format;
  const std::vector<std::vector<uint32_t>> &starts;
  const ChipModel &model;
  const StepClock clock;
  const Visits visits;
  StepRecorder recorder;
  StepGraph graph;
  std::vector<uint32_t> firstSlice;                   // by population
  std::vector<std::pair<uint32_t, double>> emissions; // step, weight
  double emitted = 0, messages = 0; // in all steps, but for those to the host
  std::vector<ReplayStep::Message> current; // of the current element
  // What the current source sends, by target slice and step.
  std::vector<float> sent, sentTime, sentEntries;
  std::vector<bool> touchedBy;
  std::vector<uint32_t> touched;
};

} // namespace

StepGraph buildStepGraph(const MapNetwork &network, const SynapseFormat &format,
                         const std::vector<std::vector<uint32_t>> &starts,
                         const ChipModel &model) {
  return StepGraphBuilder(network, format, starts, model).run();
}

std::vector<std::vector<double>> neuronLoads(const MapNetwork &network,
                                             const ChipModel &model) {
  const StepClock clock(network);
  const Visits visits(network, clock, model);
  std::vector<std::vector<double>> loads;
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    loads.emplace_back(network.populations[p].size);
    for (uint32_t n = 0; n < network.populations[p].size; ++n)
      loads.back()[n] = visits.meanTime(p, n);
  }
  for (const MapProjection &projection : network.projections) {
    std::vector<double> &load = loads[projection.target];
    const uint32_t each = network.populations[projection.target].accumulators;
    const auto &times = model.timing.perSynapse;
    const auto perEntry =
        double(projection.convolution ? times.conv : times.sparse);
    for (uint32_t s = 0; s < network.sourceSize(projection); ++s) {
      const double time =
          perEntry * network.rate(projection.fromInput, projection.source, s);
      if (time > 0)
        for (uint64_t i = projection.begin[s]; i < projection.begin[s + 1]; ++i)
          load[projection.accumulator[i] / each] += time;
    }
  }
  return loads;
}

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
