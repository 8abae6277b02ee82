// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of spikes gives back what was added, whichever way.

#include "simulator/result/SpikeList.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dendrolith::sim {
namespace {

TEST(SpikeList, GivesWhatWasAdded) {
  std::mt19937 random(1);
  for (uint32_t values : {1, 3})
    for (int round = 0; round < 50; ++round) {
      SpikeList list, single;
      std::vector<SpikeEvent> plain;
      for (uint32_t tick = 0; tick < 20; ++tick) {
        std::vector<uint32_t> neurons;
        for (uint32_t n = random() % 5; n > 0; --n)
          neurons.push_back((neurons.empty() ? 0 : neurons.back()) +
                            random() % 9);
        const uint32_t population = random() % 2;
        list.add(tick, population, neurons.data(), neurons.size());
        for (uint32_t neuron : neurons)
          plain.push_back({tick, population, neuron, 1});
        plain.push_back(
            {tick, 2, uint32_t(random() % 9), int32_t(random() % values) + 1});
        list.add(plain.back());
      }
      for (const SpikeEvent &event : plain)
        single.add(event);
      EXPECT_EQ(list.events(), plain);
      EXPECT_TRUE(list == single);
      EXPECT_TRUE(list.isRising());
      EXPECT_EQ(list.areOnes(), std::all_of(plain.begin(), plain.end(),
                                            [](const SpikeEvent &event) {
                                              return event.value == 1;
                                            }));
      single.add({0, 0, 0, 1});
      EXPECT_FALSE(list == single);
      EXPECT_FALSE(single.isRising());
    }
}

TEST(SpikeList, DiffersByAnyNumber) {
  const auto of = [](const SpikeEvent &event) {
    SpikeList list;
    list.add(event);
    return list;
  };
  const SpikeList one = of({1, 1, 1, 1});
  EXPECT_TRUE(one == of({1, 1, 1, 1}));
  for (const SpikeEvent &other :
       {SpikeEvent{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, -1}})
    EXPECT_TRUE(one != of(other));
  EXPECT_TRUE(one != SpikeList());
}

} // namespace
} // namespace dendrolith::sim
