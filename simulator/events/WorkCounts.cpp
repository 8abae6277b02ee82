// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/WorkCounts.h"

#include "targets/loader/chip/Microcode.h"

#include <array>

namespace dendrolith::sim {

void countWork(CoreCounts &counts, const micro::Work &work, uint64_t issued) {
  static constexpr std::array<Counter, kMicroClasses> counters = {
#define MICRO_CLASS(Name, text, counter) Counter::counter,
#include "targets/loader/chip/MicroOps.def"
  };
  counts[Counter::MicrocodeIssue] += issued;
  for (size_t c = 0; c < work.size(); ++c)
    counts[counters[c]] += work[c];
}

} // namespace dendrolith::sim
