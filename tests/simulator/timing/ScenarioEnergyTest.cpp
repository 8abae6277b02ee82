// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/energy/Energy.cpp.
// The two-core scenario priced by hand under both of Loihi 1's tables. Totals
// of its counts (ScenarioTest.cpp): 5 synops, 3 active updates, 2 spikes, 4
// messages, 3 delivered to cores, 2 hops east-west, 2 north-south.

#include "simulator/energy/Energy.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

RunResult scenario() {
  return runCycle(twoCores(), Target::load("tiny"), bothInputs(), RunOptions());
}

TEST(ScenarioEnergy, Davies2018) {
  CostTable table = CostTable::load("davies2018", Target::load("loihi1"));
  Energy energy = price(scenario().counts, table, 0);
  // 5 * 23.6 + 3 * 81 + 3 * 1.7 + 2 * 3.0 + 2 * 4.0
  EXPECT_NEAR(energy.total, 118.0 + 243.0 + 5.1 + 6.0 + 8.0, 1e-9);
  EXPECT_EQ(energy.bound, ">="); // 23.6 is a published minimum
  EXPECT_EQ(energy.unpriced, (std::vector<std::string>{"barriers", "resets"}));
  EXPECT_FALSE(energy.staticEnergy);
}

TEST(ScenarioEnergy, SiliconFit2025) {
  CostTable table = CostTable::load("silicon-fit-2025", Target::load("loihi1"));
  Energy energy = price(scenario().counts, table, 1000000);
  // 5 * 35.5 + 3 * 72.8 + 2 * 69.3 + 4 * 111 + 2 * 3.0 + 2 * 4.2
  EXPECT_NEAR(energy.total, 177.5 + 218.4 + 138.6 + 444.0 + 6.0 + 8.4, 1e-9);
  EXPECT_EQ(energy.bound, ">="); // barriers and resets have no price
  // 104 mW over 1 us, outside the total.
  ASSERT_TRUE(energy.staticEnergy);
  EXPECT_NEAR(*energy.staticEnergy, 104e-3 * 1e-6 * 1e12, 1e-6);
}

TEST(ScenarioEnergy, RoundPricesOfTiny) {
  // The made-up chip's own table prices every event that can happen.
  CostTable table = CostTable::load("", Target::load("tiny"));
  Energy energy = price(scenario().counts, table, 0);
  double total = 0;
  for (const EventEnergy &event : energy.events) {
    EXPECT_EQ(event.energy, event.price.form == Price::Decision::Priced
                                ? event.price.value * double(event.count)
                                : 0.0)
        << event.event;
    total += event.energy;
  }
  EXPECT_DOUBLE_EQ(energy.total, total);
  EXPECT_GT(energy.total, 0);
}

} // namespace
} // namespace dendrolith::sim
