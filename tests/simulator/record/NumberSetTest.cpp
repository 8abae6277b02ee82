// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulator/record/SortSpikes.h: its set against one of the library.

#include "simulator/record/SortSpikes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace dendrolith::sim {
namespace {

TEST(NumberSet, GivesWhatSortingDoes) {
  std::mt19937 random(5);
  NumberSet numbers; // one for all rounds, as in a run
  std::vector<uint32_t> found;
  for (int round = 0; round < 300; ++round) {
    const uint32_t first = random() % 300, end = first + 1 + random() % 500;
    std::set<uint32_t> plain;
    for (uint32_t n = random() % 100; n > 0; --n)
      plain.insert(first + random() % (end - first));
    std::vector<uint32_t> mixed(plain.begin(), plain.end());
    std::shuffle(mixed.begin(), mixed.end(), random);
    numbers.begin(first, end);
    for (uint32_t number : mixed)
      numbers.add(number);
    numbers.take(mixed.size(), found);
    ASSERT_EQ(found, std::vector<uint32_t>(plain.begin(), plain.end()));
  }
}

} // namespace
} // namespace dendrolith::sim
