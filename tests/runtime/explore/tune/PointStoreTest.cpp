// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/PointStore.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith::tuning {
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
