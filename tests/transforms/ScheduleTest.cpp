// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Retiming alone: known problems, refusals, and brute force on small ones.

#include "compiler/transforms/Schedule.h"

#include <gtest/gtest.h>

#include <random>

namespace neurite {
namespace {

ScheduleSolution solve(const ScheduleProblem &problem) {
  std::string error;
  auto solution = solveSchedule(problem, error);
  EXPECT_TRUE(solution) << error;
  if (!solution)
    return {};
  EXPECT_EQ(verify(problem, *solution), "");
  return *solution;
}

std::string refusal(const ScheduleProblem &problem) {
  std::string error;
  EXPECT_FALSE(solveSchedule(problem, error));
  return error;
}

/// Does any choice of phases below `depth` work with this period?
bool feasible(const ScheduleProblem &problem, int64_t period, int64_t depth) {
  std::vector<int64_t> phase(problem.names.size(), 0);
  for (;;) {
    bool good = true;
    for (const ScheduleEdge &edge : problem.edges) {
      int64_t distance =
          phase[edge.to] - phase[edge.from] + period * edge.delay;
      // Some c in [0, maxDelay] with 1 <= distance - c <= period.
      int64_t least = std::max<int64_t>(0, distance - period);
      good = good && distance - least >= 1 &&
             (!problem.maxDelay || least <= *problem.maxDelay);
    }
    if (good)
      return true;
    size_t i = 0;
    while (i < phase.size() && ++phase[i] == depth)
      phase[i++] = 0;
    if (i == phase.size())
      return false;
  }
}

TEST(Schedule, FeedForwardTakesOneStepPerTick) {
  ScheduleSolution s = solve({{"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}}});
  EXPECT_EQ(s.period, 1);
  EXPECT_EQ(s.depth, 3);
  EXPECT_EQ(s.phase, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(s.connection, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(s.critical, "");
}

TEST(Schedule, SkipOverTwoLayersWaitsInTheConnection) {
  ScheduleSolution s = solve(
      {{"x", "a", "b", "c"}, {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {0, 3, 0}}});
  EXPECT_EQ(s.connection, (std::vector<int64_t>{0, 0, 0, 2}));
}

TEST(Schedule, SelfLoopKeepsOneStepPerTick) {
  ScheduleSolution s = solve({{"x", "a"}, {{0, 1, 0}, {1, 1, 1}}});
  EXPECT_EQ(s.period, 1);
  EXPECT_EQ(s.connection[1], 0);
}

TEST(Schedule, LoopOfTwoPopulationsTakesTwoSteps) {
  ScheduleSolution s =
      solve({{"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {2, 1, 1}}});
  EXPECT_EQ(s.period, 2);
  EXPECT_EQ(s.critical, "a -> b -> a");
  // A logical delay of 2 over the loop leaves one step per tick.
  EXPECT_EQ(solve({{"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {2, 1, 2}}}).period,
            1);
}

TEST(Schedule, LogicalDelayBecomesConnectionDelay) {
  ScheduleSolution s = solve({{"x", "a"}, {{0, 1, 5}}});
  // f = 0 for both: D = 5, so c = 4.
  EXPECT_EQ(s.phase[1], 0);
  EXPECT_EQ(s.connection[0], 4);
}

TEST(Schedule, ConnectionLimitDelaysTheSource) {
  ScheduleProblem problem{{"x", "y", "a", "b"},
                          {{0, 2, 0}, {2, 3, 0}, {1, 3, 0}}};
  problem.maxDelay = 0;
  // y may not wait in the connection, so it starts a step later.
  EXPECT_EQ(solve(problem).phase[1], 1);
}

TEST(Schedule, DelayBeyondTheLimitIsRefused) {
  ScheduleProblem problem{{"x", "a"}, {{0, 1, 0}, {0, 1, 9}}};
  problem.maxDelay = 3;
  EXPECT_NE(refusal(problem).find("limit of 3 steps"), std::string::npos);
}

TEST(Schedule, WithoutGatingALoopIsRefusedByName) {
  ScheduleProblem problem{{"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {2, 1, 1}}};
  problem.gating = false;
  std::string error = refusal(problem);
  EXPECT_NE(error.find("a -> b -> a"), std::string::npos) << error;
  EXPECT_NE(error.find("gate"), std::string::npos) << error;
}

TEST(Schedule, ZeroDelayCycleIsRefused) {
  EXPECT_NE(refusal({{"a", "b"}, {{0, 1, 0}, {1, 0, 0}}}).find("a -> b -> a"),
            std::string::npos);
}

TEST(Schedule, VerifyRefusesWrongSolutions) {
  ScheduleProblem problem{{"x", "a", "b"}, {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}}};
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

TEST(Schedule, SmallestPeriodOfRandomProblems) {
  std::mt19937 random(7);
  int loops = 0;
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    ScheduleProblem problem;
    unsigned n = 2 + random() % 3;
    for (unsigned i = 0; i < n; ++i)
      problem.names.push_back(std::string(1, char('a' + i)));
    for (unsigned e = 0; e < n + 2; ++e) {
      unsigned from = random() % n, to = random() % n;
      int64_t delay = random() % 3;
      // No cycle of zero delays: those only run forward.
      if (from >= to && delay == 0)
        delay = 1;
      problem.edges.push_back({from, to, delay});
    }
    if (random() % 2)
      problem.maxDelay = random() % 4;
    std::string error;
    auto solution = solveSchedule(problem, error);
    if (!solution) {
      for (int64_t period = 1; period <= int64_t(n); ++period)
        EXPECT_FALSE(feasible(problem, period, 5)) << error;
      continue;
    }
    EXPECT_EQ(verify(problem, *solution), "");
    loops += solution->period > 1;
    if (solution->period > 1) {
      EXPECT_FALSE(feasible(problem, solution->period - 1, 6));
    }
  }
  EXPECT_GT(loops, 20);
}

} // namespace
} // namespace neurite
