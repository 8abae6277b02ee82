// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a chip whose cores serve first and update then (`phases: serial`). Here
// is what each core has to serve when its next step opens, and what the
// sequencer of the whole chip does in a step. What arrives is only noted, so
// that it takes no time of the step in which it was sent. Cores by their index
// in the machine; times in ps.

#ifndef DENDROLITH_SIMULATOR_TIMING_PHASES_SERIALSTEP_H
#define DENDROLITH_SIMULATOR_TIMING_PHASES_SERIALSTEP_H

#include "simulator/timing/messages/ServiceTimes.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

class SerialStep {
public:
  SerialStep(const Machine &machine, const Target &target,
             const TimingSet &timing, const CoreTimings &timings);

  /// A step opens. Every core opens it, whether it has something to do or not.
  void open(uint64_t step);
  /// How long a core serves, from the step's opening on.
  uint64_t serving(uint32_t core) const { return served[core]; }
  /// How long it takes a core to pass the slots that were not visited as
  /// neurons; 0 if it passes none.
  uint64_t emptySlots(uint32_t core, uint64_t neurons) const;
  bool allSlots() const { return phases.allSlots; }

  /// `endpoint` (a core, or the host) has emitted a spike of `source`.
  void emitted(uint32_t endpoint, uint32_t source);
  /// A core has emitted so many spikes that nobody gets.
  void emittedNowhere(uint32_t core, uint64_t spikes);
  /// A message of `sender` is at `core`, where it is to be served for `service`
  /// ps when the next step opens.
  void received(uint32_t sender, uint32_t core, uint64_t service);

  /// What the sequencer takes of the step, all of whose spikes are known.
  uint64_t sequencer() const;

  /// Forgets what a sample that ends has left.
  void reset();

private:
  struct DelayedList {
    uint32_t core, entries, delay; // steps from the next one to when it is due
  };

  const SerialPhases phases;
  const CoreTimings &timings;
  const uint32_t host;
  uint64_t slots = 0, chipCores;
  // By source: its lists with a delay, and its synapses on other cores.
  std::vector<uint64_t> firstDelayed = {0}, remote;
  std::vector<DelayedList> delayed;
  uint64_t step = 0;
  std::vector<uint64_t> served;            // by core, of this step
  std::vector<uint64_t> waiting;           // by core, for the next one
  std::vector<std::vector<uint64_t>> due;  // ps by core and step, in a ring
  uint64_t spikes = 0;                     // of this step
  uint64_t entries = 0, entriesBefore = 0; // sent in this step, and the last
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_PHASES_SERIALSTEP_H
