// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Designs.h"

#include "tests/runtime/TestSupport.h"

#include <gtest/gtest.h>

#include <set>

using namespace dendrolith::explore;
using dendrolith::test::errorOf;

namespace {

Study smallStudy() {
  Study study;
  study.models = {{"m", {}, {}, {}, {}, {}, {}, 0, {}},
                  {"n", {}, {}, {}, {}, {}, {}, 0, {}}};
  study.targets = {"tiny"};
  study.axes = {
      {"a", {"1", "2"}, ""}, {"b", {"x", "y"}, ""}, {"c", {"5", "6", "7"}, ""}};
  return study;
}

std::string text(const Design &design) {
  std::string text = design.model + std::to_string(design.repeat);
  for (const auto &[axis, value] : design.values)
    text += value;
  return text;
}

std::vector<std::string> texts(const Study &study) {
  const Designs designs(study);
  std::vector<std::string> all;
  for (uint64_t i = 0; i < designs.size(); ++i)
    all.push_back(text(designs.at(i)));
  return all;
}

} // namespace

TEST(Designs, OfAGridAreAllInOrder) {
  const auto all = texts(smallStudy());
  ASSERT_EQ(all.size(), 24u);
  EXPECT_EQ(all[0], "m01x5");
  EXPECT_EQ(all[1], "m01x6");
  EXPECT_EQ(all[3], "m01y5");
  EXPECT_EQ(all[12], "n01x5");
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 24u);
}

TEST(Designs, AxesChangeTogetherAndRepeat) {
  Study some = smallStudy();
  some.together = {{"b", "a"}};
  some.repeat = 2;
  const auto all = texts(some);
  ASSERT_EQ(all.size(), 24u); // 2 models, 2 steps, 3 values, 2 times
  EXPECT_EQ(all[1], "m11x5");
  EXPECT_EQ(all[6], "m02y5");
}

TEST(Designs, WhereExcludesAndTheBudgetCountsTheRest) {
  Study some = smallStudy();
  some.where = "model == n and c > 5";
  const Designs designs(some);
  EXPECT_EQ(designs.size(), 24u);
  EXPECT_EQ(designs.excluded(designs.at(0)), "where: model == n and c > 5");
  EXPECT_FALSE(designs.excluded(designs.at(13)));
  some.mostPoints = 2;
  EXPECT_EQ(Designs(some).size(), 15u); // n01x6 and n01x7 are the first two
}

TEST(Designs, OneAtATimeBeginsAtTheBaseline) {
  Study some = smallStudy();
  some.models.pop_back();
  some.strategy.method = Strategy::Method::OneAtATime;
  some.baseline = {{"c", "6"}};
  EXPECT_EQ(texts(some), (std::vector<std::string>{"m01x6", "m02x6", "m01y6",
                                                   "m01x5", "m01x7"}));
  some.together = {{"a", "b"}};
  some.baseline = {{"a", "1"}, {"b", "y"}};
  EXPECT_NE(errorOf([&] { Designs all(some); }).find("does not go together"),
            std::string::npos);
}

TEST(Designs, OfSamplesAreDifferent) {
  for (const auto form : {Strategy::Method::Random, Strategy::Method::Latin,
                          Strategy::Method::Sobol}) {
    Study some = smallStudy();
    some.models.pop_back();
    some.strategy.method = form;
    some.strategy.points = 8;
    const auto all = texts(some);
    EXPECT_GE(all.size(), 4u);
    EXPECT_LE(all.size(), 8u);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    EXPECT_EQ(all, texts(some));
    some.seed = 2;
    EXPECT_NE(all, texts(some));
  }
}

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
