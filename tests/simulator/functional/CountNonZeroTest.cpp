// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulator/functional/delivery/ListCursor.h: weights counted in one word
// against a comparison of each with 0.

#include "simulator/functional/delivery/ListCursor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace dendrolith::sim {
namespace {

template <typename Weight> void compareRandomWeights(uint32_t seed) {
  std::mt19937 random(seed);
  // The interesting numbers: none, the low bit, the high bit, and all bits.
  const Weight values[] = {0, 1, Weight(Weight(1) << (8 * sizeof(Weight) - 1)),
                           Weight(~Weight(0)), Weight(random())};
  for (int round = 0; round < 2000; ++round) {
    Weight weights[4];
    for (Weight &weight : weights)
      weight = values[random() % 5];
    char bytes[sizeof weights];
    std::memcpy(bytes, weights, sizeof bytes);
    uint32_t expected = 0;
    for (uint32_t count = 0; count <= 4; ++count) {
      EXPECT_EQ(countNonZero<Weight>(bytes, count), expected);
      expected += count < 4 && weights[count] != 0;
    }
  }
}

TEST(CountNonZero, EqualsALoopOverWeights) {
  compareRandomWeights<uint8_t>(1);
  compareRandomWeights<uint16_t>(2);
}

} // namespace
} // namespace dendrolith::sim
