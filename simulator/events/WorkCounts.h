// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the element operations of neuron programs to counters.

#ifndef DENDROLITH_SIMULATOR_EVENTS_WORKCOUNTS_H
#define DENDROLITH_SIMULATOR_EVENTS_WORKCOUNTS_H

#include "simulator/events/Counts.h"
#include "simulator/functional/neuron/Microcode.h"

#include <cstdint>

namespace dendrolith::sim {

/// Adds the work of programs to a core's counters.
void countWork(CoreCounts &counts, const micro::Work &work, uint64_t issued);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_WORKCOUNTS_H
