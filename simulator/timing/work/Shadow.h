// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second state that --verify keeps, in which the functional order runs
// beside the cycle engine. Its messages are delivered where they are emitted;
// those of the engine, when a core has been served them by the mesh. Both must
// hold the same integers at every barrier.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORK_SHADOW_H
#define DENDROLITH_SIMULATOR_TIMING_WORK_SHADOW_H

#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/machine/Step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::sim {

class Shadow {
public:
  explicit Shadow(const Machine &machine)
      : machine(machine), state(machine, layoutOf(machine)) {}

  void inject(const std::vector<Injection> &injections, uint64_t step);

  /// Visits the group, too. Throws Error when it emits something else.
  void visit(uint32_t group, uint64_t tick, uint64_t step,
             const GroupUpdate &theirs);
  /// The same for a step in which the group only sends units.
  void sendUnits(uint32_t group, uint64_t step, const GroupUpdate &theirs);

  /// Is called at the barrier of `step`. Throws Error naming core, accumulator
  /// and step of the first accumulator or state word that differs.
  void compare(const State &theirs, uint64_t sample, uint64_t step) const;

  void reset() { state.reset(); }

private:
  size_t wordAt(const State &theirs) const;
  void compareEmissions(uint32_t group, uint64_t step,
                        const GroupUpdate &theirs);
  void send(uint32_t source, int64_t payload, uint64_t step);
  std::string place(uint32_t accumulator) const;

  const Machine &machine;
  State state;
  GroupUpdate mine;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORK_SHADOW_H
