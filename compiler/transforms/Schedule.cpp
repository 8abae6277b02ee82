// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/Schedule.h"

#include "fmt/format.h"

#include <algorithm>

namespace neurite {
namespace {

// A constraint f[to] >= f[from] + weight. Upper bounds are the same with the
// ends exchanged and the sign turned.
struct Constraint {
  unsigned from, to;
  int64_t weight;
};

std::vector<Constraint> constraintsFor(const ScheduleProblem &problem,
                                       int64_t period) {
  std::vector<Constraint> all;
  for (const ScheduleEdge &edge : problem.edges) {
    // D - c >= 1 with c >= 0.
    all.push_back({edge.from, edge.to, 1 - period * edge.delay});
    // D - c <= P with c <= maxDelay.
    if (problem.maxDelay)
      all.push_back({edge.to, edge.from,
                     period * edge.delay - period - *problem.maxDelay});
  }
  return all;
}

// Longest paths from a virtual source at 0 (Bellman-Ford in a fixed order, so
// ties cannot depend on anything but the numbering). A positive cycle is
// returned as its nodes in order.
std::optional<std::vector<int64_t>>
earliestPhases(unsigned nodes, const std::vector<Constraint> &constraints,
               std::vector<unsigned> &cycle) {
  std::vector<int64_t> phase(nodes, 0);
  std::vector<int> parent(nodes, -1);
  int changed = -1;
  for (unsigned round = 0; round <= nodes; ++round) {
    changed = -1;
    for (const Constraint &c : constraints)
      if (phase[c.from] + c.weight > phase[c.to]) {
        phase[c.to] = phase[c.from] + c.weight;
        parent[c.to] = static_cast<int>(c.from);
        changed = static_cast<int>(c.to);
      }
    if (changed < 0)
      return phase;
  }
  // Walk back far enough to be on the cycle, then once around it.
  unsigned on = static_cast<unsigned>(changed);
  for (unsigned i = 0; i < nodes; ++i)
    on = static_cast<unsigned>(parent[on]);
  for (unsigned at = on;;) {
    cycle.push_back(at);
    at = static_cast<unsigned>(parent[at]);
    if (at == on)
      break;
  }
  std::reverse(cycle.begin(), cycle.end());
  // Start at the smallest id: the text must not depend on where we entered.
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()),
              cycle.end());
  return std::nullopt;
}

std::string describe(const ScheduleProblem &problem,
                     const std::vector<unsigned> &cycle) {
  std::string text;
  for (unsigned node : cycle)
    text += problem.names[node] + " -> ";
  return cycle.empty() ? text : text + problem.names[cycle.front()];
}

// The largest period that can be needed: a cycle visits each node once and has
// a delay of at least 1.
int64_t periodBound(const ScheduleProblem &problem) {
  return static_cast<int64_t>(problem.names.size()) + 1;
}

} // namespace

std::string verify(const ScheduleProblem &problem,
                   const ScheduleSolution &solution) {
  if (!problem.gating && solution.period != 1)
    return "period above 1 without gating";
  for (size_t i = 0; i < problem.edges.size(); ++i) {
    const ScheduleEdge &edge = problem.edges[i];
    int64_t distance = solution.phase[edge.to] - solution.phase[edge.from] +
                       solution.period * edge.delay;
    int64_t wait = distance - solution.connection[i];
    if (wait < 1 || wait > solution.period || solution.connection[i] < 0 ||
        (problem.maxDelay && solution.connection[i] > *problem.maxDelay))
      return fmt::format("{} -> {}: distance {} steps, connection delay {}, "
                         "period {}",
                         problem.names[edge.from], problem.names[edge.to],
                         distance, solution.connection[i], solution.period);
  }
  for (int64_t phase : solution.phase)
    if (phase < 0 || phase + 1 > solution.depth)
      return "phase outside [0, depth)";
  return {};
}

std::optional<ScheduleSolution> solveSchedule(const ScheduleProblem &problem,
                                              std::string &error) {
  unsigned nodes = static_cast<unsigned>(problem.names.size());
  ScheduleSolution solution;
  std::vector<unsigned> critical;
  int64_t bound = periodBound(problem);
  for (solution.period = 1; solution.period <= bound; ++solution.period) {
    std::vector<unsigned> cycle;
    auto phases =
        earliestPhases(nodes, constraintsFor(problem, solution.period), cycle);
    if (phases) {
      solution.phase = std::move(*phases);
      break;
    }
    critical = std::move(cycle);
    if (!problem.gating) {
      error = fmt::format(
          "the cycle {} needs more than one step per tick, and the target "
          "cannot gate groups; give one of its projections a larger delay or "
          "choose a target with gating",
          describe(problem, critical));
      return std::nullopt;
    }
  }
  if (solution.phase.size() != nodes) {
    error =
        fmt::format("no period up to {} satisfies the cycle {}: its logical "
                    "delay is zero, or it needs connection delays beyond "
                    "the target's limit of {} steps",
                    bound, describe(problem, critical),
                    problem.maxDelay ? std::to_string(*problem.maxDelay)
                                     : std::string("(none)"));
    return std::nullopt;
  }
  solution.critical = describe(problem, critical);
  for (const ScheduleEdge &edge : problem.edges) {
    int64_t distance = solution.phase[edge.to] - solution.phase[edge.from] +
                       solution.period * edge.delay;
    // The least delay that keeps the arrival behind the previous update.
    solution.connection.push_back(
        std::max<int64_t>(0, distance - solution.period));
  }
  for (int64_t phase : solution.phase)
    solution.depth = std::max(solution.depth, phase + 1);
  return solution;
}

} // namespace neurite
