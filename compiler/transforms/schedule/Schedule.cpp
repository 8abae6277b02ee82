// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/schedule/Schedule.h"
#include "compiler/transforms/schedule/DifferenceConstraints.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace dendrolith {
namespace {

// Strides tried before a schedule is called impossible.
constexpr uint64_t kMaxAttempts = 200000;

// A connection i -> j with delay c sends what i emits for its tick q in steps
// t .. t + E - 1, t = f_i + off_i(q), into buckets due one step and c later.
// Its target tick r(q) reads them if the last is due by then, and the tick
// before it does not if the first is due later:
//   off_j(r - 1) - off_i(q) <= c - (f_j - f_i) <= off_j(r) - off_i(q) - E.
// Offsets repeat with the root tick, so the ticks of one are enough.
struct Window {
  int64_t low, high; // of c - (f_j - f_i)
};

Window windowOf(const ScheduleProblem &problem, const ScheduleEdge &edge,
                const ScheduleTime &time) {
  int64_t from = problem.ticks(edge.from), to = problem.ticks(edge.to);
  Window window{INT64_MIN, INT64_MAX};
  for (int64_t q = 0; q < from; ++q) {
    int64_t r = targetTick(q, edge.delay, from, to);
    int64_t start = time.offset(edge.from, q);
    window.low = std::max(window.low, time.offset(edge.to, r - 1) - start);
    window.high = std::min(window.high, time.offset(edge.to, r) - start -
                                            problem.nodes[edge.from].emission);
  }
  return window;
}

// Constraints on the phases; nothing when an edge has no delay that suits all
// its ticks. `sources` has the node that each one starts from.
std::optional<DifferenceConstraints>
constraintsFor(const ScheduleProblem &problem, const ScheduleTime &time,
               std::vector<unsigned> &sources) {
  DifferenceConstraints all(static_cast<unsigned>(problem.nodes.size()));
  auto add = [&](unsigned from, unsigned to, int64_t weight) {
    all.add(from, to, weight);
    sources.push_back(from);
  };
  for (const ScheduleEdge &edge : problem.edges) {
    Window window = windowOf(problem, edge, time);
    if (window.low > window.high)
      return std::nullopt;
    // c >= 0 must be possible ...
    add(edge.from, edge.to, -window.high);
    // ... and c <= maxDelay.
    if (problem.maxDelay)
      add(edge.to, edge.from, window.low - *problem.maxDelay);
  }
  return all;
}

std::string cycleText(const ScheduleProblem &problem,
                      const std::vector<unsigned> &cycle) {
  std::string text;
  for (unsigned node : cycle)
    text += problem.nodes[node].name + " -> ";
  return cycle.empty() ? text : text + problem.nodes[cycle.front()].name;
}

// The largest period that can be needed. Let the ticks of every clock be spread
// evenly over it, so that all times are multiples of one gap: a cycle visits
// each node once, which emits for the `longest` at most, and has a logical
// delay of one gap at least.
int64_t periodBound(const ScheduleProblem &problem) {
  int64_t longest = 1, gaps = 1;
  for (unsigned n = 0; n < problem.nodes.size(); ++n) {
    longest = std::max(longest, problem.nodes[n].emission);
    gaps = std::lcm(gaps, problem.ticks(n));
  }
  return 1 + gaps * int64_t(problem.nodes.size()) * longest;
}

// The search over periods and strides.
class Search {
public:
  Search(const ScheduleProblem &problem, NoSchedule &why)
      : problem(problem), why(why),
        nodes(static_cast<unsigned>(problem.nodes.size())),
        used(problem.clockTicks.size()) {
    for (const ScheduleNode &node : problem.nodes)
      used[node.clock] = true;
  }

  std::optional<ScheduleSolution> run() {
    int64_t bound = periodBound(problem);
    for (solution.period = 1; solution.period <= bound; ++solution.period) {
      solution.stride.assign(problem.clockTicks.size(), 1);
      if (tryStrides(0))
        return finish();
      if (attempts > kMaxAttempts)
        break;
      if (!problem.gating)
        return fail(
            critical.empty()
                ? NoSchedule{"a population needs several steps per tick, and "
                             "the target cannot gate groups",
                             "choose a target with gating"}
                : NoSchedule{
                      fmt::format("the cycle {} needs more than one step per "
                                  "tick, and the target cannot gate groups",
                                  cycleText(problem, critical)),
                      "give one of its projections a larger delay or choose a "
                      "target with gating"});
    }
    return fail(
        {fmt::format("no period up to {} satisfies the cycle {}: its logical "
                     "delay is zero, "
                     "or it needs connection delays beyond the target's limit "
                     "of {} steps",
                     solution.period - 1, cycleText(problem, critical),
                     problem.maxDelay ? std::to_string(*problem.maxDelay)
                                      : std::string("(none)")),
         ""});
  }

private:
  std::optional<ScheduleSolution> fail(NoSchedule found) {
    why = std::move(found);
    return std::nullopt;
  }

  /// Strides of the clocks from `clock` on, smallest first.
  bool tryStrides(size_t clock) {
    if (clock == problem.clockTicks.size())
      return tryPhases();
    int64_t ticks = problem.clockTicks[clock];
    bool free = ticks == 1 || !used[clock];
    int64_t longest = free ? 1 : (solution.period - 1) / (ticks - 1);
    for (int64_t s = 1; s <= longest && attempts <= kMaxAttempts; ++s) {
      solution.stride[clock] = s;
      if (tryStrides(clock + 1))
        return true;
    }
    return false;
  }

  bool tryPhases() {
    ++attempts;
    ScheduleTime time(problem, solution);
    for (unsigned n = 0; n < nodes; ++n)
      if (problem.nodes[n].emission > time.leastGap(n))
        return false;
    std::vector<unsigned> sources;
    auto constraints = constraintsFor(problem, time, sources);
    if (!constraints)
      return false;
    std::vector<size_t> cycle = constraints->solve(solution.phase);
    if (cycle.empty())
      return true;
    critical.clear();
    for (size_t constraint : cycle)
      critical.push_back(sources[constraint]);
    return false;
  }

  ScheduleSolution finish() {
    solution.critical = cycleText(problem, critical);
    ScheduleTime time(problem, solution);
    for (const ScheduleEdge &edge : problem.edges) {
      int64_t distance = solution.phase[edge.to] - solution.phase[edge.from];
      // The least delay that keeps the arrival behind the previous update.
      solution.connection.push_back(
          std::max<int64_t>(0, distance + windowOf(problem, edge, time).low));
    }
    for (unsigned n = 0; n < nodes; ++n)
      solution.depth =
          std::max(solution.depth, solution.phase[n] +
                                       time.offset(n, problem.ticks(n) - 1) +
                                       problem.nodes[n].emission);
    return std::move(solution);
  }

  const ScheduleProblem &problem;
  NoSchedule &why;
  unsigned nodes;
  std::vector<bool> used; // clocks that a node is on
  ScheduleSolution solution;
  std::vector<unsigned> critical;
  uint64_t attempts = 0;
};

} // namespace

std::optional<ScheduleSolution> solveSchedule(const ScheduleProblem &problem,
                                              NoSchedule &why) {
  return Search(problem, why).run();
}

} // namespace dendrolith
