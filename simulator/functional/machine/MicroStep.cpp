// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/MicroStep.h"

#include "simulator/functional/machine/WordScan.h"
#include "simulator/functional/neuron/MicroArithmetic.h"

#include <algorithm>
#include <iterator>

namespace neurite::sim {
namespace {

// Whether a neuron runs, and why. kActive is also what a mark of the
// accumulators is.
enum : uint8_t { kRests = 0, kActive = 1, kRuns = 2 };

std::vector<int64_t> &anyWordOf(State &state, const Machine::Group &group) {
  return state.anyWord[size_t(&group - state.machine.groups().data())];
}

void resetStates(State &state, const Machine::Group &group, uint64_t tick) {
  int64_t *words = state.wordsOf(group);
  for (const MicroProgram::State &s : group.micro->states())
    if (s.resetEvery && tick % s.resetEvery == 0) {
      anyWordOf(state, group).clear();
      for (uint32_t w = s.first; w < s.first + s.elements; ++w)
        for (uint32_t n = 0; n < group.count; ++n)
          words[w * group.micro->row() + n] = group.micro->initial(w, n);
    }
}

/// Reads one accumulator of every neuron, and notes who has input, from sums
/// and marks that are `stride` apart.
inline void gather(const int64_t *sums, const uint8_t *marks, size_t stride,
                   uint32_t count, int64_t *to, uint8_t *runs) {
  for (uint32_t n = 0; n < count; ++n) {
    to[n] = sums[n * stride];
    runs[n] |= marks[n * stride];
  }
}

/// Reads a port of a single neuron, whose accumulators lie in order.
void readAlone(const int64_t *sums, const uint8_t *marks,
               const MicroProgram::Port &port, int64_t *to, uint8_t &run) {
  Wrap wrap(port.width);
  uint8_t any = 0;
  for (uint32_t a = 0; a < port.elements; ++a) {
    to[a] = wrap(bitsOf(sums[a]));
    any |= marks[a];
  }
  run |= any;
}

/// Makes bits[n] other than 0 if a word of neuron n is.
void collect(const int64_t *words, uint32_t count, std::vector<int64_t> &bits) {
  int64_t *to = bits.data();
  for (uint32_t n = 0; n < count; ++n)
    to[n] |= words[n];
}

/// Reads the sums as the program sees them, [element][neuron], and notes who
/// has input.
void readPorts(State &state, const Machine::Group &group, uint64_t tick,
               const int64_t *sums, const uint8_t *marks, GroupUpdate &update) {
  const uint32_t count = group.count, each = group.accumulators;
  update.ports.resize(each * group.micro->row());
  update.runs.assign(count, kRests);
  update.bits.assign(group.micro->row(), 0);
  int64_t *held = state.held.data() + group.held;
  for (const MicroProgram::Port &port : group.micro->ports()) {
    if (count == 1 && port.hold == 1) {
      readAlone(sums + port.first, marks + port.first, port,
                update.ports.data() + port.first, update.runs[0]);
      continue;
    }
    for (uint32_t a = port.first; a < port.first + port.elements; ++a) {
      int64_t *to = update.ports.data() + a * group.micro->row();
      if (each == 1)
        gather(sums, marks, 1, count, to, update.runs.data());
      else
        gather(sums + a, marks + a, each, count, to, update.runs.data());
      if (port.hold > 1) {
        if (tick % port.hold == 0)
          std::fill_n(held, count, 0);
        for (uint32_t n = 0; n < count; ++n)
          to[n] = held[n] =
              static_cast<int64_t>(bitsOf(held[n]) + bitsOf(to[n]));
        collect(held, count, update.bits);
        held += count;
      }
      Wrap wrap(port.width);
      for (uint32_t n = 0; n < count; ++n)
        to[n] = wrap(bitsOf(to[n]));
    }
  }
}

/// Makes bits[n] other than 0 if a state word of neuron n is.
void collectStates(State &state, const Machine::Group &group,
                   std::vector<int64_t> &bits) {
  const std::vector<int64_t> &known = anyWordOf(state, group);
  if (known.empty()) {
    WordRange all;
    all.words = group.micro->stateWords();
    return scanWords({state.wordsOf(group), group.micro->row(), group.count},
                     &all, 1, bits.data());
  }
  for (uint32_t n = 0; n < group.count; ++n)
    bits[n] |= known[n];
}

void findActive(State &state, const Machine::Group &group,
                GroupUpdate &update) {
  const uint32_t count = group.count;
  collectStates(state, group, update.bits);
  const int64_t *bits = update.bits.data();
  uint8_t *runs = update.runs.data();
  uint32_t active = 0;
  // This is bits[n] != 0 in a form that becomes vector code.
  for (uint32_t n = 0; n < count; ++n)
    runs[n] |= (bitsOf(bits[n]) | (0 - bitsOf(bits[n]))) >> 63;
  for (uint32_t n = 0; n < count; ++n)
    active += runs[n];
  update.active = update.changed = active;
  update.inactive = count - active;
  for (uint32_t n = 0; active < count && n < count; ++n)
    if (runs[n] == kRests && !group.micro->quiescent(n)) {
      runs[n] = kRuns;
      ++update.changed;
    }
}

/// Notes who has a state word other than 0, for the next visit, how many words
/// stand at an end of their range, where sums saturate, and the peaks of
/// watched states. Types of few bits hold codes and counts, whose ends mean
/// nothing.
void lookAtStates(State &state, const Machine::Group &group,
                  GroupUpdate &update) {
  constexpr uint32_t kNumberBits = 12;
  const size_t row = group.micro->row();
  const std::vector<MicroProgram::State> &states = group.micro->states();
  std::vector<int64_t> &any = anyWordOf(state, group);
  any.assign(row, 0);
  update.peaks.resize(group.watched.size());
  for (size_t s = 0; s < states.size();) {
    const size_t first = s;
    WordRange ranges[8];
    for (; s < states.size() && s - first < std::size(ranges); ++s) {
      const uint32_t width = states[s].width;
      const bool number = width >= kNumberBits && width <= 62;
      WordRange &range = ranges[s - first];
      range.words = states[s].elements;
      range.narrow = width <= 32;
      range.high = number ? (int64_t(1) << (width - 1)) - 1 : kNoEnds;
    }
    // States lie behind one another.
    scanWords(
        {state.wordsOf(group) + states[first].first * row, row, group.count},
        ranges, s - first, any.data());
    for (size_t r = first; r < s; ++r)
      update.ended += ranges[r - first].ends;
    for (size_t w = 0; w < group.watched.size(); ++w)
      if (group.watched[w].part >= first && group.watched[w].part < s)
        update.peaks[w] = ranges[group.watched[w].part - first].most;
  }
}

/// Makes the unit spike of sign `unit` of a unary output's element.
Emission unitOf(const MicroProgram::Output &output, uint32_t neuron,
                uint32_t element, int64_t unit) {
  uint32_t source = output.source + element * output.sourcesPerElement;
  bool split = output.sourcesPerElement == 2;
  return {neuron, source + (split && unit < 0), 0, split ? 1 : unit};
}

/// Turns values into messages: a unary output sends the first unit and keeps
/// the others, another output sends the whole value.
class Sender {
public:
  Sender(State &state, const Machine::Group &group, GroupUpdate &update)
      : state(state), machine(state.machine), group(group), update(update) {}

  /// Is called neuron by neuron; `active` counts the active ones up to this
  /// one.
  void send(const MicroEmission &emission, uint64_t active) {
    const MicroProgram::Output &output =
        group.micro->outputs()[emission.output];
    int64_t value = emission.value, payload = value;
    uint32_t source = output.source + emission.element;
    if (output.isUnary()) {
      int64_t unit = value > 0 ? 1 : -1;
      state.left[leftAt(output, emission.neuron, emission.element)] =
          value - unit;
      const Emission first =
          unitOf(output, emission.neuron, emission.element, unit);
      source = first.source;
      payload = first.value;
      value = unit;
    }
    // Written where it belongs: a copy would wait for the parts just written.
    Emission &message = update.emissions.emplace_back();
    message.neuron = emission.neuron;
    message.source = source;
    message.active = static_cast<uint32_t>(active);
    message.value = payload;
    toHost(emission.output, emission.neuron, emission.element, value, active);
  }

  size_t leftAt(const MicroProgram::Output &output, uint32_t neuron,
                uint32_t element) const {
    return group.left + size_t(neuron) * group.units + output.unit + element;
  }

  void toHost(uint32_t part, uint32_t neuron, uint32_t element, int64_t value,
              uint64_t active) {
    for (const Machine::OutputPart &shown : group.outputs)
      if (kindOf(shown) == image::Output::SPIKES && shown.part == part)
        update.hostMessages.push_back({neuron, shown.output, element,
                                       static_cast<uint32_t>(active), value});
  }

  void showStates(uint32_t neuron, uint64_t active) {
    const int64_t *words = state.wordsOf(group);
    for (const Machine::OutputPart &shown : group.outputs) {
      if (kindOf(shown) != image::Output::STATE)
        continue;
      const MicroProgram::State &from = group.micro->states()[shown.part];
      for (uint32_t e = 0; e < from.elements; ++e)
        if (int64_t x = words[(from.first + e) * group.micro->row() + neuron])
          update.hostMessages.push_back(
              {neuron, shown.output, e, static_cast<uint32_t>(active), x});
    }
  }

private:
  image::Output::Kind kindOf(const Machine::OutputPart &shown) const {
    return machine.outputs()[shown.output].kind;
  }

  State &state;
  const Machine &machine;
  const Machine::Group &group;
  GroupUpdate &update;
};

bool showsStates(const Machine &machine, const Machine::Group &group) {
  return std::any_of(group.outputs.begin(), group.outputs.end(),
                     [&](const Machine::OutputPart &shown) {
                       return machine.outputs()[shown.output].kind ==
                              image::Output::STATE;
                     });
}

} // namespace

void updateMicroGroup(State &state, const Machine::Group &group,
                      const CompiledProgram *code, uint64_t tick,
                      const int64_t *sums, const uint8_t *marks,
                      GroupUpdate &update, bool parts) {
  resetStates(state, group, tick);
  readPorts(state, group, tick, sums, marks, update);
  findActive(state, group, update);
  MicroVisit &visit = update.visit;
  const bool all = update.changed == group.count;
  const uint8_t *runs = all ? nullptr : update.runs.data();
  if (code)
    group.micro->run(*code, update.ports.data(), state.wordsOf(group), runs,
                     visit, parts);
  else
    group.micro->run(update.ports.data(), state.wordsOf(group), runs, visit,
                     parts);
  update.work = visit.work;
  update.issued = visit.issued;
  lookAtStates(state, group, update);

  Sender sender(state, group, update);
  uint64_t active = 0;
  uint32_t counted = 0; // neurons in `active`
  auto activeTo = [&](uint32_t neuron) {
    auto runs = update.runs.begin();
    active += static_cast<uint64_t>(
        std::count(runs + counted, runs + neuron + 1, kActive));
    counted = neuron + 1;
    return active;
  };
  auto next = visit.emissions.begin();
  if (!showsStates(state.machine, group)) {
    for (; next != visit.emissions.end(); ++next)
      sender.send(*next, activeTo(next->neuron));
    return;
  }
  for (uint32_t n = 0; n < group.count; ++n) {
    uint64_t ones = activeTo(n);
    for (; next != visit.emissions.end() && next->neuron == n; ++next)
      sender.send(*next, ones);
    sender.showStates(n, ones);
  }
}

void sendUnits(State &state, uint32_t groupIndex, GroupUpdate &update) {
  const Machine::Group &group = state.machine.groups()[groupIndex];
  update.clear();
  Sender sender(state, group, update);
  const std::vector<MicroProgram::Output> &outputs = group.micro->outputs();
  update.bits.assign(group.micro->row(), 0);
  collectStates(state, group, update.bits);
  for (uint32_t n = 0; n < group.count; ++n) {
    bool any = update.bits[n] != 0;
    update.active += any;
    for (uint32_t o = 0; o < outputs.size(); ++o) {
      if (!outputs[o].isUnary())
        continue;
      for (uint32_t e = 0; e < outputs[o].elements; ++e) {
        int64_t &left = state.left[sender.leftAt(outputs[o], n, e)];
        if (left == 0)
          continue;
        update.active += !any;
        any = true;
        int64_t unit = left > 0 ? 1 : -1;
        left -= unit;
        Emission message = unitOf(outputs[o], n, e, unit);
        message.active = static_cast<uint32_t>(update.active);
        update.emissions.push_back(message);
        sender.toHost(o, n, e, unit, update.active);
      }
    }
  }
  update.inactive = group.count - update.active;
}

} // namespace neurite::sim
