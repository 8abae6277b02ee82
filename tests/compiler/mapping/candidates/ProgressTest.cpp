// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/candidates/SearchSpace.h: the bar of a search.

#include "compiler/mapping/candidates/SearchSpace.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

Evaluation stepOf(uint32_t cores, double ps, double pj) {
  Evaluation eval;
  eval.cores = cores;
  eval.stepPs = ps;
  eval.workPj = pj;
  return eval;
}

TEST(Progress, TellsTheBestSoFarAndWhatIsLookedAt) {
  SearchControl control;
  std::vector<SearchProgress> told;
  control.onProgress = [&](const SearchProgress &now) { told.push_back(now); };
  Progress progress(&control, 4);
  progress.begin("given order, 8 cores");
  progress.found(stepOf(8, 5000, 70), 10, true);
  progress.found(stepOf(9, 6000, 80), 11, true);
  progress.found(stepOf(7, 4000, 90), 9, false);
  ASSERT_EQ(told.size(), 4u);
  EXPECT_EQ(told[0].doing, "given order, 8 cores");
  EXPECT_EQ(told[0].fewest, 4u);
  EXPECT_EQ(told[0].cores, 0u);
  EXPECT_EQ(told[2].looked, 2u);
  EXPECT_EQ(told[2].cores, 8u);
  EXPECT_EQ(told[2].stepNs, 5);
  EXPECT_EQ(told[2].stepPj, 70);
  EXPECT_EQ(told[3].cores, 7u);
  EXPECT_EQ(told[3].stepPj, 0); // nothing is priced
}

TEST(Progress, NobodyNeedsToWatch) {
  Progress alone(nullptr, 0);
  alone.begin("anything");
  alone.found(stepOf(1, 1, 1), 1, true);
  EXPECT_FALSE(alone.mustStop());
  SearchControl control;
  EXPECT_FALSE(Progress(&control, 0).mustStop());
  control.mustStop = [] { return true; };
  EXPECT_TRUE(Progress(&control, 0).mustStop());
}

} // namespace
