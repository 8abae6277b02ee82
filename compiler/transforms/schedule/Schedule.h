// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retiming as plain data: the difference constraints of the model of time and
// their solution, independent of MLIR so that it can be tested alone.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULE_H
#define DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULE_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// An input or a population. Its clock ticks clockTicks[clock] times per root
/// tick; one tick's emission leaves over `emission` steps.
struct ScheduleNode {
  std::string name;
  unsigned clock = 0;
  int64_t emission = 1;
};

/// One connection between scheduled nodes; the delay is in ticks of the slower
/// of their clocks.
struct ScheduleEdge {
  unsigned from = 0, to = 0;
  int64_t delay = 0;
};

struct ScheduleProblem {
  std::vector<ScheduleNode> nodes;
  std::vector<ScheduleEdge> edges;
  /// Per root tick, by clock. Of two connected clocks one divides the other.
  std::vector<int64_t> clockTicks = {1};
  bool gating = true; // groups may sit out steps
  std::optional<int64_t> maxDelay =
      std::nullopt; // steps programmable into a connection

  int64_t ticks(unsigned node) const { return clockTicks[nodes[node].clock]; }
};

/// Tick q of a node happens in step
///   phase + period * (q / ticks) + stride * (q mod ticks).
struct ScheduleSolution {
  int64_t period = 1;              // P, steps per root tick
  int64_t depth = 1;               // steps of a run of one root tick
  std::vector<int64_t> stride;     // per clock
  std::vector<int64_t> phase;      // f, per node
  std::vector<int64_t> connection; // c, per edge
  std::string critical;            // cycle that forbids P - 1, or empty
};

/// When a tick happens, in steps.
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

/// Empty if the schedule does what logical time says, else what it does not.
/// Replays some root ticks from the definition.
std::string verify(const ScheduleProblem &, const ScheduleSolution &);

/// Why a period and strides leave no phases: the edges whose limit of delay has
/// a part in it, and how many steps they are short of. No edges: none has.
struct DelayConflict {
  std::vector<unsigned> limited;
  int64_t steps = 0;
};

/// Nothing where there are phases for the period and the strides of `times`.
std::optional<DelayConflict> delayConflict(const ScheduleProblem &,
                                           const ScheduleSolution &times);

/// The cycle or limit that forbids a schedule, and what would help, if anything
/// does.
struct NoSchedule {
  std::string reason, advice;
};

/// The smallest period, then the smallest strides in order of clocks, then the
/// earliest phases; or nothing, and `why` says why not.
std::optional<ScheduleSolution> solveSchedule(const ScheduleProblem &,
                                              NoSchedule &why);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULE_H
