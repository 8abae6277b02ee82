// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/MicroStep.h"

#include <algorithm>

namespace neurite::sim {
namespace {

enum : uint8_t { kRests = 0, kRuns = 1, kActive = 2 };

/// x modulo 2^bits as a signed number.
int64_t wrapPort(int64_t x, uint32_t bits) {
  if (bits >= 64)
    return x;
  uint64_t half = uint64_t(1) << (bits - 1), mask = 2 * half - 1;
  return static_cast<int64_t>(((static_cast<uint64_t>(x) + half) & mask) -
                              half);
}

void resetStates(State &state, const Machine::Group &group, uint64_t tick) {
  int64_t *words = state.wordsOf(group);
  for (const MicroProgram::State &s : group.micro->states())
    if (s.resetEvery && tick % s.resetEvery == 0)
      for (uint32_t w = s.first; w < s.first + s.elements; ++w)
        for (uint32_t n = 0; n < group.count; ++n)
          words[w * group.micro->row() + n] = group.micro->initial(w, n);
}

/// Sums as the program sees them, [element][neuron]; marks who has input.
void readPorts(State &state, const Machine::Group &group, uint64_t tick,
               const int64_t *sums, const uint8_t *marks, GroupUpdate &update) {
  const uint32_t count = group.count, each = group.accumulators;
  update.ports.resize(each * group.micro->row());
  update.runs.assign(count, kRests);
  int64_t *held = state.held.data() + group.held;
  for (const MicroProgram::Port &port : group.micro->ports())
    for (uint32_t a = port.first; a < port.first + port.elements; ++a) {
      int64_t *to = update.ports.data() + a * group.micro->row();
      const bool holds = port.hold > 1;
      if (holds && tick % port.hold == 0)
        std::fill_n(held, count, 0);
      for (uint32_t n = 0; n < count; ++n) {
        size_t at = size_t(n) * each + a;
        int64_t sum = sums[at];
        if (holds) {
          held[n] = static_cast<int64_t>(static_cast<uint64_t>(held[n]) +
                                         static_cast<uint64_t>(sum));
          sum = held[n];
          update.runs[n] |= sum != 0 ? kActive : kRests;
        }
        update.runs[n] |= marks[at] ? kActive : kRests;
        to[n] = wrapPort(sum, port.width);
      }
      held += holds ? count : 0;
    }
}

void findActive(const State &state, const Machine::Group &group,
                GroupUpdate &update) {
  const int64_t *words = state.wordsOf(group);
  for (uint32_t w = 0; w < group.micro->stateWords(); ++w)
    for (uint32_t n = 0; n < group.count; ++n)
      update.runs[n] |= words[w * group.micro->row() + n] != 0 ? kActive : 0;
  for (uint32_t n = 0; n < group.count; ++n) {
    update.active += update.runs[n] != 0;
    if (!update.runs[n] && !group.micro->quiescent(n))
      update.runs[n] = kRuns;
    update.changed += update.runs[n] != 0;
  }
  update.inactive = group.count - update.active;
}

/// A unit spike of sign `unit` of a unary output's element.
Emission unitOf(const MicroProgram::Output &output, uint32_t neuron,
                uint32_t element, int64_t unit) {
  uint32_t source = output.source + element * output.sourcesPerElement;
  bool split = output.sourcesPerElement == 2;
  return {neuron, source + (split && unit < 0), 0, split ? 1 : unit};
}

/// Messages of a value that leaves: all of it, or its first unit.
class Sender {
public:
  Sender(State &state, const Machine::Group &group, GroupUpdate &update)
      : state(state), machine(state.machine), group(group), update(update) {}

  /// Neuron by neuron; `active` counts those up to it.
  void send(const MicroEmission &emission, uint64_t active) {
    const MicroProgram::Output &output =
        group.micro->outputs()[emission.output];
    int64_t value = emission.value;
    Emission message{emission.neuron, output.source + emission.element, 0,
                     value};
    if (output.isUnary()) {
      int64_t unit = value > 0 ? 1 : -1;
      state.left[leftAt(output, emission.neuron, emission.element)] =
          value - unit;
      message = unitOf(output, emission.neuron, emission.element, unit);
      value = unit;
    }
    message.active = static_cast<uint32_t>(active);
    update.emissions.push_back(message);
    toHost(emission.output, emission.neuron, emission.element, value, active);
  }

  size_t leftAt(const MicroProgram::Output &output, uint32_t neuron,
                uint32_t element) const {
    return group.left + size_t(neuron) * group.units + output.unit + element;
  }

  void toHost(uint32_t part, uint32_t neuron, uint32_t element, int64_t value,
              uint64_t active) {
    for (uint32_t o : group.outputs) {
      const Machine::Output &shown = machine.outputs()[o];
      if (shown.kind == image::Output::SPIKES && shown.part == part)
        update.hostMessages.push_back(
            {neuron, o, element, static_cast<uint32_t>(active), value});
    }
  }

  void showStates(uint32_t neuron, uint64_t active) {
    const int64_t *words = state.wordsOf(group);
    for (uint32_t o : group.outputs) {
      const Machine::Output &shown = machine.outputs()[o];
      if (shown.kind != image::Output::STATE)
        continue;
      uint32_t first = group.micro->states()[shown.part].first;
      for (uint32_t e = 0; e < shown.elements; ++e)
        if (int64_t x = words[(first + e) * group.micro->row() + neuron])
          update.hostMessages.push_back(
              {neuron, o, e, static_cast<uint32_t>(active), x});
    }
  }

private:
  State &state;
  const Machine &machine;
  const Machine::Group &group;
  GroupUpdate &update;
};

bool showsStates(const Machine &machine, const Machine::Group &group) {
  return std::any_of(group.outputs.begin(), group.outputs.end(),
                     [&](uint32_t o) {
                       return machine.outputs()[o].kind == image::Output::STATE;
                     });
}

} // namespace

void updateMicroGroup(State &state, const Machine::Group &group, uint64_t tick,
                      const int64_t *sums, const uint8_t *marks,
                      GroupUpdate &update, const std::vector<uint64_t> *times) {
  resetStates(state, group, tick);
  readPorts(state, group, tick, sums, marks, update);
  findActive(state, group, update);
  MicroVisit &visit = update.visit;
  group.micro->run(update.ports.data(), state.wordsOf(group),
                   update.runs.data(), visit, times);
  update.work = visit.work;
  update.issued = visit.issued;
  uint64_t sum = 0;
  for (uint64_t time : visit.time)
    update.time.push_back(sum += time);

  Sender sender(state, group, update);
  const bool states = showsStates(state.machine, group);
  auto next = visit.emissions.begin();
  uint64_t active = 0;
  for (uint32_t n = 0; n < group.count; ++n) {
    if (next == visit.emissions.end() && !states)
      break;
    active += (update.runs[n] & kActive) != 0;
    for (; next != visit.emissions.end() && next->neuron == n; ++next)
      sender.send(*next, active);
    if (states)
      sender.showStates(n, active);
  }
}

void sendUnits(State &state, uint32_t groupIndex, GroupUpdate &update) {
  const Machine::Group &group = state.machine.groups()[groupIndex];
  update.clear();
  Sender sender(state, group, update);
  const std::vector<MicroProgram::Output> &outputs = group.micro->outputs();
  for (uint32_t n = 0; n < group.count; ++n) {
    bool any = false;
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
