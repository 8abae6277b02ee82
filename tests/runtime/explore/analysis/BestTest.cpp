// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Best.h"

#include "StudyFixture.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

namespace {

std::vector<StoredPoint> bestPoints() {
  return {lanePoint(1, "1", "time", {{"energy", {1, 8}}}),
          lanePoint(2, "4", "time", {{"energy", {3, 5}}}),
          lanePoint(3, "1", "energy", {{"energy", {5, 9}}}),
          lanePoint(4, "4", "energy", {{"energy", {0, 2}}, {"area", {9, 9}}})};
}

const Constraint kSmall = {"area < 5", "area", "<", 5};

} // namespace

TEST(Best, IsCertainWhereNothingElseMayBeBetter) {
  const auto best = bestOf(laneStudy(), {bestPoints()[1], bestPoints()[2]},
                           {"energy", false}, {});
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].safe, 0u);
  EXPECT_TRUE(best[0].rivals.empty()); // 5 is not better than 5
  EXPECT_NE(textOf(laneStudy(), {bestPoints()[1], bestPoints()[2]}, best)
                .find("certainly best  P2: energy 3 to 5 uJ"),
            std::string::npos);
}

TEST(Best, NamesRivalsWhereBandsOverlap) {
  const auto points = bestPoints();
  const Constraint open{"energy < 9", "energy", "<", 9};
  const auto best =
      bestOf(laneStudy(), points, {"energy", false}, {kSmall, open});
  // The fourth needs too much area, of the others none is known to need less.
  EXPECT_EQ(best[0].no, 1u);
  EXPECT_EQ(best[0].possibly, 3u);
  EXPECT_FALSE(best[0].safe);
  EXPECT_EQ(best[0].rivals, (std::vector<size_t>{0, 1, 2}));
  const auto without = bestOf(laneStudy(), {points[0], points[1], points[2]},
                              {"energy", false}, {open});
  EXPECT_EQ(without[0].safe, 1u);
  EXPECT_EQ(without[0].rivals, (std::vector<size_t>{0}));
  EXPECT_NE(textOf(laneStudy(), points, without).find("undecided"),
            std::string::npos);
}

TEST(Best, OfALargeValueIsTheLargestLowEnd) {
  const auto best = bestOf(laneStudy(), bestPoints(), {"energy", true}, {});
  EXPECT_EQ(best[0].safe, 2u);
  EXPECT_EQ(best[0].rivals, (std::vector<size_t>{0}));
}

TEST(Best, AmongNothingIsNothing) {
  auto points = bestPoints();
  for (StoredPoint &point : points)
    point.point.state = PointState::Failed;
  const auto best = bestOf(laneStudy(), points, {"energy", false}, {});
  EXPECT_FALSE(best[0].safe);
  EXPECT_NE(textOf(laneStudy(), points, best)
                .find("no point certainly keeps the constraints"),
            std::string::npos);
}
