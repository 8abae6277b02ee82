// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/WordScan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace dendrolith::sim {
namespace {

TEST(WordScan, EqualsLoopsOverWordsAndNeurons) {
  std::mt19937 random(1);
  const int64_t high = (int64_t(1) << 23) - 1;
  for (uint32_t neurons : {1u, 1u, 2u, 2u, 7u, 8u, 11u, 11u, 64u})
    for (uint32_t words : {0u, 1u, 7u, 8u, 33u, 40u}) {
      const size_t row = neurons == 1 ? 1 : (neurons + 7) / 8 * 8;
      std::vector<int64_t> all(words * row);
      for (int64_t &word : all) {
        const int64_t likely[] = {0, 0, 0, high, -high - 1, -high, 5};
        word = likely[random() % 7];
        if (random() % 64 == 0) // also among those beyond the neurons
          word = int64_t(int32_t(random()));
      }
      std::vector<int64_t> bits((neurons + 7) / 8 * 8);
      bits[neurons - 1] = 4;
      const bool narrow = random() % 2;
      for (int64_t &word : all)
        if (!narrow && random() % 64 == 0)
          word = int64_t(uint64_t(random()) << (random() % 33));
      // A second range that has other ends, with the words that are left.
      WordRange ranges[2], without = {words, kNoEnds, narrow};
      ranges[0] = {words / 3, high, narrow};
      ranges[1] = {words - words / 3, high - 1, narrow};
      const WordRows rows{all.data(), row, neurons};
      std::vector<int64_t> others = bits;
      scanWords(rows, ranges, 2, bits.data());
      scanWords(rows, &without, 1, others.data());
      EXPECT_EQ(without.ends, 0u);
      uint64_t ends[2] = {};
      int64_t most[2] = {};
      for (uint32_t n = 0; n < neurons; ++n) {
        bool any = n == neurons - 1;
        for (uint32_t w = 0; w < words; ++w) {
          const int64_t word = all[w * row + n];
          const int64_t size = word < 0 ? -1 - word : word;
          const bool second = w >= words / 3;
          any |= word != 0;
          ends[second] += size == ranges[second].high;
          most[second] = std::max(most[second], size);
        }
        EXPECT_EQ(bits[n] != 0, any) << neurons << " " << words << " " << n;
        EXPECT_EQ(others[n] != 0, any) << neurons << " " << words << " " << n;
      }
      for (size_t r = 0; r < 2; ++r) {
        EXPECT_EQ(ranges[r].ends, ends[r]) << neurons << " " << words;
        EXPECT_EQ(ranges[r].most, most[r]) << neurons << " " << words;
      }
      EXPECT_EQ(without.most, std::max(most[0], most[1]))
          << neurons << " " << words;
    }
}

} // namespace
} // namespace dendrolith::sim
