// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/Scale.h"

#include <gtest/gtest.h>

namespace dendrolith::explore {
namespace {

TEST(Scale, ShowsAllWithRoundMarks) {
  const Scale scale({{5, 5}, {20, 30}});
  EXPECT_FALSE(scale.isLogarithmic());
  EXPECT_GT(scale.at(5), 0);
  EXPECT_LT(scale.at(30), 1);
  EXPECT_EQ(scale.ticks(), (std::vector<double>{10, 20, 30}));
  EXPECT_NEAR(scale.at(17.5), 0.5, 1e-12);
}

TEST(Scale, IsLogarithmicOverMoreThanADecade) {
  const Scale scale({{1, 2}, {50, 100}});
  EXPECT_TRUE(scale.isLogarithmic());
  EXPECT_NEAR(scale.at(10), 0.5, 1e-12);
  EXPECT_EQ(scale.ticks(), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_FALSE(Scale({{0, 100}}).isLogarithmic()) << "0 has no logarithm";
}

TEST(Scale, OfOneValueHasItInTheMiddle) {
  EXPECT_NEAR(Scale({{4, 4}}).at(4), 0.5, 1e-12);
  EXPECT_NEAR(Scale({{0, 0}}).at(0), 0.5, 1e-12);
  EXPECT_FALSE(Scale({{0, 0}}).ticks().empty());
  // A constant does not stretch its axis.
  const Scale constant({{13.94, 13.94}});
  for (double tick : constant.ticks())
    EXPECT_NEAR(tick, 13.94, 1);
}

TEST(Scale, OfNumbersThatHardlyDiffer) {
  EXPECT_LE(Scale({{1e16, 1e16 + 2}}).ticks().size(), 20u);
  EXPECT_LE(Scale({{0, 5e-324}}).ticks().size(), 20u);
}

} // namespace
} // namespace dendrolith::explore
