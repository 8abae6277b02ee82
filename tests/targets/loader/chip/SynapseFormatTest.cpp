// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a synapse list. The expected bit counts are those of NengoLoihi's
// own functions.

#include "targets/loader/Target.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

struct Case {
  ListFormat format;
  uint64_t weightBits, indexBits, entries, bits;
};

class ListWords : public testing::TestWithParam<Case> {};

TEST_P(ListWords, MatchesTheHardwareModel) {
  const Case &c = GetParam();
  SynapseFormat format = Target::load("loihi1").synapses;
  EXPECT_EQ(format.listWords(c.format, c.entries, c.weightBits, c.indexBits) *
                64,
            c.bits);
}

constexpr ListFormat dense = ListFormat::Dense, sparse = ListFormat::Sparse;

INSTANTIATE_TEST_SUITE_P(
    Loihi1, ListWords,
    testing::Values(Case{dense, 8, 0, 1, 64}, Case{dense, 8, 0, 6, 64},
                    Case{dense, 8, 0, 7, 128}, Case{dense, 8, 0, 63, 576},
                    Case{dense, 8, 0, 64, 576}, Case{dense, 8, 0, 65, 640},
                    Case{dense, 8, 0, 100, 896}, Case{dense, 8, 0, 128, 1152},
                    Case{dense, 8, 0, 256, 2304}, Case{dense, 8, 0, 1024, 9216},
                    Case{dense, 6, 0, 7, 64}, Case{dense, 6, 0, 64, 448},
                    Case{dense, 6, 0, 1024, 7168}, Case{dense, 4, 0, 64, 320},
                    Case{dense, 4, 0, 1024, 5120}, Case{sparse, 8, 11, 6, 128},
                    Case{sparse, 8, 11, 7, 192}, Case{sparse, 8, 11, 8, 192},
                    Case{sparse, 8, 11, 63, 1216},
                    Case{sparse, 8, 11, 64, 1280},
                    Case{sparse, 8, 11, 65, 1344},
                    Case{sparse, 8, 11, 1024, 20480}));

TEST(SynapseFormat, WholeLayerNeedsNineCores) {
  Target chip = Target::load("loihi1");
  uint64_t words = 1024 * chip.synapses.listWords(dense, 1024, 8);
  EXPECT_EQ(words * 64, 9437184u);
  EXPECT_EQ(words / *chip.limits.synapseMemoryWords, 9u);
}

TEST(SynapseFormat, EmptyListTakesNothing) {
  SynapseFormat format = Target::load("loihi1").synapses;
  EXPECT_EQ(format.listWords(dense, 0, 8), 0u);
  EXPECT_EQ(format.listWords(sparse, 0, 8, 6), 0u);
}

TEST(SynapseFormat, DelayAndTagWidenEachSynapse) {
  SynapseFormat format = Target::load("loihi1").synapses;
  // 6 * (8 + 2 + 1) + 10 = 76 bits
  EXPECT_EQ(format.listWords(dense, 6, 8, 0, 2, 1), 2u);
  // The index of a dense list is not stored.
  EXPECT_EQ(format.listWords(dense, 6, 8, 12), 1u);
}

TEST(SynapseFormat, PicksTheSmallestCode) {
  SynapseFormat format = Target::load("loihi1").synapses;
  EXPECT_EQ(format.indexBits(0), 6u);
  EXPECT_EQ(format.indexBits(63), 6u);
  EXPECT_EQ(format.indexBits(64), 7u);
  EXPECT_EQ(format.indexBits(1023), 10u);
  EXPECT_EQ(format.indexBits(4095), 12u);
  EXPECT_EQ(format.indexBits(4096), std::nullopt);
  EXPECT_EQ(format.weightBits(7), 8u);
  EXPECT_EQ(format.weightBits(6), 6u);
  EXPECT_EQ(format.weightBits(9), std::nullopt);
  EXPECT_EQ(format.delayBits(0), 0u);
  EXPECT_EQ(format.delayBits(1), 1u);
  EXPECT_EQ(format.delayBits(62), 6u);
  EXPECT_EQ(format.delayBits(128), std::nullopt);
  EXPECT_EQ(format.delayBits(~uint64_t(0)), std::nullopt);
}

TEST(SynapseFormat, IdealPacksAlikeAndReachesFurther) {
  SynapseFormat ideal = Target::load("ideal").synapses;
  SynapseFormat loihi = Target::load("loihi1").synapses;
  for (uint64_t n : {1, 7, 64, 65, 1000})
    EXPECT_EQ(ideal.listWords(sparse, n, 8, 11),
              loihi.listWords(sparse, n, 8, 11));
  EXPECT_EQ(ideal.indexBits(1 << 20), 24u);
}

} // namespace
