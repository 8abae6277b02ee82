// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Sampling.h"

#include <gtest/gtest.h>

#include <set>

using namespace dendrolith::explore;

namespace {

std::vector<unsigned> countsOf(const dendrolith::explore::Choices &choices,
                               size_t axis, uint64_t size) {
  std::vector<unsigned> counts(size);
  for (const auto &choice : choices)
    ++counts[choice[axis]];
  return counts;
}

} // namespace

TEST(Sampling, RandomMeetsAllWhereAllAreAskedFor) {
  const dendrolith::explore::Choices choices = randomChoices({3, 4}, 12, 1);
  EXPECT_EQ(
      std::set<std::vector<uint32_t>>(choices.begin(), choices.end()).size(),
      12u);
  EXPECT_EQ(randomChoices({1000, 1000, 1000}, 100, 1).size(), 100u);
}

TEST(Sampling, LatinMeetsEachPartOnce) {
  const dendrolith::explore::Choices choices =
      latinChoices({100, 100, 100}, 100, 1);
  ASSERT_EQ(choices.size(), 100u);
  for (size_t axis = 0; axis < 3; ++axis)
    for (unsigned count : countsOf(choices, axis, 100))
      EXPECT_EQ(count, 1u);
}

TEST(Sampling, SobolIsEvenInEachAxisAndInPairs) {
  const dendrolith::explore::Choices choices =
      sobolChoices({64, 64, 64, 64, 64}, 64, 5);
  ASSERT_EQ(choices.size(), 64u);
  for (size_t axis = 0; axis < 5; ++axis)
    for (unsigned count : countsOf(choices, axis, 64))
      EXPECT_EQ(count, 1u); // a net in base 2
  // The first two axes are a (0, 2)-sequence: each of 8 x 8 squares once.
  std::set<std::pair<uint32_t, uint32_t>> squares;
  for (const auto &choice : choices)
    squares.insert({choice[0] / 8, choice[1] / 8});
  EXPECT_EQ(squares.size(), 64u);
}

// The same numbers on every machine and with every library.
TEST(Sampling, IsPinned) {
  EXPECT_EQ(randomChoices({10, 10}, 2, 1),
            (dendrolith::explore::Choices{{1, 1}, {4, 0}}));
  EXPECT_EQ(latinChoices({10, 10}, 3, 1),
            (dendrolith::explore::Choices{{4, 3}, {6, 1}, {1, 8}}));
  EXPECT_EQ(sobolChoices({10, 10}, 3, 1),
            (dendrolith::explore::Choices{{1, 1}, {6, 6}, {8, 3}}));
}
