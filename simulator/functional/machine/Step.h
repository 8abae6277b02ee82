// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two things happen inside a step, and an engine calls them in its own order
// and at its own times: a group's visit (updateGroup), and the delivery of a
// message (Accumulators::deliver). Within one step any order gives the same
// bits, because a delivery in step t is due at t + 1 at the earliest.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_STEP_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_STEP_H

#include "simulator/functional/machine/State.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// A value that left a neuron. Its messages are machine.messages(group.source +
/// neuron * group.sources + source), each with `value` as payload.
struct Emission {
  uint32_t neuron = 0; // in the group
  uint32_t source = 0; // of the neuron
  uint32_t active =
      0;             // how many of neurons [0, neuron] of the group are active
  int64_t value = 0; // never 0; a binary spike has 1
};

/// A value that leaves for the host: one message to kHostTile.
struct HostMessage {
  uint32_t neuron = 0; // in the group
  uint32_t output = 0; // index into machine.outputs()
  uint32_t element = 0;
  uint32_t active = 0; // as in Emission
  int64_t value = 0;   // an emission, or a state word after the update; never 0
};

/// What one visit of a group did. Callers keep one object for all visits, so
/// that its arrays keep their memory.
struct GroupUpdate {
  uint64_t active = 0, inactive = 0; // neurons; see simulator/COUNTERS.md
  uint64_t wrapped = 0, clipped = 0; // neurons whose u or v met its range
  uint64_t ended = 0;   // state words of programs at an end of their range
  uint64_t changed = 0; // neurons whose v is another now
  std::vector<Emission> emissions;       // ascending neuron
  std::vector<HostMessage> hostMessages; // ascending (neuron, output)
  std::vector<int64_t> peaks; // sizes (Peaks.h), by the group's `watched`

  // Only microcode groups fill these.
  micro::Work work{};  // element operations by class
  uint64_t issued = 0; // instructions

  void clear();

  // Visits use this memory, and leave nothing in it but visit.came.
  MicroVisit visit;
  std::vector<int64_t> ports, bits;
  std::vector<uint8_t> runs, flags;
  std::vector<uint32_t> words;
};

/// Visits `group` (index into machine.groups()) in `step` for `tick`, as
/// Machine::tickAt() gives it: consumes the buckets due, replaces the state and
/// fills `update`. Where `parts` are asked for, update.visit.came says which
/// neurons came to which parts of the group's program.
void updateGroup(State &state, uint32_t group, uint64_t tick, uint64_t step,
                 GroupUpdate &update, bool parts = false);

/// Sends one unit of each emission of `group` that leaves over several steps,
/// in a step in which the group is not updated.
void sendUnits(State &state, uint32_t group, GroupUpdate &update);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_STEP_H
