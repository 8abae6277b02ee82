// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepClock.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

using Seen = std::vector<std::pair<uint32_t, double>>;

/// `activity` has a word for each tick of the schedule; none, the rate counts.
Seen emissions(const StepClock &clock, const MapSchedule &schedule,
               const std::vector<uint64_t> &activity, double rate) {
  Seen seen;
  clock.forEachEmission(
      schedule, activity.empty() ? nullptr : activity.data(), rate,
      [&](uint32_t step, double weight) { seen.push_back({step, weight}); });
  return seen;
}

/// a of phase 0 and b of phase 1, two samples of three ticks.
MapNetwork sampled(uint32_t period) {
  MapNetwork network;
  addPopulation(network, "a", 1);
  addPopulation(network, "b", 1);
  network.populations[1].schedule.phase = 1;
  network.period = period;
  network.samples = 2;
  network.sampledTicks = 3;
  network.populationActivity = {{0b101011}, {0}};
  return network;
}

TEST(StepClock, RatesAloneGiveOnePeriod) {
  MapNetwork network = sampled(2);
  network.populationActivity.clear();
  StepClock clock(network);
  EXPECT_FALSE(clock.sampled);
  EXPECT_EQ(clock.steps, 2u);
  EXPECT_EQ(emissions(clock, {1, 1, 1}, {}, 0.25), (Seen{{1, 0.25}}));
  EXPECT_EQ(emissions(clock, {3, 1, 1}, {}, 0.25), (Seen{{1, 0.25}}));
}

TEST(StepClock, TicksOfSamplesAreSteps) {
  MapNetwork network = sampled(1);
  StepClock clock(network);
  EXPECT_TRUE(clock.sampled);
  // A sample takes three ticks and the phase of b: four steps.
  EXPECT_EQ(clock.steps, 8u);
  EXPECT_EQ(emissions(clock, {0, 1, 1}, {0b101011}, 0),
            (Seen{{0, 1}, {1, 1}, {4, 1}, {6, 1}}));
  EXPECT_EQ(emissions(clock, {1, 1, 1}, {0b001000}, 0), (Seen{{5, 1}}));
}

TEST(StepClock, APeriodSpreadsTicks) {
  MapNetwork network = sampled(5);
  StepClock clock(network);
  EXPECT_EQ(clock.steps, 24u); // (3 - 1) x 5 + 2, twice
  EXPECT_EQ(emissions(clock, {1, 1, 1}, {0b000110}, 0),
            (Seen{{6, 1}, {11, 1}}));
}

TEST(StepClock, LongPeriodsLeaveRoomForFewTicks) {
  MapNetwork network = sampled(100);
  StepClock clock(network);
  EXPECT_LE(clock.steps, StepClock::kMostSteps);
  EXPECT_EQ(clock.ticks, 2u);
  EXPECT_EQ(clock.samples, 1u);
}

TEST(StepClock, DelaysStayInTheirSample) {
  StepClock clock(sampled(1));
  EXPECT_EQ(clock.delayed(0b001101, 1), 0b010010u);
  EXPECT_EQ(clock.delayed(0b000001, 2), 0b000100u);
  EXPECT_EQ(clock.delayed(0b000001, 3), 0u);
  EXPECT_EQ(clock.andLater(0b000010), 0b000110u);
  EXPECT_EQ(clock.andLater(0b001001), 0b111111u);
}

TEST(StepClock, UpdatesOfATickAreStridesApart) {
  MapNetwork network = sampled(4);
  StepClock clock(network);
  std::vector<std::pair<uint32_t, uint32_t>> seen;
  clock.forEachUpdate({0, 2, 2}, [&](uint32_t step, uint32_t bit) {
    seen.push_back({step, bit});
  });
  ASSERT_GE(seen.size(), 4u);
  EXPECT_EQ(seen[0], std::make_pair(0u, 0u));
  EXPECT_EQ(seen[1], std::make_pair(2u, 0u));
  EXPECT_EQ(seen[2], std::make_pair(4u, 1u));
}

TEST(StepClock, EachOfSeveralTicksEmitsInItsOwnStep) {
  MapNetwork network = sampled(8);
  StepClock clock(network);
  // (3 - 1) x 8 + 2 steps a sample.
  ASSERT_EQ(clock.steps, 36u);
  // The first of three ticks in root tick 0, the second one nowhere, the third
  // in the first two root ticks and in one of the other sample.
  EXPECT_EQ(emissions(clock, {1, 3, 2}, {0b000001, 0, 0b001011}, 0),
            (Seen{{1, 1}, {5, 1}, {13, 1}, {23, 1}}));
}

TEST(StepClock, ARateIsSharedByTheTicksOfARootTick) {
  MapNetwork network = sampled(4);
  network.populationActivity.clear();
  StepClock clock(network);
  EXPECT_EQ(clock.steps, 4u);
  EXPECT_EQ(emissions(clock, {1, 2, 2}, {}, 3), (Seen{{1, 1.5}, {3, 1.5}}));
}

} // namespace
