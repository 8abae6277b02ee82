// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which decays of ATRLIF have an integer constant, and that it is right.

#include "compiler/lava/Decay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace dendrolith::lava {
namespace {

constexpr int64_t kMost = int64_t(1) << 23;

/// Lava's line: trunc in double, then toward zero.
int64_t lavaDecayed(int64_t i, double delta) {
  int64_t product = int64_t(double(i) * (4096 - (delta * 4096 + 1)));
  return product < 0 ? -(-product >> 12) : product >> 12;
}

/// The step body's: two words of the constant, each cut toward zero.
int64_t bodyDecayed(int64_t i, const Decay &decay) {
  auto cut = [](int64_t x, int bits) { return x / (int64_t(1) << bits); };
  return cut(i * decay.high() + cut(i * decay.low(), kDecayLow),
             12 + kDecayFraction - kDecayLow);
}

TEST(Decay, ConstantGivesLavasProductForEveryCurrent) {
  for (double delta : {0.0, 0.05, 0.125, 0.4, 0.9, 0.999, 1.0}) {
    Decay decay = proveDecay(delta);
    ASSERT_TRUE(decay.constant) << delta;
    for (int64_t i = -kMost; i <= kMost; ++i)
      ASSERT_EQ(bodyDecayed(i, decay), lavaDecayed(i, delta))
          << "delta " << delta << ", current " << i;
  }
}

TEST(Decay, OfHundredthsTwelveHaveNone) {
  std::set<int> without;
  for (int k = 0; k <= 100; ++k)
    if (!proveDecay(k / 100.0).constant)
      without.insert(k);
  EXPECT_EQ(without,
            (std::set<int>{6, 7, 30, 31, 32, 33, 53, 54, 55, 65, 66, 77}));
}

TEST(Decay, NamesTheFirstCurrentThatDiffers) {
  Decay decay = proveDecay(0.3);
  EXPECT_FALSE(decay.constant);
  // 184320 * 2866.2 is 2^12 * 128979 exactly, in doubles a little less.
  EXPECT_EQ(decay.firstDifferent, 184320);
}

TEST(Decay, IsFoundFromItsConstant) {
  for (double delta : {0.0, 0.05, 0.125, 0.4, 0.999, 0.12345, 1.0})
    if (Decay decay = proveDecay(delta); decay.constant) {
      auto found = decayWith(decay.high(), decay.low());
      ASSERT_TRUE(found) << delta;
      EXPECT_EQ(*found, delta);
    }
  EXPECT_FALSE(decayWith(int64_t(1) << 37, 12345));
}

TEST(Decay, PowersOfTwoNeedNoFraction) {
  EXPECT_EQ(proveDecay(0.5).constant, int64_t(2047) << kDecayFraction);
}

} // namespace
} // namespace dendrolith::lava
