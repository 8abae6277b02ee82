// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a trace shows of a group of neurons, and how an update's numbers come
// into it.

#include "simulator/record/Recorder.h"

#include <algorithm>

namespace dendrolith::sim {

// These are the states of a fixed-function neuron, in the order of Shown::part.
// What it emits has no name.
static const char *const kCubaStates[] = {"u", "v"};

static const int32_t *cubaState(uint32_t part, const State &state) {
  return (part == 0 ? state.u : state.v).data();
}

Traceable Recorder::traceableOf(const Machine &machine,
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
      if (!machine.groups()[g].cuba.rules.silent)
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

bool Recorder::isWide(const TraceSource &source,
                      const Machine::Population &population) const {
  for (uint32_t g : population.groups)
    if (const auto &micro = machine.groups()[g].micro; micro && !source.emitted)
      for (const MicroProgram::State &state : micro->states())
        if (state.name == source.name)
          return state.width > 32;
  return false;
}

/// Values are integers of 32 bits only where all that a trace shows has no
/// more (TraceData::wide).
template <typename Value>
void Recorder::recordTrace(const Shown &shown, Value *values,
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
      valuesOf(emission.neuron)[source / each] += static_cast<Value>(value);
    }
    return;
  }
  if (more)
    return; // states do not change between updates
  if (!group.micro) {
    const int32_t *words =
        cubaState(shown.part, state) + group.firstAccumulator;
    if (population.numbers.empty())
      std::copy_n(words, group.count, valuesOf(0));
    else
      for (uint32_t n = 0; n < group.count; ++n)
        *valuesOf(n) = words[n];
    return;
  }
  const int64_t *words = state.wordsOf(group);
  uint32_t first = group.micro->states()[shown.part].first;
  for (uint32_t e = 0; e < shown.elements; ++e)
    for (uint32_t n = 0; n < group.count; ++n)
      valuesOf(n)[e] =
          static_cast<Value>(words[(first + e) * group.micro->row() + n]);
}

template <typename Record>
void Recorder::inRow(uint32_t trace, uint64_t sample, uint64_t tick,
                     Record record) {
  TraceData &data = traces[trace];
  // A row in a window is of a root tick.
  auto recordIn = [&](auto &window) {
    record(window.row(sample, tick / data.ticks) +
           tick % data.ticks * data.size);
  };
  if (auto &narrow = traceWindows[trace])
    recordIn(*narrow);
  else if (auto &wide = wideWindows[trace])
    recordIn(*wide);
  else
    record(data.values.data() +
           (sample * ticks * data.ticks + tick) * data.size);
}

void Recorder::recordTraces(uint64_t sample, uint32_t groupIndex, uint64_t tick,
                            const State &state, const GroupUpdate &update,
                            bool more) {
  const Machine::Group &group = machine.groups()[groupIndex];
  for (const Shown &shown : tracesOf[groupIndex])
    inRow(shown.trace, sample, tick, [&](auto *values) {
      recordTrace(shown, values, group, state, update, more);
    });
}

void Recorder::recordTraces(uint64_t sample, const Band &band, uint64_t tick,
                            const State &state, const BandUpdate &update) {
  // All groups of a band are of one population, so that a trace shows all.
  for (const Shown &shown : tracesOf[band.firstGroup])
    inRow(shown.trace, sample, tick, [&](auto *values) {
      if (shown.emitted) {
        for (uint32_t neuron : update.spiked)
          values[band.numbers[neuron]] += 1;
        return;
      }
      const int32_t *words = cubaState(shown.part, state) +
                             machine.groups()[band.firstGroup].firstAccumulator;
      for (uint32_t n = 0; n < band.count; ++n)
        values[band.numbers[n]] = words[n];
    });
}

} // namespace dendrolith::sim
