// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Worker.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace dendrolith::explore;

TEST(Shards, KeepGroupsTogether) {
  // With so few designs each group is a shard of its own.
  EXPECT_EQ(shardsOf({{0, 0}, {0, 1}, {0, 0}, {0, 1}}),
            (std::vector<Shard>{{0, 2}, {1, 3}}));
  // Programs of one network follow each other.
  EXPECT_EQ(shardsOf({{0, 0}, {1, 1}, {0, 2}, {1, 3}}),
            (std::vector<Shard>{{0}, {2}, {1}, {3}}));
  // Nine designs that share a program are worth two compilations.
  EXPECT_EQ(shardsOf(std::vector<Group>(9)),
            (std::vector<Shard>{{0, 1, 2, 3, 4, 5, 6, 7}, {8}}));
  EXPECT_TRUE(shardsOf({}).empty());
}

TEST(Shards, HoldEachDesignOnce) {
  std::vector<Group> groups;
  for (uint32_t i = 0; i < 5000; ++i)
    groups.push_back({i % 2, i % 7 == 0 ? 1000 + i : i % 6});
  std::vector<uint64_t> all;
  for (const Shard &shard : shardsOf(groups)) {
    EXPECT_LE(shard.size(), shardSize(5000));
    all.insert(all.end(), shard.begin(), shard.end());
    // Small groups share a shard, a large one has its own.
    for (uint64_t number : shard) {
      EXPECT_EQ(groups[number].network, groups[shard.front()].network);
      if (groups[number].program < 6) {
        EXPECT_EQ(groups[number], groups[shard.front()]);
      }
    }
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 5000u);
  for (uint64_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i], i);
}
