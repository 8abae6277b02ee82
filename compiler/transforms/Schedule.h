// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retiming as plain data: the difference constraints of DESIGN section 4 and
// their solution, independent of MLIR so that it can be tested alone.

#ifndef NEURITE_COMPILER_TRANSFORMS_SCHEDULE_H
#define NEURITE_COMPILER_TRANSFORMS_SCHEDULE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neurite {

/// One connection between scheduled nodes (inputs and populations).
struct ScheduleEdge {
  unsigned from = 0, to = 0;
  int64_t delay = 0; // logical ticks
};

struct ScheduleProblem {
  std::vector<std::string> names; // of the nodes
  std::vector<ScheduleEdge> edges;
  bool gating = true; // groups may sit out steps
  std::optional<int64_t> maxDelay =
      std::nullopt; // steps programmable into a connection
};

struct ScheduleSolution {
  int64_t period = 1;              // P, steps per root tick
  int64_t depth = 1;               // max(f + E)
  std::vector<int64_t> phase;      // f, per node
  std::vector<int64_t> connection; // c, per edge
  std::string critical;            // cycle that forbids P - 1, or empty
};

/// Empty if every constraint of the problem holds, else what is violated.
std::string verify(const ScheduleProblem &, const ScheduleSolution &);

/// The smallest period with the earliest phases. On failure `error` says which
/// cycle or limit forbids a schedule.
std::optional<ScheduleSolution> solveSchedule(const ScheduleProblem &,
                                              std::string &error);

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_SCHEDULE_H
