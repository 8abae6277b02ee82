// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/read/AreaReader.cpp.

#include "targets/loader/read/AreaReader.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

TEST(Nodes, AreasGoAsTheTableSays) {
  EXPECT_NEAR(*areaFactor(32, 14), 0.38, 0.01);
  EXPECT_NEAR(*areaFactor(14, 10), 0.59, 0.01);
  EXPECT_NEAR(*areaFactor(14, 7), 0.34, 0.01);
  EXPECT_NEAR(*areaFactor(130, 7), 1 / 110.0, 1e-6);
}

TEST(Nodes, BetweenTwoNodesAreasRise) {
  double before = 0;
  for (uint64_t node = kSmallestNode; node <= kLargestNode; ++node) {
    const double area = *areaFactor(kSmallestNode, node);
    EXPECT_GT(area, before) << node;
    before = area;
  }
  EXPECT_NEAR(*areaFactor(28, 22) * *areaFactor(22, 28), 1, 1e-12);
}

TEST(Nodes, OutsideOfTheDataThereIsNoFactor) {
  EXPECT_EQ(areaFactor(4, 14), std::nullopt);
  EXPECT_EQ(areaFactor(14, 5), std::nullopt);
  EXPECT_EQ(areaFactor(180, 130), std::nullopt);
  EXPECT_EQ(areaFactor(4, 4), 1); // nothing is carried anywhere
}

} // namespace
