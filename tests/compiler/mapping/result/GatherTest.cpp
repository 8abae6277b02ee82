// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of neurons on cores become slices and an order of the neurons.

#include "compiler/mapping/result/Gather.h"
#include "compiler/mapping/result/Measure.h"
#include "tests/compiler/mapping/Networks.h"

#include <algorithm>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

MapNetwork two() {
  MapNetwork network;
  addPopulation(network, "a", 10);
  addPopulation(network, "b", 4);
  network.populations[0].accumulators = 2;
  return network;
}

using Order = std::vector<uint32_t>;

TEST(Gather, WholeSlicesKeepTheOrder) {
  Placement placement =
      gather(two(), {{0, 6, 4, 3}, {1, 0, 4, 3}, {0, 0, 6, 1}});
  EXPECT_TRUE(placement.order.empty());
  ASSERT_EQ(placement.slices.size(), 3u);
  EXPECT_EQ(placement.slices[0].core, 1u);
  EXPECT_EQ(placement.slices[1].first, 6u);
  EXPECT_EQ(placement.slices[1].base, 0u);
  EXPECT_EQ(placement.slices[2].population, 1u);
  EXPECT_EQ(placement.slices[2].base, 8u);
}

TEST(Gather, NeuronsOfACoreComeTogether) {
  // Core 5 first names neuron 3, but core 2 has the lowest neuron.
  Placement placement = gather(
      two(),
      {{0, 3, 2, 5}, {1, 0, 4, 5}, {0, 9, 1, 5}, {0, 5, 4, 2}, {0, 0, 3, 2}});
  ASSERT_EQ(placement.order.size(), 2u);
  EXPECT_EQ(placement.order[0], (Order{5, 6, 7, 8, 0, 1, 2, 3, 4, 9}));
  EXPECT_TRUE(placement.order[1].empty());
  ASSERT_EQ(placement.slices.size(), 3u);
  EXPECT_EQ(placement.slices[0].count, 7u);
  EXPECT_EQ(placement.slices[1].first, 7u);
  EXPECT_EQ(placement.slices[1].count, 3u);
  EXPECT_EQ(placement.slices[2].base, 6u);
}

TEST(Gather, PartsStayApart) {
  Placement placement = gather(
      two(),
      {{0, 0, 3, 1, 0}, {0, 6, 4, 1, 1}, {0, 3, 3, 1, 0}, {1, 0, 4, 0, 0}});
  EXPECT_TRUE(placement.order.empty());
  ASSERT_EQ(placement.slices.size(), 3u);
  EXPECT_EQ(placement.slices[1].count, 6u);
  EXPECT_EQ(placement.slices[2].first, 6u);
  EXPECT_EQ(placement.slices[2].base, 12u);
}

TEST(Gather, NeuronsOfOneProgramComeTogether) {
  MapNetwork network = two();
  for (uint32_t run = 0; run < 5; ++run) {
    MapRun each;
    each.program = run % 2;
    each.first = 2 * run;
    network.populations[0].runs.push_back(each);
  }
  std::vector<PlacedRange> ranges = {{1, 0, 4, 0}};
  for (uint32_t n = 0; n < 10; ++n)
    ranges.push_back({0, n, 1, 1});
  EXPECT_EQ(gather(network, ranges).order[0],
            (Order{0, 1, 4, 5, 8, 9, 2, 3, 6, 7}));
  // One range is as it is.
  EXPECT_TRUE(gather(network, {{0, 0, 10, 1}, {1, 0, 4, 0}}).order.empty());
}

TEST(Gather, RangesCountInNumbersThatDiffer) {
  NeuronOrder numbers(2);
  for (uint32_t n = 0; n < 10; ++n)
    numbers[0].push_back(9 - n);
  Placement placement =
      gather(two(), {{0, 0, 4, 1}, {0, 4, 6, 2}, {1, 0, 4, 0}}, numbers);
  EXPECT_EQ(placement.order[0], (Order{5, 4, 3, 2, 1, 0, 9, 8, 7, 6}));
}

/// What the cores of the slices hold together, whatever the order.
TEST(Gather, EveryNeuronIsWhereTheRangesSay) {
  Target target = Target::load("loihi1");
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    MapNetwork network = randomNetwork(seed);
    std::vector<PlacedRange> ranges;
    NeuronOrder coreOf(network.populations.size());
    for (uint32_t p = 0; p < coreOf.size(); ++p)
      for (uint32_t n = 0; n < network.populations[p].size; ++n) {
        coreOf[p].push_back(uint32_t(random() % 60));
        ranges.push_back({p, n, 1, coreOf[p].back()});
      }
    std::shuffle(ranges.begin(), ranges.end(), random);
    Placement placement = gather(network, ranges);
    MapNetwork permuted = permute(network, placement.order);
    EXPECT_NO_THROW(measure(permuted, target, placement.slices));
    for (const Slice &slice : placement.slices)
      for (uint32_t i = 0; i < slice.count; ++i)
        EXPECT_EQ(coreOf[slice.population]
                        [placement.order[slice.population][slice.first + i]],
                  slice.core);
  }
}

} // namespace
