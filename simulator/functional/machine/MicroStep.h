// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visit of a group whose neurons run a program.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MICROSTEP_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MICROSTEP_H

#include "simulator/functional/machine/Step.h"

#include <algorithm>

namespace dendrolith::sim {

/// Visits a microcode group; `sums` and `marks` are what is due at its
/// accumulators. A neuron is active if anything is due or held at its ports, or
/// a state word is not 0. An inactive one runs, too, unless its program is
/// quiescent. `code` is the group's program as machine code, or null.
void updateMicroGroup(State &state, const Machine::Group &group,
                      const CompiledProgram *code, uint64_t tick,
                      const int64_t *sums, const uint8_t *marks,
                      GroupUpdate &update, bool parts);

/// Makes bits[n] other than 0 if a state word of neuron n is.
void collectStates(State &state, const Machine::Group &group,
                   std::vector<int64_t> &bits);

// What leaves neurons of a program: messages, and what the host is shown.

/// Makes the unit spike of sign `unit` of a unary output's element.
inline Emission unitOf(const MicroProgram::Output &output, uint32_t neuron,
                       uint32_t element, int64_t unit) {
  uint32_t source = output.source + element * output.sourcesPerElement;
  bool split = output.sourcesPerElement == 2;
  return {neuron, source + (split && unit < 0), 0, split ? 1 : unit};
}

/// Turns values into messages: a unary output sends the first unit and keeps
/// the others, another output sends the whole value.
class MicroSender {
public:
  MicroSender(State &state, const Machine::Group &group, GroupUpdate &update)
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

  /// Whether an output of the program is a state.
  bool showsStates() const {
    return std::any_of(group.outputs.begin(), group.outputs.end(),
                       [this](const Machine::OutputPart &shown) {
                         return kindOf(shown) == image::Output::STATE;
                       });
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

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MICROSTEP_H
