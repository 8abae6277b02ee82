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

Recorder::Recorder(const Machine &machine,
                   const std::vector<TraceRequest> &requests, uint64_t samples,
                   uint64_t ticks, bool keepSpikes, const OutputStore &store,
                   size_t shares)
    : machine(machine), shares(shares),
      spikesOf(keepSpikes ? samples * shares : 0), windows(samples),
      samples(samples), ticks(ticks), tracesOf(machine.groups().size()) {
  uint64_t used = 0;
  std::vector<uint64_t> sizes; // of outputs, then of traces
  for (const Machine::Output &output : machine.outputs()) {
    const Machine::Population &of = machine.populations()[output.population];
    OutputData data;
    data.name = output.name;
    data.kind = output.kind;
    data.shape = output.shape;
    data.ticks = of.ticks;
    data.integer = output.kind == image::Output::SPIKES;
    const uint64_t width = of.size * output.elements;
    if (store)
      data.file = store(data, samples * ticks * of.ticks * width);
    hasFiles |= data.file != nullptr;
    sizes.push_back(data.file ? 0
                              : reserveValues(used, samples, ticks * of.ticks,
                                              width, output.name));
    outputs.push_back(std::move(data));
  }
  std::vector<Traceable> populations;
  for (const Machine::Population &population : machine.populations())
    populations.push_back(traceableOf(machine, population));
  for (const TraceRequest &request : requests) {
    const TraceSource source = resolveTrace(request, populations);
    const Machine::Population &found = machine.populations()[source.population];
    const uint32_t elements = show(source, found);
    TraceData trace;
    trace.population = request.population;
    trace.state = request.state;
    trace.name = textOf(request);
    trace.size = found.size * elements;
    trace.ticks = found.ticks;
    sizes.push_back(reserveValues(used, samples, ticks * found.ticks,
                                  trace.size, trace.name));
    traces.push_back(std::move(trace));
  }
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
  const uint64_t row = sample * ticks * population.ticks + tick;
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
    recordTrace(shown,
                traces[shown.trace].values.data() +
                    row * population.size * shown.elements,
                group, state, update, more);
}

uint64_t Recorder::widthOf(uint32_t output) const {
  const Machine::Output &shown = machine.outputs()[output];
  const Machine::Population &of = machine.populations()[shown.population];
  return of.ticks * of.size * shown.elements;
}

// A file gets blocks of so many root ticks.
static constexpr uint64_t kBlock = 64;

double *Recorder::rowOf(uint32_t output, uint64_t sample, uint64_t tick) {
  const uint64_t width = widthOf(output), each = outputs[output].ticks;
  const uint64_t inTick = tick % each * (width / each);
  if (!outputs[output].file)
    return outputs[output].values.data() +
           (sample * ticks + tick / each) * width + inTick;
  std::vector<Window> &open = windows[sample];
  if (open.empty())
    open.resize(outputs.size());
  Window &window = open[output];
  if (window.rows.empty())
    window.rows = emptyWindow(output);
  return window.rows.data() + (tick / each - window.first) * width + inTick;
}

std::vector<double> Recorder::emptyWindow(uint32_t output) const {
  // Beside those of a block, so many ticks can have begun and not ended.
  return std::vector<double>((kBlock + machine.depth() / machine.period() + 2) *
                             widthOf(output));
}

void Recorder::openWindows(uint64_t sample) {
  windows[sample].resize(outputs.size());
  for (uint32_t o = 0; o < outputs.size(); ++o)
    if (outputs[o].file)
      windows[sample][o].rows = emptyWindow(o);
}

void Recorder::writeTicks(uint64_t sample, uint64_t steps) {
  // Ticks [0, over) have taken all of their steps.
  uint64_t over = 0;
  if (steps >= machine.depth())
    over = std::min(ticks, (steps - machine.depth()) / machine.period() + 1);
  const uint64_t block = over == ticks ? 1 : kBlock;
  windows[sample].resize(outputs.size());
  for (uint32_t o = 0; o < outputs.size(); ++o) {
    Window &window = windows[sample][o];
    const uint64_t count = over - window.first, width = widthOf(o);
    if (!outputs[o].file || count < block)
      continue;
    // Where nothing came, the file has its zeros already.
    if (!window.rows.empty()) {
      outputs[o].file->put((sample * ticks + window.first) * width,
                           window.rows.data(), count * width);
      const auto written = window.rows.begin() + ptrdiff_t(count * width);
      std::fill(std::copy(written, window.rows.end(), window.rows.begin()),
                window.rows.end(), 0);
    }
    window.first = over;
  }
  if (over == ticks)
    windows[sample] = {};
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
