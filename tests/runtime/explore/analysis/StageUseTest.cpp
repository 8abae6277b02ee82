// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/StageUse.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

TEST(StageUse, CountsWhatWasDoneAndWhatWasTaken) {
  std::vector<StoredPoint> points(3);
  points[0].effort = Effort{5, 0, {{"map", false, 3}, {"price", false, 0.5}}};
  points[1].effort = Effort{1, 0, {{"map", true, 0.1}, {"price", false, 0.5}}};
  const auto stages = stageUseOf(points); // of the third nothing is known
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].name, "map");
  EXPECT_EQ(stages[0].done, 1u);
  EXPECT_EQ(stages[0].reused, 1u);
  EXPECT_EQ(stages[0].seconds, 3); // what a reused stage took is no work
  EXPECT_EQ(textOf(stages), "map 1 of 2 (3.0 s), price 2 of 2 (1.0 s)");
}

TEST(StageUse, OfUnknownEffortsIsNothing) {
  EXPECT_EQ(textOf(stageUseOf(std::vector<StoredPoint>(2))), "");
}
