// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Values.h"

#include "StudyFixture.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

namespace {

std::string valuesError(const std::vector<StoredPoint> &points,
                        const std::string &name) {
  try {
    return valueNamed(points, name, "--best");
  } catch (const dendrolith::Error &error) {
    return error.what();
  }
}

} // namespace

TEST(Values, AreFoundByTheirNamesAndShortOnes) {
  const std::vector<StoredPoint> points = {lanePoint(
      1, "1", "time", {{"latency.mean", {1, 1}}, {"energy", {1, 2}}})};
  EXPECT_EQ(valuesError(points, "latency"), "latency.mean");
  EXPECT_EQ(valuesError(points, "energy.high"), "energy.high");
  EXPECT_EQ(valuesError(points, "enrgy"),
            "--best: no point has 'enrgy', did you mean 'energy'? (known: "
            "energy, latency.mean)");
  EXPECT_EQ(valuesError({}, "energy"),
            "--best: no point of the study is done, so "
            "nothing has 'energy'");
}

TEST(Values, HaveUnits) {
  EXPECT_EQ(headerOf("latency.p99"), "latency.p99 (us)");
  EXPECT_EQ(headerOf("power.static"), "power.static (mW)");
  EXPECT_EQ(headerOf("cores"), "cores");
  EXPECT_EQ(bandText({1.5, 46.125}, "energy"), "1.5 to 46.12 uJ");
  EXPECT_EQ(bandText({7, 7}, "area"), "7 mm2");
}

TEST(Values, AreGoodWhereTheStudySaysElseWhereScoresAreLargeAndCostsSmall) {
  Study study = laneStudy();
  study.objectives = {{"energy.high", true}};
  EXPECT_TRUE(goalFor(study, "energy").max); // the same value's other end
  EXPECT_FALSE(goalFor(study, "area").max);
  EXPECT_TRUE(goalFor(study, "accuracy").max);
  const std::vector<StoredPoint> points = {lanePoint(
      1, "1", "time", {{"latency.mean", {1, 1}}, {"energy", {1, 2}}})};
  const auto goals = goalsFor(study, points, "latency,energy", "--pareto");
  ASSERT_EQ(goals.size(), 2u);
  EXPECT_EQ(goals[0].name, "latency.mean");
  EXPECT_EQ(goalsFor(study, points, "", "--pareto")[0].name, "energy.high");
  study.objectives.clear();
  EXPECT_THROW(goalsFor(study, points, "", "--pareto"), dendrolith::Error);
}

TEST(Values, OfAPointAreFoundByItsNumber) {
  const std::vector<StoredPoint> points = {lanePoint(1, "1", "time", {}),
                                           lanePoint(7, "4", "time", {})};
  EXPECT_EQ(pointNamed(points, "P7", "--diff").number, 7u);
  EXPECT_EQ(pointNamed(points, "1", "--diff").number, 1u);
  EXPECT_THROW(pointNamed(points, "P2", "--diff"), dendrolith::Error);
}
