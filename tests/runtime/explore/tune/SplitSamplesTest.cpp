// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/SplitSamples.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace dendrolith::tuning {
namespace {

TEST(SplitSamples, EachSampleIsInOnePart) {
  for (uint64_t count : {2u, 3u, 10u, 501u}) {
    Split split = drawSplit(count, 0.5);
    std::vector<uint64_t> all = split.calibration;
    all.insert(all.end(), split.heldOut.begin(), split.heldOut.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), count);
    for (uint64_t i = 0; i < count; ++i)
      EXPECT_EQ(all[i], i);
    EXPECT_EQ(drawSplit(count, 0.5).heldOut, split.heldOut);
  }
  EXPECT_EQ(drawSplit(100, 0.25).heldOut.size(), 25u);
  EXPECT_EQ(drawSplit(10, 0.99).calibration.size(), 1u);
}

// Files often have their classes in turn, or one behind the other.
TEST(SplitSamples, PartsHaveAllClasses) {
  for (bool sorted : {false, true}) {
    std::vector<int> seen(10);
    for (uint64_t i : drawSplit(500, 0.5).heldOut)
      ++seen[sorted ? i / 50 : i % 10];
    for (int count : seen) {
      EXPECT_GT(count, 12);
      EXPECT_LT(count, 38);
    }
  }
}

TEST(SplitSamples, OneSampleIsTooFew) {
  EXPECT_THROW(drawSplit(1, 0.5), Error);
}

TEST(SplitSamples, RowsKeepShapeAndType) {
  const Array ints = Array::ofInts({3, 2}, {0, 1, 2, 3, 4, 5}, "|u1");
  const Array some = rowsOf(ints, {0, 2});
  EXPECT_EQ(some.shape, (std::vector<uint64_t>{2, 2}));
  EXPECT_EQ(some.ints, (std::vector<int64_t>{0, 1, 4, 5}));
  EXPECT_EQ(some.dtype, "|u1");
  EXPECT_EQ(rowsOf(Array::ofReals({2}, {0.5, 1.5}), {1}).real,
            std::vector<double>{1.5});
}

} // namespace
} // namespace dendrolith::tuning
