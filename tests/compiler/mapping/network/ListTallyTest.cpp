// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/ListTally.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace dendrolith;

namespace {

ListPlan planOf(uint64_t content, uint32_t firstOffset, uint64_t words) {
  ListPlan plan;
  plan.content = content;
  plan.firstOffset = firstOffset;
  plan.words = words;
  return plan;
}

TEST(ListTally, EqualListsAreStoredOnceAndEqualOnesAtEqualBasesHaveOneAxon) {
  ListTally shared(true), apart(false);
  for (uint32_t base : {10u, 302u, 302u}) {
    shared.add(planOf(7, base, 3));
    apart.add(planOf(7, base, 3));
  }
  EXPECT_EQ(shared.inAxons(), 2u);
  EXPECT_EQ(shared.synapseWords(), 3u);
  EXPECT_EQ(apart.inAxons(), 3u);
  EXPECT_EQ(apart.synapseWords(), 9u);
}

// Sets that are looked up list by list are the plain twin.
TEST(ListTally, ManyListsInAnyOrder) {
  std::mt19937_64 random(5);
  for (size_t lists : {1u, 15u, 16u, 17u, 5000u}) {
    ListTally tally(true);
    std::set<uint64_t> contents;
    std::set<std::pair<uint64_t, uint32_t>> axons;
    uint64_t words = 0;
    for (size_t i = 0; i < lists; ++i) {
      const uint64_t content = addToContent(0, uint32_t(random() % 300), 1);
      const auto base = uint32_t(random() % 4);
      tally.add(planOf(content, base, content % 9));
      words += contents.insert(content).second ? content % 9 : 0;
      axons.insert({content, base});
      if (i == lists / 2) { // In between, too.
        EXPECT_EQ(tally.inAxons(), axons.size());
      }
    }
    EXPECT_EQ(tally.inAxons(), axons.size());
    EXPECT_EQ(tally.synapseWords(), words);
  }
}

TEST(ListTally, FormatsAreCountedByTheirBits) {
  ListTally tally(false);
  ListPlan plan = planOf(0, 0, 2);
  tally.add(plan);
  plan.sparse = true;
  for (uint32_t bits : {6u, 4u, 6u}) {
    plan.indexBits = bits;
    tally.add(plan);
  }
  std::array<uint64_t, numSums> sums{};
  SmallSet formats;
  tally.addTo(sums, formats, 8);
  EXPECT_EQ(sums[InAxons], 4u);
  EXPECT_EQ(sums[SynapseWords], 8u);
  EXPECT_EQ(formats.size(), 3u);
}

} // namespace
