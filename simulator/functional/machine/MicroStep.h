// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visit of a group whose neurons run a program.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MICROSTEP_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MICROSTEP_H

#include "simulator/functional/machine/Step.h"

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

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MICROSTEP_H
