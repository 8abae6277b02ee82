// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Designs.h"

#include "tests/runtime/TestSupport.h"

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
