// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/SortSpikes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace neurite {
namespace {

using sim::KeptSpikes;
using sim::SpikeEvent;

/// Spikes of one population or two, of which the second has four ticks in one
/// of the first, as the steps of a run bring them.
std::vector<KeptSpikes> recorded(size_t lists, uint32_t steps, uint32_t each,
                                 uint32_t seed, uint32_t populations = 2) {
  std::mt19937 random(seed);
  std::vector<KeptSpikes> kept(lists);
  for (uint32_t step = 0; step < steps; ++step)
    for (KeptSpikes &list : kept)
      for (uint32_t i = 0; i < each; ++i) {
        const uint32_t population = random() % populations;
        list.events.push_back({population ? step : step / 4, population,
                               uint32_t(random() % 1000),
                               int32_t(random() % 3) - 1});
      }
  return kept;
}

void compare(std::vector<KeptSpikes> kept) {
  std::vector<SpikeEvent> plain;
  for (const KeptSpikes &list : kept)
    plain.insert(plain.end(), list.events.begin(), list.events.end());
  std::sort(plain.begin(), plain.end());
  const std::vector<SpikeEvent> sorted =
      sim::sortSpikes(kept.data(), kept.size());
  ASSERT_EQ(sorted.size(), plain.size());
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), plain.begin()));
  for (const KeptSpikes &list : kept)
    EXPECT_TRUE(list.events.empty());
}

TEST(SortSpikes, GivesWhatSortingAllDoes) {
  for (size_t lists : {1u, 2u, 3u})
    for (uint32_t each : {0u, 1u, 7u, 100u})
      compare(recorded(lists, 40, each, uint32_t(lists * 1000 + each)));
}

TEST(SortSpikes, AndOnSeveralThreads) {
  compare(recorded(3, 300, 200, 1)); // enough for threads
  compare(recorded(1, 300, 600, 2));
  compare(recorded(2, 300, 300, 3, 1));
}

TEST(SortSpikes, TakesNone) {
  std::vector<KeptSpikes> none(2);
  EXPECT_TRUE(sim::sortSpikes(none.data(), none.size()).empty());
  EXPECT_TRUE(sim::sortSpikes(none.data(), 0).empty());
}

} // namespace
} // namespace neurite
