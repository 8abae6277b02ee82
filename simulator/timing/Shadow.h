// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --verify: a second machine that runs the functional order beside the cycle
// engine. Its messages are delivered where they are emitted; those of the
// engine, when a core has been served them by the mesh. Both must hold the
// same integers at every barrier.

#ifndef NEURITE_SIMULATOR_TIMING_SHADOW_H
#define NEURITE_SIMULATOR_TIMING_SHADOW_H

#include "simulator/functional/Inputs.h"
#include "simulator/functional/Step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite::sim {

class Shadow {
public:
  explicit Shadow(const Machine &machine) : machine(machine), state(machine) {}

  void inject(const std::vector<Injection> &injections, uint64_t step);

  /// Visits the group too. Throws Error when it emits something else.
  void visit(uint32_t group, uint64_t tick, uint64_t step,
             const GroupUpdate &theirs);
  /// The same for a step in which the group only sends units.
  void sendUnits(uint32_t group, uint64_t step, const GroupUpdate &theirs);

  /// At the barrier of `step`. Throws Error naming core, compartment and step
  /// of the first accumulator or state word that differs.
  void compare(const State &theirs, uint64_t sample, uint64_t step) const;

  void reset() { state.reset(); }

private:
  void compareEmissions(uint32_t group, uint64_t step,
                        const GroupUpdate &theirs);
  void send(uint32_t source, int64_t payload, uint64_t step);
  std::string place(uint32_t position) const;

  const Machine &machine;
  State state;
  GroupUpdate mine;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_SHADOW_H
