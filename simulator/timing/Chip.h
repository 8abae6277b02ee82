// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the modules of the cycle engine share: the machine, its state, and the
// step that is going on.

#ifndef NEURITE_SIMULATOR_TIMING_CHIP_H
#define NEURITE_SIMULATOR_TIMING_CHIP_H

#include "simulator/events/Tally.h"
#include "simulator/functional/Inputs.h"
#include "simulator/functional/Recorder.h"
#include "simulator/timing/Shadow.h"
#include "targets/Target.h"

#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace neurite::sim {

/// Endpoints of the mesh are the used cores by their index in
/// machine.cores(), then the host.
struct Chip {
  Chip(const Machine &machine, const Target &target, const TimingSet &timing,
       const Inputs &inputs, Recorder &recorder, bool verify)
      : machine(machine), target(target), timing(timing), inputs(inputs),
        recorder(recorder), state(machine), tally(machine),
        counts(machine.cores().size() + 1) {
    if (verify)
      shadow = std::make_unique<Shadow>(machine);
  }

  uint32_t host() const { return machine.cores().size(); }
  std::string nameOf(uint32_t endpoint) const {
    return endpoint == host()
               ? "the host"
               : "core " + std::to_string(machine.cores()[endpoint].id);
  }

  const Machine &machine;
  const Target &target;
  const TimingSet &timing;
  const Inputs &inputs;
  Recorder &recorder;

  State state;                    // its buckets are filled by arriving messages
  std::unique_ptr<Shadow> shadow; // --verify
  Tally tally;                    // for what only it knows, and --verify
  std::vector<CoreCounts> counts; // by endpoint, of what really happened

  uint64_t sample = 0, step = 0;
  // Of this step, ps: ends of the last update, ejection and service so far.
  uint64_t lastUpdate = 0, lastEjection = 0, lastReceive = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_CHIP_H
