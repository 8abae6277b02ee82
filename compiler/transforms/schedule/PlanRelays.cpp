// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/schedule/Relays.h"

#include <algorithm>
#include <numeric>

namespace dendrolith {
namespace {

/// How much delay goes into each relay of a source: all that a connection holds
/// where its edges have that much. Edges between clocks count other ticks, so
/// there it is none; phases make up for any choice.
std::vector<int64_t> hopDelays(const ScheduleProblem &problem,
                               const std::vector<int64_t> &hops,
                               int64_t period) {
  std::vector<int64_t> delay(problem.nodes.size(),
                             (*problem.maxDelay + 1) / period);
  for (size_t e = 0; e < hops.size(); ++e) {
    const ScheduleEdge &edge = problem.edges[e];
    if (hops[e] == 0)
      continue;
    int64_t most = problem.ticks(edge.from) == problem.ticks(edge.to)
                       ? edge.delay / hops[e]
                       : 0;
    delay[edge.from] = std::min(delay[edge.from], most);
  }
  return delay;
}

int64_t relaysOf(const RelayPlan &plan) {
  return std::accumulate(plan.hops.begin(), plan.hops.end(), int64_t(0));
}

/// Relays for the phases of a schedule without a limit: each takes a step and
/// holds as much as the limit says. Every loop keeps its steps, so this plan
/// serves where any does.
RelayPlan forPhases(const ScheduleProblem &problem,
                    const ScheduleSolution &solution) {
  RelayPlan plan;
  for (int64_t held : solution.connection)
    plan.hops.push_back(held / (*problem.maxDelay + 1));
  plan.hopDelay = hopDelays(problem, plan.hops, solution.period);
  return plan;
}

/// The edge of the longest delay among those whose limit has a part in it.
std::optional<unsigned> longest(const ScheduleProblem &problem,
                                const DelayConflict &conflict) {
  std::optional<unsigned> best;
  for (unsigned e : conflict.limited)
    if (e < problem.edges.size() &&
        (!best || problem.edges[e].delay > problem.edges[*best].delay))
      best = e;
  return best;
}

/// Relays on the longest delays of each conflict until there is none. Nothing
/// where that takes `most` or more of them.
std::optional<RelayPlan> onLongest(const ScheduleProblem &problem,
                                   const ScheduleSolution &times,
                                   int64_t most) {
  RelayPlan plan;
  plan.hops.assign(problem.edges.size(), 0);
  while (relaysOf(plan) < most) {
    plan.hopDelay = hopDelays(problem, plan.hops, times.period);
    const auto conflict = delayConflict(withRelays(problem, plan), times);
    if (!conflict)
      return plan;
    const auto edge = longest(problem, *conflict);
    if (!edge)
      return std::nullopt;
    const int64_t holds = *problem.maxDelay + 1;
    plan.hops[*edge] +=
        std::max<int64_t>(1, (conflict->steps + holds - 1) / holds);
  }
  return std::nullopt;
}

} // namespace

ScheduleProblem withRelays(const ScheduleProblem &problem,
                           const RelayPlan &plan) {
  ScheduleProblem all = problem;
  std::vector<std::vector<unsigned>> chains(problem.nodes.size());
  for (size_t e = 0; e < problem.edges.size(); ++e) {
    const unsigned source = problem.edges[e].from;
    std::vector<unsigned> &chain = chains[source];
    while (int64_t(chain.size()) < plan.hops[e]) {
      ScheduleNode relay = problem.nodes[source];
      relay.name += ".relay";
      const unsigned before = chain.empty() ? source : chain.back();
      chain.push_back(unsigned(all.nodes.size()));
      all.nodes.push_back(std::move(relay));
      all.edges.push_back({before, chain.back(), plan.hopDelay[source]});
    }
    if (plan.hops[e] == 0)
      continue;
    all.edges[e].from = chain[size_t(plan.hops[e]) - 1];
    all.edges[e].delay -= plan.hops[e] * plan.hopDelay[source];
  }
  return all;
}

std::optional<RelayPlan> planRelays(const ScheduleProblem &problem) {
  if (!problem.maxDelay)
    return std::nullopt;
  ScheduleProblem unlimited = problem;
  unlimited.maxDelay = std::nullopt;
  NoSchedule why;
  const auto times = solveSchedule(unlimited, why);
  if (!times)
    return std::nullopt;
  const RelayPlan enough = forPhases(problem, *times);
  if (auto fewer = onLongest(problem, *times, relaysOf(enough)))
    return fewer;
  if (delayConflict(withRelays(problem, enough), *times))
    return std::nullopt;
  return enough;
}

} // namespace dendrolith
