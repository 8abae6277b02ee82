// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/WordScan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace neurite::sim {
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
      const WordRows rows{all.data(), row, words, neurons, narrow};
      std::vector<int64_t> others = bits;
      WordsSeen found{3, 0}, without;
      scanWords(rows, high, bits.data(), found);
      scanWords(rows, kNoEnds, others.data(), without);
      EXPECT_EQ(without.ends, 0u);
      uint64_t ends = 3;
      int64_t most = 0;
      for (uint32_t n = 0; n < neurons; ++n) {
        bool any = n == neurons - 1;
        for (uint32_t w = 0; w < words; ++w) {
          const int64_t word = all[w * row + n];
          any |= word != 0;
          ends += word == high || word == -high - 1;
          most = std::max(most, word < 0 ? -word - 1 : word);
        }
        EXPECT_EQ(bits[n] != 0, any) << neurons << " " << words << " " << n;
        EXPECT_EQ(others[n] != 0, any) << neurons << " " << words << " " << n;
      }
      EXPECT_EQ(found.ends, ends) << neurons << " " << words;
      EXPECT_EQ(found.most, most) << neurons << " " << words;
      EXPECT_EQ(without.most, most) << neurons << " " << words;
    }
}

} // namespace
} // namespace neurite::sim
