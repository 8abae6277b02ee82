// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a chip puts the parts of a step in order: whether a core serves messages
// while it updates its neurons or before that, and what the whole chip does one
// by one.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_PHASES_H
#define DENDROLITH_TARGETS_LOADER_CHIP_PHASES_H

#include <cstdint>
#include <optional>

namespace dendrolith {

/// One unit that carries what cores send each other, beside the cores' own
/// work. `entries` are synapses that a core's spike has on other cores.
struct SequencerTiming {
  uint64_t perCore = 0;  // ps, of each core of the chip, in every step
  uint64_t perSpike = 0; // ps, of each spike of a step
  uint64_t idle = 0;     // ps in a step before which no entries were sent
  uint64_t busy = 0;     // ps in one before which some were, and
  uint64_t perEntry = 0; // ps, of each of them
};

/// A step of a core that first serves what the step before has sent, and then
/// updates its neurons.
struct SerialPhases {
  bool allSlots = false; // a core visits all neuron slots, used or not
  bool hostLists = true; // lists that the host's messages name take time
  uint64_t perSpike = 0; // ps, of each spike that the core sent itself
  uint64_t perDue = 0;   // ps, of each synapse whose delay ends in the step
  /// With it, entries for other cores take its time instead of the core's.
  std::optional<SequencerTiming> sequencer;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_PHASES_H
