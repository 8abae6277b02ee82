// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/WorkSource.h"

namespace dendrolith::sim {

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

std::vector<bool> inputStepsOf(const Machine &machine) {
  std::vector<bool> steps(machine.period());
  for (const Machine::Input &input : machine.inputs())
    for (uint64_t part = 0; part < input.schedule.ticks; ++part)
      steps[(input.schedule.phase + part * input.schedule.stride) %
            steps.size()] = true;
  return steps;
}

} // namespace dendrolith::sim
