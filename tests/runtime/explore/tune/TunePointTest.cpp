// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/TunePoint.h"
#include "runtime/explore/tune/MeasurePoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace dendrolith::tuning {
namespace {

Point point(Bits bits, double score, double words) {
  Point made;
  made.bits = std::move(bits);
  made.score = score;
  made.words = words;
  return made;
}

TEST(TunePoint, ParetoSetHasWhatNothingBeats) {
  Point refused = point({2}, 1, 1);
  refused.refused = "no";
  const auto front = paretoSet({point({8}, 0.95, 80), point({6}, 0.95, 60),
                                point({5}, 0.9, 50), point({4}, 0.92, 50),
                                point({3}, 0.8, 55), refused},
                               Objective::Words);
  ASSERT_EQ(front.size(), 2u);
  EXPECT_EQ(front[0].bits, Bits{4});
  EXPECT_EQ(front[1].bits, Bits{6});
}

TEST(TunePoint, WordsDecideAmongEqualCores) {
  EXPECT_TRUE(
      isCheaper(point({4}, 1, 40), point({8}, 1, 80), Objective::Cores));
  EXPECT_FALSE(
      isCheaper(point({8}, 1, 80), point({4}, 1, 40), Objective::Cores));
}

TEST(TunePoint, JsonGivesItBack) {
  Point made = point({8, 4}, 0.5, 12);
  made.energy = 3.5;
  made.low = 0.25;
  const Point back = pointFrom(toJson(made));
  EXPECT_EQ(back, made);
  EXPECT_EQ(toJson(back).dump(), toJson(made).dump());
  EXPECT_FALSE(back.latency);
}

TEST(TunePoint, TextIsWhatTheFlagTakes) {
  EXPECT_EQ(bitsText({{"a", {}}, {"b->c", {}}}, {8, 4}), "a=8,b->c=4");
}

} // namespace

namespace {

class PointStoreTest : public ::testing::Test {
protected:
  ~PointStoreTest() override { std::filesystem::remove_all(folder); }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("dendrolith-points-" + std::to_string(::getpid()));
};

TEST_F(PointStoreTest, KeepsPointsForOneContext) {
  Point point;
  point.bits = {8, 4};
  point.score = 0.5;
  PointStore(folder, {{"data", "a"}}).add(point);
  const PointStore same(folder, {{"data", "a"}});
  ASSERT_TRUE(same.find({8, 4}));
  EXPECT_EQ(same.find({8, 4})->score, 0.5);
  EXPECT_FALSE(same.find({8, 5}));
  EXPECT_FALSE(PointStore(folder, {{"data", "b"}}).find({8, 4}));
}

TEST_F(PointStoreTest, WhatIsNoPointIsMeasuredAgain) {
  Point point;
  point.bits = {8};
  const PointStore store(folder, {});
  store.add(point);
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    std::ofstream(entry.path()) << "{\"bits\": [8";
  EXPECT_FALSE(store.find({8}));
}

} // namespace
} // namespace dendrolith::tuning
