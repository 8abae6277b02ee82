// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Recorder.h"

#include "simulator/record/Room.h"

#include <algorithm>

namespace neurite::sim {

// These are the states of a fixed-function neuron, in the order of Shown::part.
// What it emits has no name.
static const char *const kCubaStates[] = {"u", "v"};

/// Returns the states and outputs of all groups of a population. A state may be
/// in some groups only, those that have its branch, and reads 0 in the others.
static Traceable traceableOf(const Machine &machine,
                             const Machine::Population &population) {
  Traceable all;
  all.population = population.name;
  auto add = [](std::vector<std::string> &names, const std::string &name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (uint32_t g : population.groups) {
    const auto &micro = machine.groups()[g].micro;
    if (!micro) {
      for (const char *state : kCubaStates)
        add(all.states, state);
      add(all.outputs, "");
      continue;
    }
    for (const auto &state : micro->states())
      add(all.states, state.name);
    for (const auto &output : micro->outputs())
      add(all.outputs, output.name);
  }
  return all;
}

template <typename Data, typename Window>
void Recorder::openFiles(const std::vector<Data> &of, std::vector<Window> &into,
                         const std::vector<uint64_t> &widths) {
  into.resize(of.size());
  for (size_t i = 0; i < of.size(); ++i)
    if (of[i].file) {
      into[i].emplace(of[i].file, samples, ticks, widths[i],
                      machine.depth() / machine.period() + 2);
      hasFiles = true;
    }
}

Recorder::Recorder(const Machine &machine,
                   const std::vector<TraceRequest> &requests, uint64_t samples,
                   uint64_t ticks, bool keepSpikes, const Stores &stores,
                   size_t shares)
    : machine(machine), shares(shares),
      spikesOf(keepSpikes ? samples * shares : 0), samples(samples),
      ticks(ticks), tracesOf(machine.groups().size()) {
  std::vector<uint64_t> widths, traceWidths; // values of a root tick
  for (const Machine::Output &output : machine.outputs()) {
    const Machine::Population &of = machine.populations()[output.population];
    OutputData data;
    data.name = output.name;
    data.kind = output.kind;
    data.shape = output.shape;
    data.ticks = of.ticks;
    data.integer = output.kind == image::Output::SPIKES;
    widths.push_back(of.ticks * of.size * output.elements);
    if (stores.outputs)
      data.file = stores.outputs(data, samples * ticks * widths.back());
    outputs.push_back(std::move(data));
  }
  std::vector<Traceable> populations;
  for (const Machine::Population &population : machine.populations())
    populations.push_back(traceableOf(machine, population));
  for (const TraceRequest &request : requests) {
    const TraceSource source = resolveTrace(request, populations);
    const Machine::Population &found = machine.populations()[source.population];
    TraceData trace;
    trace.population = request.population;
    trace.state = request.state;
    trace.name = textOf(request);
    trace.size = found.size * show(source, found);
    trace.ticks = found.ticks;
    traceWidths.push_back(trace.ticks * trace.size);
    traces.push_back(std::move(trace));
  }
  if (stores.traces)
    stores.traces(traces, samples, ticks);
  openFiles(outputs, outputWindows, widths);
  openFiles(traces, traceWindows, traceWidths);
  makeRoom();
}

void Recorder::makeRoom() {
  uint64_t used = 0;
  std::vector<uint64_t> sizes; // of outputs, then of traces
  for (size_t o = 0; o < outputs.size(); ++o) {
    const OutputData &data = outputs[o];
    const Machine::Output &of = machine.outputs()[o];
    sizes.push_back(
        data.file ? 0
                  : reserveValues(used, samples, ticks * data.ticks,
                                  machine.populations()[of.population].size *
                                      of.elements,
                                  data.name));
  }
  for (const TraceData &data : traces)
    sizes.push_back(data.file ? 0
                              : reserveValues(used, samples, ticks * data.ticks,
                                              data.size, data.name));
  // Only now, as there is room for all of them.
  auto size = sizes.begin();
  for (OutputData &data : outputs)
    data.values.resize(*size++);
  for (TraceData &data : traces)
    data.values.resize(*size++);
}

uint32_t Recorder::show(const TraceSource &source,
                        const Machine::Population &population) {
  const uint32_t trace = static_cast<uint32_t>(traces.size());
  uint32_t elements = 0; // of a neuron; equal in all groups
  auto add = [&](uint32_t group, const std::string &name, uint32_t part,
                 uint32_t each) {
    if (name != source.name)
      return;
    tracesOf[group].push_back({trace, source.emitted, part, each});
    elements = each;
  };
  for (uint32_t g : population.groups) {
    const auto &micro = machine.groups()[g].micro;
    if (!micro && source.emitted)
      add(g, "", 0, 1);
    else if (!micro)
      for (uint32_t part : {0u, 1u})
        add(g, kCubaStates[part], part, 1);
    else if (source.emitted)
      for (uint32_t o = 0; o < micro->outputs().size(); ++o)
        add(g, micro->outputs()[o].name, o, micro->outputs()[o].elements);
    else
      for (uint32_t s = 0; s < micro->states().size(); ++s)
        add(g, micro->states()[s].name, s, micro->states()[s].elements);
  }
  return elements;
}

void Recorder::record(uint64_t sample, uint32_t groupIndex, uint64_t tick,
                      const State &state, const GroupUpdate &update, bool more,
                      size_t share) {
  const Machine::Group &group = machine.groups()[groupIndex];
  const Machine::Population &population =
      machine.populations()[group.population];
  for (const HostMessage &message : update.hostMessages) {
    const Machine::Output &shown = machine.outputs()[message.output];
    double &value =
        rowOf(message.output, sample,
              tick)[population.numberOf(group.firstNeuron + message.neuron) *
                        shown.elements +
                    message.element];
    if (shown.kind == image::Output::SPIKES)
      value += static_cast<double>(message.value);
    else
      value = static_cast<double>(message.value) / shown.scale;
  }
  if (!spikesOf.empty())
    for (const Emission &emission : update.emissions)
      spikesOf[sample * shares + share].events.push_back(
          {static_cast<uint32_t>(tick), group.population,
           static_cast<uint32_t>(
               population.numberOf(group.firstNeuron + emission.neuron)),
           static_cast<int32_t>(emission.value)});
  for (const Shown &shown : tracesOf[groupIndex])
    recordTrace(shown, traceRow(shown.trace, sample, tick), group, state,
                update, more);
}

void Recorder::record(uint64_t sample, const Band &band, uint64_t tick,
                      const BandUpdate &update, size_t share) {
  if (spikesOf.empty())
    return;
  const uint32_t population = machine.groups()[band.firstGroup].population;
  std::vector<SpikeEvent> &events = spikesOf[sample * shares + share].events;
  for (uint32_t neuron : update.spiked)
    events.push_back(
        {static_cast<uint32_t>(tick), population, band.numbers[neuron], 1});
}

double *Recorder::rowOf(uint32_t output, uint64_t sample, uint64_t tick) {
  const Machine::Output &shown = machine.outputs()[output];
  const uint64_t each = outputs[output].ticks,
                 width = machine.populations()[shown.population].size *
                         shown.elements;
  if (outputWindows[output])
    return outputWindows[output]->row(sample, tick / each) +
           tick % each * width;
  return outputs[output].values.data() + (sample * ticks * each + tick) * width;
}

int64_t *Recorder::traceRow(uint32_t trace, uint64_t sample, uint64_t tick) {
  TraceData &data = traces[trace];
  if (traceWindows[trace])
    return traceWindows[trace]->row(sample, tick / data.ticks) +
           tick % data.ticks * data.size;
  return data.values.data() + (sample * ticks * data.ticks + tick) * data.size;
}

uint64_t Recorder::ticksOver(uint64_t steps) const {
  if (steps < machine.depth())
    return 0;
  return std::min(ticks, (steps - machine.depth()) / machine.period() + 1);
}

std::vector<std::vector<SpikeEvent>> Recorder::takeSpikes() {
  std::vector<std::vector<SpikeEvent>> sorted;
  for (uint64_t s = 0; s * shares < spikesOf.size(); ++s)
    sorted.push_back(sortSpikes(spikesOf.data() + s * shares, shares));
  return sorted;
}

void Recorder::recordTrace(const Shown &shown, int64_t *values,
                           const Machine::Group &group, const State &state,
                           const GroupUpdate &update, bool more) const {
  const Machine::Population &population =
      machine.populations()[group.population];
  auto valuesOf = [&](uint32_t neuron) {
    return values +
           population.numberOf(group.firstNeuron + neuron) * shown.elements;
  };
  if (shown.emitted) {
    uint32_t first = 0, each = 1;
    if (group.micro) {
      first = group.micro->outputs()[shown.part].source;
      each = group.micro->outputs()[shown.part].sourcesPerElement;
    }
    for (const Emission &emission : update.emissions) {
      uint32_t source = emission.source - first;
      if (emission.source < first || source >= shown.elements * each)
        continue;
      // The second source of an element carries its negative units.
      int64_t value =
          each == 2 && source % 2 ? -emission.value : emission.value;
      valuesOf(emission.neuron)[source / each] += value;
    }
    return;
  }
  if (more)
    return; // states do not change between updates
  if (!group.micro) {
    const ZeroedVector<int32_t> &words = shown.part == 0 ? state.u : state.v;
    for (uint32_t n = 0; n < group.count; ++n)
      *valuesOf(n) = words[group.firstAccumulator + n];
    return;
  }
  const int64_t *words = state.wordsOf(group);
  uint32_t first = group.micro->states()[shown.part].first;
  for (uint32_t e = 0; e < shown.elements; ++e)
    for (uint32_t n = 0; n < group.count; ++n)
      valuesOf(n)[e] = words[(first + e) * group.micro->row() + n];
}

} // namespace neurite::sim
