// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Difference constraints against the plainest solver: raise whatever a
// constraint asks for, as often as there are variables.

#include "compiler/transforms/schedule/DifferenceConstraints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace dendrolith;

namespace {

struct Constraint {
  unsigned from, to;
  int64_t weight;
};

DifferenceConstraints
constraintsOf(unsigned variables, const std::vector<Constraint> &constraints) {
  DifferenceConstraints problem(variables);
  for (const Constraint &c : constraints)
    problem.add(c.from, c.to, c.weight);
  return problem;
}

std::vector<size_t> cycleOf(unsigned variables,
                            const std::vector<Constraint> &constraints) {
  std::vector<int64_t> least;
  return constraintsOf(variables, constraints).solve(least);
}

} // namespace

TEST(DifferenceConstraints, LeastSolutionByHand) {
  std::vector<int64_t> least;
  // 0 -> 1 -> 3 takes 5, 0 -> 2 -> 3 takes 3; 3 must not be more than 9 after
  // 0.
  EXPECT_TRUE(
      constraintsOf(4, {{0, 1, 2}, {1, 3, 3}, {0, 2, 1}, {2, 3, 2}, {3, 0, -9}})
          .solve(least)
          .empty());
  EXPECT_EQ(least, (std::vector<int64_t>{0, 2, 1, 5}));
  EXPECT_TRUE(constraintsOf(2, {}).solve(least).empty());
  EXPECT_EQ(least, (std::vector<int64_t>{0, 0}));
  EXPECT_TRUE(constraintsOf(0, {}).solve(least).empty());
  EXPECT_TRUE(least.empty());
  // A cycle of weight 0 has solutions.
  EXPECT_TRUE(constraintsOf(2, {{1, 0, 4}, {0, 1, -4}}).solve(least).empty());
  EXPECT_EQ(least, (std::vector<int64_t>{4, 0}));
}

TEST(DifferenceConstraints, CycleBeginsAtItsLowestVariable) {
  using Cycle = std::vector<size_t>;
  EXPECT_EQ(cycleOf(1, {{0, 0, 1}}), Cycle{0});
  // 3 -> 1 -> 2 -> 3, entered by way of 0.
  EXPECT_EQ(cycleOf(4, {{0, 3, 5}, {3, 1, 0}, {2, 3, 1}, {1, 2, 0}}),
            (Cycle{3, 2, 1}));
  // The one that pushes counts of two constraints between the same pair.
  EXPECT_EQ(cycleOf(2, {{0, 1, -7}, {0, 1, 2}, {1, 0, -1}}), (Cycle{1, 2}));
}

TEST(DifferenceConstraints, RandomOnesAgreeWithThePlainSolver) {
  std::mt19937 random(1);
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  unsigned solved = 0, refused = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned variables = 1 + below(8);
    std::vector<Constraint> constraints(below(16));
    for (Constraint &c : constraints)
      c = {below(variables), below(variables), int64_t(below(9)) - 6};

    std::vector<int64_t> plain(variables, 0);
    bool changed = true;
    for (unsigned i = 0; i <= variables && changed; ++i) {
      changed = false;
      for (const Constraint &c : constraints)
        if (plain[c.to] < plain[c.from] + c.weight) {
          plain[c.to] = plain[c.from] + c.weight;
          changed = true;
        }
    }

    std::vector<int64_t> least;
    std::vector<size_t> cycle =
        constraintsOf(variables, constraints).solve(least);
    ASSERT_EQ(cycle.empty(), !changed) << round;
    if (cycle.empty()) {
      ++solved;
      ASSERT_EQ(least, plain) << round;
      continue;
    }
    ++refused;
    int64_t weight = 0;
    for (size_t i = 0; i < cycle.size(); ++i) {
      const Constraint &c = constraints[cycle[i]];
      const Constraint &next = constraints[cycle[(i + 1) % cycle.size()]];
      ASSERT_EQ(c.to, next.from) << round;
      ASSERT_LE(constraints[cycle[0]].from, c.from) << round;
      weight += c.weight;
    }
    ASSERT_GT(weight, 0) << round;
  }
  EXPECT_GT(solved, 200u);
  EXPECT_GT(refused, 200u);
}

// A chain in whatever order its constraints were added, with and without upper
// bounds that hold nothing back, takes work in proportion to its length.
TEST(DifferenceConstraints, WorkGrowsWithTheLengthOfAChain) {
  std::mt19937 random(2);
  auto examined = [&](unsigned length, bool bounded) {
    std::vector<unsigned> name(length);
    for (unsigned k = 0; k < length; ++k)
      name[k] = k;
    std::shuffle(name.begin(), name.end(), random);
    DifferenceConstraints chain(length);
    for (unsigned k = length - 1; k > 0; --k) {
      chain.add(name[k - 1], name[k], 1);
      if (bounded)
        chain.add(name[k], name[k - 1], -60);
    }
    std::vector<int64_t> least;
    EXPECT_TRUE(chain.solve(least).empty());
    EXPECT_EQ(least[name[length - 1]], int64_t(length) - 1);
    return chain.constraintsExamined();
  };
  for (bool bounded : {false, true}) {
    const uint64_t half = examined(1000, bounded),
                   whole = examined(2000, bounded);
    EXPECT_LE(whole, 2 * half + 10);
    EXPECT_LE(whole, 8000u * (1 + bounded));
  }
}
