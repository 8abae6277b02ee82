// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As what a neuron's emission is counted, and how large it is.

#ifndef DENDROLITH_SIMULATOR_EVENTS_SPIKEFORM_H
#define DENDROLITH_SIMULATOR_EVENTS_SPIKEFORM_H

#include "simulator/events/Counts.h"
#include "simulator/functional/machine/Machine.h"

#include <cstdint>

namespace dendrolith::sim {

struct SpikeForm {
  Counter counter = Counter::SpikesBinary;
  bool graded = false;
  uint32_t payloadBits = 1;
};

/// The form of what a source of a group's neurons emits. `source` counts the
/// sources of one neuron.
SpikeForm spikeForm(const Machine::Group &group, uint32_t source);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_SPIKEFORM_H
