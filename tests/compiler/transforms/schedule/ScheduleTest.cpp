// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retiming alone: known problems, refusals, and brute force on small ones.

#include "compiler/transforms/schedule/Schedule.h"
#include "compiler/transforms/schedule/Relays.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith {
namespace {

/// Nodes on the root clock, one step each.
ScheduleProblem problemOf(const std::vector<std::string> &names,
                          const std::vector<ScheduleEdge> &edges) {
  ScheduleProblem problem;
  for (const std::string &name : names)
    problem.nodes.push_back({name});
  problem.edges = edges;
  return problem;
}

ScheduleSolution solve(const ScheduleProblem &problem) {
  NoSchedule why;
  auto solution = solveSchedule(problem, why);
  EXPECT_TRUE(solution) << why.reason;
  if (!solution)
    return {};
  EXPECT_EQ(verify(problem, *solution), "");
  return *solution;
}

std::string refusal(const ScheduleProblem &problem) {
  NoSchedule why;
  EXPECT_FALSE(solveSchedule(problem, why));
  return why.reason + (why.advice.empty() ? "" : "; ") + why.advice;
}

/// Does any choice of phases below `depth`, and of delays, work with this
/// period and these strides? Asks verify(), which replays the definition.
bool feasible(const ScheduleProblem &problem, int64_t period,
              const std::vector<int64_t> &stride, int64_t depth) {
  ScheduleSolution tried;
  tried.period = period;
  tried.stride = stride;
  tried.depth = 1000;
  tried.phase.assign(problem.nodes.size(), 0);
  int64_t most = problem.maxDelay.value_or(depth + 3 * period);
  for (;;) {
    // Delays do not depend on each other: try each connection alone.
    bool good = true;
    for (size_t e = 0; e < problem.edges.size() && good; ++e) {
      ScheduleProblem one = problem;
      one.edges = {problem.edges[e]};
      good = false;
      for (int64_t c = 0; c <= most && !good; ++c) {
        tried.connection = {c};
        good = verify(one, tried).empty();
      }
    }
    if (good)
      return true;
    size_t i = 0;
    while (i < tried.phase.size() && ++tried.phase[i] == depth)
      tried.phase[i++] = 0;
    if (i == tried.phase.size())
      return false;
  }
}

TEST(Schedule, FeedForwardTakesOneStepPerTick) {
  ScheduleSolution s =
      solve(problemOf({"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}}));
  EXPECT_EQ(s.period, 1);
  EXPECT_EQ(s.depth, 3);
  EXPECT_EQ(s.phase, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(s.connection, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(s.critical, "");
}

TEST(Schedule, SkipOverTwoLayersWaitsInTheConnection) {
  ScheduleSolution s = solve(problemOf(
      {"x", "a", "b", "c"}, {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {0, 3, 0}}));
  EXPECT_EQ(s.connection, (std::vector<int64_t>{0, 0, 0, 2}));
}

TEST(Schedule, SelfLoopKeepsOneStepPerTick) {
  ScheduleSolution s = solve(problemOf({"x", "a"}, {{0, 1, 0}, {1, 1, 1}}));
  EXPECT_EQ(s.period, 1);
  EXPECT_EQ(s.connection[1], 0);
}

TEST(Schedule, LoopOfTwoPopulationsTakesTwoSteps) {
  ScheduleSolution s =
      solve(problemOf({"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {2, 1, 1}}));
  EXPECT_EQ(s.period, 2);
  EXPECT_EQ(s.critical, "a -> b -> a");
  // A logical delay of 2 over the loop leaves one step per tick.
  EXPECT_EQ(solve(problemOf({"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {2, 1, 2}}))
                .period,
            1);
}

TEST(Schedule, LogicalDelayBecomesConnectionDelay) {
  ScheduleSolution s = solve(problemOf({"x", "a"}, {{0, 1, 5}}));
  // f = 0 for both: D = 5, so c = 4.
  EXPECT_EQ(s.phase[1], 0);
  EXPECT_EQ(s.connection[0], 4);
}

TEST(Schedule, ConnectionLimitDelaysTheSource) {
  ScheduleProblem problem =
      problemOf({"x", "y", "a", "b"}, {{0, 2, 0}, {2, 3, 0}, {1, 3, 0}});
  problem.maxDelay = 0;
  // y may not wait in the connection, so it starts a step later.
  EXPECT_EQ(solve(problem).phase[1], 1);
}

TEST(Schedule, DelayBeyondTheLimitIsRefused) {
  ScheduleProblem problem = problemOf({"x", "a"}, {{0, 1, 0}, {0, 1, 9}});
  problem.maxDelay = 3;
  EXPECT_EQ(refusal(problem),
            "the delays of 'x -> a' (9) and 'x -> a' (0) cannot both be kept: "
            "paths that meet differ by more than the target's limit of 3 "
            "steps; give the longer one a smaller delay, or the shorter one a "
            "larger");
}

/// Solves it with the relays that are planned for it.
void expectRelayed(const ScheduleProblem &problem) {
  auto plan = planRelays(problem);
  ASSERT_TRUE(plan);
  const ScheduleProblem relayed = withRelays(problem, *plan);
  solve(relayed);
  for (const ScheduleEdge &edge : relayed.edges)
    EXPECT_GE(edge.delay, 0);
}

TEST(Relays, StandOnTheLongPathsAlone) {
  ScheduleProblem problem = problemOf(
      {"x", "a"}, {{0, 1, 0}, {0, 1, 3}, {0, 1, 4}, {0, 1, 7}, {0, 1, 30}});
  problem.maxDelay = 3;
  auto plan = planRelays(problem);
  ASSERT_TRUE(plan);
  // A connection holds 0 to 3 steps more than the shortest, a relay four more.
  EXPECT_EQ(plan->hops, (std::vector<int64_t>{0, 0, 1, 1, 7}));
  expectRelayed(problem);
  // What has a schedule without relays gets none.
  problem.edges.resize(2);
  EXPECT_EQ(planRelays(problem)->hops, (std::vector<int64_t>{0, 0}));
}

TEST(Relays, HelpAnySetOfDelays) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 100; ++trial) {
    unsigned n = 2 + random() % 4;
    ScheduleProblem problem;
    for (unsigned i = 0; i < n; ++i)
      problem.nodes.push_back({"n" + std::to_string(i), 0, 1});
    for (unsigned e = 0; e < 3 * n; ++e) {
      unsigned from = random() % n, to = random() % n;
      problem.edges.push_back(
          {from, to, int64_t(random() % 50) + (from >= to)});
    }
    problem.maxDelay = random() % 6;
    expectRelayed(problem);
  }
}

TEST(Relays, DoNotHelpALoopWithoutDelay) {
  ScheduleProblem problem = problemOf({"a", "b"}, {{0, 1, 0}, {1, 0, 0}});
  problem.maxDelay = 3;
  EXPECT_FALSE(planRelays(problem));
}

TEST(Schedule, WithoutGatingALoopIsRefusedByName) {
  ScheduleProblem problem =
      problemOf({"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {2, 1, 1}});
  problem.gating = false;
  std::string error = refusal(problem);
  EXPECT_NE(error.find("a -> b -> a"), std::string::npos) << error;
  EXPECT_NE(error.find("gate"), std::string::npos) << error;
}

// b ticks four times for each tick of a, and hears of its own tick but one:
// that needs wider gaps than what the nodes emit adds up to.
TEST(Schedule, ALoopOverTwoClocksTakesMoreStepsThanItsEmissions) {
  ScheduleProblem problem = problemOf(
      {"a", "b"}, {{1, 0, 1}, {0, 1, 1}, {0, 1, 0}, {1, 1, 2}, {0, 0, 1}});
  problem.clockTicks = {1, 4};
  problem.nodes[1].clock = 1;
  problem.nodes[0].emission = problem.nodes[1].emission = 3;
  const ScheduleSolution solution = solve(problem);
  EXPECT_EQ(solution.period, 21);
  EXPECT_EQ(solution.stride[1], 5);
}

TEST(Schedule, ZeroDelayCycleIsRefused) {
  EXPECT_NE(refusal(problemOf({"a", "b"}, {{0, 1, 0}, {1, 0, 0}}))
                .find("a -> b -> a"),
            std::string::npos);
}

TEST(Schedule, VerifyRefusesWrongSolutions) {
  ScheduleProblem problem =
      problemOf({"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}});
  ScheduleSolution good = solve(problem);
  for (int64_t change : {-1, 1, 2}) {
    ScheduleSolution bad = good;
    bad.connection[2] += change;
    EXPECT_NE(verify(problem, bad), "") << change;
    bad = good;
    bad.phase[1] += change;
    EXPECT_NE(verify(problem, bad), "") << change;
  }
  ScheduleSolution bad = good;
  bad.depth = 1;
  EXPECT_NE(verify(problem, bad), "");
}

/// A token and a clock that divides it by `by`.
ScheduleProblem withMicro(std::vector<ScheduleNode> nodes,
                          std::vector<ScheduleEdge> edges, int64_t by) {
  ScheduleProblem problem;
  problem.nodes = std::move(nodes);
  problem.edges = std::move(edges);
  problem.clockTicks = {1, by};
  return problem;
}

TEST(Schedule, MicroTicksRunWithinTheToken) {
  // Token -> 4 micro ticks -> token: the reader waits for the last micro tick.
  ScheduleSolution s = solve(withMicro({{"x", 0}, {"soma", 1}, {"out", 0}},
                                       {{0, 1, 0}, {1, 2, 0}}, 4));
  EXPECT_EQ(s.period, 4);
  EXPECT_EQ(s.stride, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(s.phase, (std::vector<int64_t>{0, 1, 5}));
  EXPECT_EQ(s.depth, 6);
}

TEST(Schedule, AnUnusedClockTakesNoSteps) {
  EXPECT_EQ(solve(withMicro({{"x", 0}, {"a", 0}}, {{0, 1, 0}}, 4)).period, 1);
}

TEST(Schedule, ALoopThroughMicroTicksTakesThemAll) {
  // a in step 0, soma in 1..4, out in 5, and back to a in the next token.
  ScheduleSolution s = solve(withMicro({{"a", 0}, {"soma", 1}, {"out", 0}},
                                       {{0, 1, 0}, {1, 2, 0}, {2, 0, 1}}, 4));
  EXPECT_EQ(s.period, 6);
  EXPECT_EQ(s.stride[1], 1);
  EXPECT_EQ(s.critical, "a -> soma -> out -> a");
}

TEST(Schedule, DelaysOnAMicroClockNeedEvenTicks) {
  // A delay of one micro tick crosses the token's border too: all gaps must let
  // one connection delay through.
  ScheduleSolution s = solve(
      withMicro({{"a", 1}, {"b", 1}}, {{0, 1, 1}, {1, 0, 1}, {0, 0, 1}}, 3));
  EXPECT_EQ(s.period, 3);
}

TEST(Schedule, UnaryEmissionKeepsTheNextTickAway) {
  ScheduleProblem problem = problemOf({"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}});
  problem.nodes[1].emission = 4;
  ScheduleSolution s = solve(problem);
  EXPECT_EQ(s.period, 4);
  EXPECT_EQ(s.phase, (std::vector<int64_t>{0, 1, 5}));
  EXPECT_EQ(s.depth, 6);
  problem.gating = false;
  EXPECT_NE(refusal(problem).find("gate"), std::string::npos);
}

TEST(Schedule, UnaryEmissionOnAMicroClockStretchesIt) {
  ScheduleSolution s = solve(
      withMicro({{"x", 0}, {"a", 1, 3}, {"b", 0}}, {{0, 1, 0}, {1, 2, 0}}, 2));
  EXPECT_EQ(s.period, 6);
  EXPECT_EQ(s.stride[1], 3);
}

/// Random clocks, emissions and delays; zero delays only run forward.
ScheduleProblem randomProblem(std::mt19937 &random, bool clocks) {
  ScheduleProblem problem;
  unsigned n = 2 + random() % 2;
  if (clocks)
    problem.clockTicks = {1, int64_t(2 + random() % 2)};
  for (unsigned i = 0; i < n; ++i) {
    ScheduleNode node{std::string(1, char('a' + i))};
    node.clock = clocks ? random() % 2 : 0;
    node.emission = random() % 3 == 0 ? 1 + random() % 3 : 1;
    problem.nodes.push_back(node);
  }
  for (unsigned e = 0; e < n + 1; ++e) {
    unsigned from = random() % n, to = random() % n;
    int64_t delay = random() % 3;
    if (from >= to && delay == 0)
      delay = 1;
    problem.edges.push_back({from, to, delay});
  }
  if (random() % 2)
    problem.maxDelay = random() % 4;
  return problem;
}

TEST(Schedule, SmallestPeriodOfRandomProblems) {
  std::mt19937 random(7);
  int longer = 0, strides = 0;
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    ScheduleProblem problem = randomProblem(random, seed % 2);
    NoSchedule why;
    auto solution = solveSchedule(problem, why);
    // Nothing shorter works, with any stride; if nothing works at all, the
    // periods that brute force can try do not either.
    int64_t below = solution ? solution->period : 5;
    if (solution) {
      EXPECT_EQ(verify(problem, *solution), "");
      longer += solution->period > 1;
      strides += solution->stride.back() > 1;
    }
    for (int64_t period = 1; period < std::min<int64_t>(below, 6); ++period) {
      int64_t ticks = problem.clockTicks.back();
      int64_t most = ticks == 1 ? 1 : (period - 1) / (ticks - 1);
      for (int64_t s = 1; s <= most; ++s) {
        std::vector<int64_t> stride(problem.clockTicks.size(), 1);
        stride.back() = s;
        EXPECT_FALSE(feasible(problem, period, stride, 5))
            << period << " " << s << " " << why.reason;
      }
    }
  }
  EXPECT_GT(longer, 50);
  EXPECT_GT(strides, 5);
}

} // namespace
} // namespace dendrolith
