// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/ListFormat.h"

#include "targets/loader/Target.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace dendrolith;

namespace {

const SynapseFormat &loihi() {
  static const Target target = Target::load("loihi1");
  return target.synapses;
}

std::optional<ListPlan> plan(const std::vector<uint32_t> &neurons,
                             const std::vector<int16_t> &weights,
                             uint32_t bits = 8, uint32_t first = 0,
                             bool shared = false) {
  return planList(ListPlanner(loihi(), bits, shared), neurons.data(),
                  weights.data(), neurons.size(), first, shared);
}

ListPlan denseOf(uint32_t n, uint32_t bits) {
  std::vector<uint32_t> neurons(n);
  std::iota(neurons.begin(), neurons.end(), 0);
  return *plan(neurons, std::vector<int16_t>(n, 3), bits);
}

// Bits measured on NengoLoihi's hardware model, in 64-bit words.
TEST(ListFormat, DenseWordsAsMeasured) {
  struct Case {
    uint32_t n, bits, words;
  };
  for (Case c :
       {Case{1, 8, 1}, Case{6, 8, 1}, Case{7, 8, 2}, Case{63, 8, 9},
        Case{64, 8, 9}, Case{65, 8, 10}, Case{100, 8, 14}, Case{128, 8, 18},
        Case{256, 8, 36}, Case{1024, 8, 144}, Case{7, 6, 1}, Case{64, 6, 7},
        Case{1024, 6, 112}, Case{64, 4, 5}, Case{1024, 4, 80}}) {
    ListPlan p = denseOf(c.n, c.bits);
    EXPECT_FALSE(p.sparse) << c.n;
    EXPECT_EQ(p.words, c.words) << c.n << " at " << c.bits;
    EXPECT_EQ(p.count, c.n);
    EXPECT_EQ(p.indexBits, 0u);
  }
}

TEST(ListFormat, SparseWordsAsMeasured) {
  // Spread so that 11 index bits are needed and dense is larger.
  struct Case {
    uint32_t n, words;
  };
  for (Case c : {Case{6, 2}, Case{7, 3}, Case{8, 3}, Case{63, 19}, Case{64, 20},
                 Case{65, 21}}) {
    std::vector<uint32_t> neurons(c.n);
    for (uint32_t i = 0; i < c.n; ++i)
      neurons[i] = i * 30;
    neurons.back() = 2000;
    std::optional<ListPlan> p = plan(neurons, std::vector<int16_t>(c.n, 1));
    ASSERT_TRUE(p);
    EXPECT_TRUE(p->sparse) << c.n;
    EXPECT_EQ(p->indexBits, 11u);
    EXPECT_EQ(p->words, c.words) << c.n;
    EXPECT_EQ(p->firstOffset, 0u);
  }
  // 1024 of at most 2048 are smaller dense, so ask the packing itself.
  EXPECT_EQ(loihi().listWords(ListFormat::Sparse, 1024, 8, 11), 320u);
}

TEST(ListFormat, ZerosCountOnlyInsideADenseList) {
  std::optional<ListPlan> p = plan({0, 1, 2, 3, 4}, {0, 5, 0, 5, 0});
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->sparse); // both take one word: ties go to dense
  EXPECT_EQ(p->firstOffset, 1u);
  EXPECT_EQ(p->count, 3u);
  EXPECT_EQ(p->words, 1u);

  p = plan({0, 500, 1000}, {0, 7, 7});
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->sparse);
  EXPECT_EQ(p->count, 2u);
  EXPECT_EQ(p->indexBits, 10u);
}

TEST(ListFormat, ZerosAreSkippedAtAnyPriceInWordsWhereAsked) {
  SynapseFormat format = loihi();
  format.skipsZeros = true;
  const ListPlanner planner(format, 8, false);
  EXPECT_TRUE(planner.plan(2, 1, 3).sparse);     // one word in either form
  EXPECT_TRUE(planner.plan(99, 0, 99).sparse);   // many words more
  EXPECT_FALSE(planner.plan(100, 0, 99).sparse); // no zero to skip
  EXPECT_FALSE(planner.plan(2, 0, 5000).sparse); // no index so wide
}

TEST(ListFormat, NothingLeftIsNoList) {
  EXPECT_FALSE(plan({}, {}));
  EXPECT_FALSE(plan({3, 4}, {0, 0}));
}

TEST(ListFormat, OffsetsCountFromTheSlice) {
  std::optional<ListPlan> p = plan({1003, 1004}, {1, 1}, 8, 1000);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->firstOffset, 3u);
  EXPECT_EQ(p->count, 2u);
}

TEST(ListFormat, TooWideAnIndexLeavesDense) {
  std::optional<ListPlan> p = plan({0, 5000}, {1, 1});
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->sparse);
  EXPECT_EQ(p->count, 5001u);
}

TEST(ListFormat, SharedListsCountFromTheirFirstTarget) {
  std::vector<int16_t> weights = {5, -1, 2};
  std::optional<ListPlan> a = plan({10, 310, 610}, weights, 8, 0, true);
  std::optional<ListPlan> b = plan({402, 702, 1002}, weights, 8, 100, true);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(a->sparse);
  EXPECT_EQ(a->firstOffset, 10u);
  EXPECT_EQ(b->firstOffset, 302u);
  EXPECT_EQ(a->indexBits, 10u); // for 600, not for 902
  EXPECT_EQ(b->indexBits, 10u);
  EXPECT_EQ(a->content, b->content);
  // A zero is no entry; another target or weight is another list.
  EXPECT_EQ(plan({9, 10, 310, 610}, {0, 5, -1, 2}, 8, 0, true)->content,
            a->content);
  EXPECT_NE(plan({10, 311, 610}, weights, 8, 0, true)->content, a->content);
  EXPECT_NE(plan({10, 310, 610}, {5, -1, 3}, 8, 0, true)->content, a->content);
}

} // namespace
