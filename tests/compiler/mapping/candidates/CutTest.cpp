// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Cut.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

using Row = std::vector<uint32_t>;

TEST(Cut, EqualWorkNotEqualCounts) {
  // Four neurons of work 3 and four of work 1: 16 in all, 8 for each core.
  WorkSums sums = sumUp({{3, 3, 3, 3, 1, 1, 1, 1}});
  EXPECT_EQ(cutByWork(sums, {1}, 1)[0], (Row{0, 8}));
  EXPECT_EQ(cutByWork(sums, {1}, 2)[0], (Row{0, 3, 8}));
  EXPECT_EQ(cutByWork(sums, {1}, 8)[0].size(), 9u);
  EXPECT_EQ(cutByWork(sums, {1}, 100)[0].size(), 9u);
}

TEST(Cut, LargerPopulationsGetMoreParts) {
  WorkSums sums =
      sumUp({std::vector<double>(90, 1), std::vector<double>(10, 1)});
  SliceStarts starts = cutByWork(sums, {1, 1}, 10);
  EXPECT_EQ(starts[0].size() - 1, 9u);
  EXPECT_EQ(starts[1].size() - 1, 1u);
}

TEST(Cut, SmallPopulationsShareCores) {
  WorkSums sums =
      sumUp(std::vector<std::vector<double>>(20, std::vector<double>(4, 1)));
  for (const Row &row : cutByWork(sums, Row(20, 1), 5))
    EXPECT_EQ(row, (Row{0, 4}));
}

TEST(Cut, NeverFewerPartsThanFit) {
  WorkSums sums = sumUp({std::vector<double>(8, 1)});
  EXPECT_EQ(cutByWork(sums, {4}, 1)[0].size() - 1, 4u);
}

TEST(Cut, NoPartIsEmptyWhateverTheWorkIs) {
  WorkSums sums = sumUp({{0, 0, 0, 100, 0, 0}, {}, {0, 0}});
  for (uint32_t cores : {1u, 2u, 5u, 9u}) {
    SliceStarts starts = cutByWork(sums, {1, 1, 1}, cores);
    EXPECT_EQ(starts[1], Row{0});
    for (const Row &row : starts)
      for (size_t k = 1; k < row.size(); ++k)
        EXPECT_LT(row[k - 1], row[k]);
  }
}

// Where nothing takes any time, no cut is better than another.
TEST(Cut, WithoutWorkNothingIsCut) {
  WorkSums sums = sumUp({std::vector<double>(100, 0), {0, 0}});
  EXPECT_EQ(cutByWork(sums, {1, 2}, 4), (SliceStarts{{0, 100}, {0, 1, 2}}));
}

TEST(Cut, AHalf) {
  Row starts{0, 4, 9};
  halve(starts, 1);
  EXPECT_EQ(starts, (Row{0, 4, 6, 9}));
}

} // namespace
