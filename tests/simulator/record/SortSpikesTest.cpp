// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/SortSpikes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dendrolith {
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
        list.spikes.add({population ? step : step / 4, population,
                         uint32_t(random() % 1000), int32_t(random() % 3) - 1});
      }
  return kept;
}

void compare(std::vector<KeptSpikes> kept) {
  std::vector<SpikeEvent> plain;
  for (const KeptSpikes &list : kept)
    list.spikes.each([&](const SpikeEvent &event) { plain.push_back(event); });
  std::sort(plain.begin(), plain.end());
  const std::vector<SpikeEvent> sorted =
      sim::sortSpikes(kept.data(), kept.size()).events();
  ASSERT_EQ(sorted.size(), plain.size());
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), plain.begin()));
  for (const KeptSpikes &list : kept)
    EXPECT_TRUE(list.spikes.empty());
}

TEST(SortSpikes, GivesWhatSortingAllDoes) {
  for (size_t lists : {1u, 2u, 3u})
    for (uint32_t each : {0u, 1u, 7u, 100u})
      compare(recorded(lists, 40, each, uint32_t(lists * 1000 + each)));
}

/// The same as threads bring them that have some cores each: every list is in
/// order, and all values are 1.
std::vector<KeptSpikes> inOrder(size_t lists, uint32_t steps, uint32_t most,
                                uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<KeptSpikes> kept(lists);
  for (uint32_t step = 0; step < steps; ++step)
    for (uint32_t population = 0; population < 2; ++population)
      for (size_t l = 0; l < lists; ++l) {
        std::vector<uint32_t> neurons;
        for (uint32_t n = random() % most; n > 0; --n)
          neurons.push_back(uint32_t(random() % 1000 * lists + l));
        std::sort(neurons.begin(), neurons.end());
        kept[l].spikes.add(step, population, neurons.data(), neurons.size());
      }
  return kept;
}

TEST(SortSpikes, MergesWhatIsInOrder) {
  for (size_t lists : {1u, 2u, 3u})
    for (uint32_t most : {1u, 2u, 8u, 100u}) {
      std::vector<KeptSpikes> kept =
          inOrder(lists, 40, most, uint32_t(lists * 1000 + most));
      EXPECT_TRUE(sim::canMerge(kept.data(), kept.size()));
      compare(std::move(kept));
    }
}

TEST(SortSpikes, AndOnSeveralThreads) {
  compare(inOrder(2, 300, 300, 4));
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
} // namespace dendrolith
