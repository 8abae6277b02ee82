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

/// Where a constraint comes from: the node that it starts from, its edge, and
/// whether it is the edge's limit of delay.
struct Origin {
  unsigned node, edge;
  bool isLimit;
  int64_t weight;
};

// Constraints on the phases; nothing when an edge has no delay that suits all
// its ticks.
std::optional<DifferenceConstraints>
constraintsFor(const ScheduleProblem &problem, const ScheduleTime &time,
               std::vector<Origin> &origins) {
  DifferenceConstraints all(static_cast<unsigned>(problem.nodes.size()));
  for (unsigned e = 0; e < problem.edges.size(); ++e) {
    const ScheduleEdge &edge = problem.edges[e];
    Window window = windowOf(problem, edge, time);
    if (window.low > window.high)
      return std::nullopt;
    // c >= 0 must be possible ...
    all.add(edge.from, edge.to, -window.high);
    origins.push_back({edge.from, e, false, -window.high});
    if (!problem.maxDelay)
      continue;
    // ... and c <= maxDelay.
    const int64_t least = window.low - *problem.maxDelay;
    all.add(edge.to, edge.from, least);
    origins.push_back({edge.to, e, true, least});
  }
  return all;
}

std::string cycleText(const ScheduleProblem &problem,
                      const std::vector<Origin> &cycle) {
  std::string text;
  for (const Origin &origin : cycle)
    text += problem.nodes[origin.node].name + " -> ";
  return cycle.empty() ? text : text + problem.nodes[cycle.front().node].name;
}

/// "'x -> a' (9)": a projection and its delay.
std::string edgeText(const ScheduleProblem &problem, unsigned e) {
  const ScheduleEdge &edge = problem.edges[e];
  return fmt::format("'{} -> {}' ({})", problem.nodes[edge.from].name,
                     problem.nodes[edge.to].name, edge.delay);
}

/// The two edges of a conflict of delays that lie farthest apart: one that
/// needs more than the limit, and one that may not wait so long.
std::string delaysText(const ScheduleProblem &problem,
                       const std::vector<Origin> &cycle) {
  auto delayOf = [&](const Origin &origin) {
    return problem.edges[origin.edge].delay;
  };
  const Origin *longest = nullptr, *shortest = nullptr;
  for (const Origin &origin : cycle) {
    if (origin.isLimit && (!longest || delayOf(origin) > delayOf(*longest)))
      longest = &origin;
    if (!origin.isLimit && (!shortest || delayOf(origin) < delayOf(*shortest)))
      shortest = &origin;
  }
  return fmt::format(
      "the delays of {} and {} cannot both be kept: paths that meet differ by "
      "more than the target's limit of {} steps",
      edgeText(problem, longest->edge),
      shortest ? edgeText(problem, shortest->edge) : "no other projection",
      *problem.maxDelay);
}

bool hasLimit(const std::vector<Origin> &cycle) {
  return std::any_of(cycle.begin(), cycle.end(),
                     [](const Origin &origin) { return origin.isLimit; });
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
    if (hasLimit(critical))
      return fail({delaysText(problem, critical),
                   "give the longer one a smaller delay, or the shorter one a "
                   "larger"});
    return fail({fmt::format("no period up to {} satisfies the cycle {}: its "
                             "logical delay is zero",
                             solution.period - 1, cycleText(problem, critical)),
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
    std::vector<Origin> origins;
    auto constraints = constraintsFor(problem, time, origins);
    if (!constraints)
      return false;
    std::vector<size_t> cycle = constraints->solve(solution.phase);
    if (cycle.empty())
      return true;
    critical.clear();
    for (size_t constraint : cycle)
      critical.push_back(origins[constraint]);
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
  std::vector<Origin> critical;
  uint64_t attempts = 0;
};

} // namespace

std::optional<DelayConflict> delayConflict(const ScheduleProblem &problem,
                                           const ScheduleSolution &times) {
  DelayConflict conflict;
  std::vector<Origin> origins;
  ScheduleTime time(problem, times);
  auto constraints = constraintsFor(problem, time, origins);
  if (!constraints)
    return conflict;
  std::vector<int64_t> phases;
  std::vector<size_t> cycle = constraints->solve(phases);
  if (cycle.empty())
    return std::nullopt;
  for (size_t constraint : cycle) {
    conflict.steps += origins[constraint].weight;
    if (origins[constraint].isLimit)
      conflict.limited.push_back(origins[constraint].edge);
  }
  return conflict;
}

std::optional<ScheduleSolution> solveSchedule(const ScheduleProblem &problem,
                                              NoSchedule &why) {
  return Search(problem, why).run();
}

// A schedule replayed from the definition of time, without the constraints that
// the solver derives from it.

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
