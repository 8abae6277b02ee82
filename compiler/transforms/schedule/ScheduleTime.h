// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a tick happens, in steps, and which tick of the target sees a tick of
// the source.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULETIME_H
#define DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULETIME_H

#include "compiler/transforms/schedule/Schedule.h"

#include <algorithm>

namespace dendrolith {

class ScheduleTime {
public:
  ScheduleTime(const ScheduleProblem &problem, const ScheduleSolution &solution)
      : problem(problem), solution(solution) {}

  /// How many steps lie between the node's phase and its tick q, which may be
  /// negative.
  int64_t offset(unsigned node, int64_t q) const {
    int64_t ticks = problem.ticks(node);
    int64_t root = q >= 0 ? q / ticks : -((ticks - 1 - q) / ticks);
    return solution.period * root +
           solution.stride[problem.nodes[node].clock] * (q - root * ticks);
  }
  /// The least distance between two consecutive ticks, in steps.
  int64_t leastGap(unsigned node) const {
    int64_t ticks = problem.ticks(node),
            stride = solution.stride[problem.nodes[node].clock];
    int64_t across = solution.period - (ticks - 1) * stride;
    return ticks == 1 ? across : std::min(stride, across);
  }

private:
  const ScheduleProblem &problem;
  const ScheduleSolution &solution;
};

/// The target's tick that reads what the source emits at its tick q: delays
/// count the slower clock's ticks, a faster target sees a value at its first
/// tick within the slower one's. Ticks are per root tick.
inline int64_t targetTick(int64_t q, int64_t delay, int64_t sourceTicks,
                          int64_t targetTicks) {
  int64_t slow = std::min(sourceTicks, targetTicks);
  return (q / (sourceTicks / slow) + delay) * (targetTicks / slow);
}

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULETIME_H
