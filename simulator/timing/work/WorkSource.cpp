// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/WorkSource.h"

namespace neurite::sim {

Visits visitsOf(const Machine &machine, uint32_t core, uint64_t step,
                uint64_t ticks) {
  Visits visits;
  const Machine::Core &of = machine.cores()[core];
  for (uint32_t g = of.firstGroup; g < of.firstGroup + of.groups; ++g) {
    uint64_t tick = 0;
    const Machine::Group &group = machine.groups()[g];
    if (machine.tickAt(group.schedule, step, ticks, tick)) {
      visits.any = true;
      visits.neurons += group.count;
    } else if (machine.sendsAt(group, step, ticks, tick)) {
      visits.any = true;
    }
  }
  return visits;
}

} // namespace neurite::sim
