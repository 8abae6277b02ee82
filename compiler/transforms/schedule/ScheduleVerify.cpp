// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule replayed from the definition of time, without the constraints that
// the solver derives from it.

#include "compiler/transforms/schedule/Schedule.h"

#include "fmt/format.h"

namespace dendrolith {
namespace {

constexpr int64_t kRootTicks = 4;

std::string verifyEdge(const ScheduleProblem &problem,
                       const ScheduleSolution &solution, size_t index,
                       const ScheduleTime &time) {
  const ScheduleEdge &edge = problem.edges[index];
  int64_t c = solution.connection[index];
  if (c < 0 || (problem.maxDelay && c > *problem.maxDelay))
    return fmt::format("{} -> {}: connection delay {}",
                       problem.nodes[edge.from].name,
                       problem.nodes[edge.to].name, c);
  int64_t ticks = problem.ticks(edge.from);
  for (int64_t q = 0; q < kRootTicks * ticks; ++q) {
    int64_t wanted = targetTick(q, edge.delay, ticks, problem.ticks(edge.to));
    for (int64_t unit = 0; unit < problem.nodes[edge.from].emission; ++unit) {
      int64_t due =
          solution.phase[edge.from] + time.offset(edge.from, q) + unit + 1 + c;
      // This is the first tick of the target that comes at or after that step.
      int64_t seen = 0;
      while (solution.phase[edge.to] + time.offset(edge.to, seen) < due)
        ++seen;
      if (seen != wanted)
        return fmt::format("{} -> {}: unit {} of tick {} is read at tick {}, "
                           "expected {}",
                           problem.nodes[edge.from].name,
                           problem.nodes[edge.to].name, unit, q, seen, wanted);
    }
  }
  return {};
}

} // namespace

std::string verify(const ScheduleProblem &problem,
                   const ScheduleSolution &solution) {
  if (!problem.gating && solution.period != 1)
    return "period above 1 without gating";
  ScheduleTime time(problem, solution);
  for (unsigned n = 0; n < problem.nodes.size(); ++n) {
    const ScheduleNode &node = problem.nodes[n];
    if (time.leastGap(n) < node.emission)
      return fmt::format("{}: emits over {} steps, its ticks are {} apart",
                         node.name, node.emission, time.leastGap(n));
    if (solution.phase[n] < 0 || solution.phase[n] +
                                         time.offset(n, problem.ticks(n) - 1) +
                                         node.emission >
                                     solution.depth)
      return fmt::format("{}: phase {} outside [0, depth)", node.name,
                         solution.phase[n]);
  }
  for (size_t i = 0; i < problem.edges.size(); ++i) {
    std::string wrong = verifyEdge(problem, solution, i, time);
    if (!wrong.empty())
      return wrong;
  }
  return {};
}

} // namespace dendrolith
