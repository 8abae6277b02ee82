// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/WorkTimes.h"

#include <algorithm>

namespace dendrolith::sim {

std::vector<uint32_t> kindsOfGroups(const Machine &machine, uint32_t core) {
  const Machine::Core &of = machine.cores()[core];
  std::vector<uint32_t> first = {work::FirstProgram};
  for (uint32_t g = of.firstGroup; g < of.firstGroup + of.groups; ++g) {
    const auto &program = machine.groups()[g].micro;
    first.push_back(first.back() + (program ? program->parts() : 0));
  }
  return first;
}

/// Adds how long the instructions of each part of a program take, in ps.
static void addProgram(const MicroProgram &program, const Target &target,
                       const MicrocodeTiming &timing, uint64_t *parts) {
  const uint64_t lanes = std::max<uint64_t>(target.microcode.lanes, 1);
  for (size_t i = 0; i < program.code().size(); ++i) {
    const micro::Work work = workOf(program.code()[i]);
    uint64_t cycles = timing.issue;
    for (size_t c = 0; c < work.size(); ++c)
      cycles =
          plus(cycles, times((work[c] + lanes - 1) / lanes, timing.cycles[c]));
    uint64_t &part = parts[program.partOf()[i]];
    part = plus(part, times(cycles, timing.cycle));
  }
}

WorkTimes::WorkTimes(const Machine &machine, uint32_t core,
                     const Target &target, const TimingSet &timing) {
  const std::vector<uint32_t> first = kindsOfGroups(machine, core);
  each.resize(first.back());
  each[work::Active] = timing.updateActive;
  each[work::Inactive] = timing.updateInactive;
  each[work::Emission] = timing.spikeEmit;
  const Machine::Core &of = machine.cores()[core];
  for (uint32_t g = 0; g < of.groups; ++g)
    if (const auto &program = machine.groups()[of.firstGroup + g].micro)
      addProgram(*program, target, timing.microcode, &each[first[g]]);
}

} // namespace dendrolith::sim
