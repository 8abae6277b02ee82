// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/systemc/BarrierModel.cpp.
// The chip-wide forms of the barrier in the engine, its share of the latency,
// and who closed each step.

#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

/// Core 0 on tile 0 and core 3 one to the east and one to the south of it.
uint64_t barrierOf(BarrierTiming barrier) {
  TimingSet timing = instantTiming();
  timing.barrier = std::move(barrier);
  timing.updateActive = 10;
  RunResult result = runTwoCores(timing);
  for (const StepTime &step : result.stepTimes.at(0))
    EXPECT_EQ(step.barrier, result.stepTimes[0][0].barrier);
  EXPECT_EQ(result.timePs, 30 + 3 * result.stepTimes[0][0].barrier);
  return result.stepTimes[0][0].barrier;
}

TEST(BarrierRule, FixedTreeAndByTiles) {
  using Rule = BarrierTiming::Rule;
  BarrierTiming barrier;
  barrier.base = 700;
  EXPECT_EQ(barrierOf(barrier), 700u);
  barrier.rule = Rule::Formula; // two tiles
  barrier.span = 25;
  barrier.over = 2;
  EXPECT_EQ(barrierOf(barrier), 712u);
  barrier.rule = Rule::Table;
  barrier.table = {{1, 5}, {3, 8}};
  EXPECT_EQ(barrierOf(barrier), 8u);
  barrier.rule = Rule::Tree;
  barrier.level = 40;
  EXPECT_EQ(barrierOf(barrier), 700u + 2 * 40);
}

// The system adds its time to every step, by tiles, and moves nothing else.
TEST(Management, IsBesideTheTimeOfCoresAndMesh) {
  TimingSet timing = instantTiming();
  timing.barrier.base = 7;
  timing.updateActive = 10;
  const RunResult alone = runTwoCores(timing);
  EXPECT_EQ(systemPs(alone), alone.timePs);
  timing.management.rule = BarrierTiming::Rule::Table;
  timing.management.table = {{1, 5}, {2, 100}};
  const RunResult result = runTwoCores(timing);
  EXPECT_EQ(result.timePs, alone.timePs);
  EXPECT_EQ(result.sampleLatencyPs, alone.sampleLatencyPs);
  EXPECT_EQ(managementOf(result.stepTimes.at(0)), 3u * 100);
  EXPECT_EQ(systemPs(result), alone.timePs + 3 * 100);
  // In real time it lies within the tick, as far as that goes.
  timing.tick = 50;
  const RunResult inTicks = runTwoCores(timing);
  for (const StepTime &step : inTicks.stepTimes.at(0)) {
    EXPECT_EQ(step.length(), 50u);
    EXPECT_EQ(step.length() + step.management, step.work() + 7 + 100);
  }
  timing.tick = 1000;
  EXPECT_EQ(managementOf(runTwoCores(timing).stepTimes.at(0)), 0u);
}

// Work takes 10 in each of the three steps, and the barrier 7.
TEST(Tick, AStepTakesTheLongerOfItsWorkAndTheTick) {
  TimingSet timing = instantTiming();
  timing.barrier.base = 7;
  timing.updateActive = 10;
  const uint64_t without = runTwoCores(timing).timePs;
  for (uint64_t tick : {1, 7}) {
    timing.tick = tick;
    EXPECT_EQ(runTwoCores(timing).timePs, without) << tick;
  }
  timing.tick = 1000;
  RunResult result = runTwoCores(timing);
  const std::vector<StepTime> &steps = result.stepTimes.at(0);
  EXPECT_EQ(result.timePs, 1000 * steps.size());
  for (const StepTime &step : steps)
    EXPECT_EQ(step.length(), 1000u);
  EXPECT_EQ(result.sampleLatencyPs.at(0), 1000 * steps.size());
  // A step that is late is not made up for.
  timing.tick = 12;
  timing.updateActive = 1000;
  EXPECT_GT(runTwoCores(timing).timePs, 1000u);
  EXPECT_EQ(runTwoCores(timing).counts.total()[Counter::SpikesBinary],
            result.counts.total()[Counter::SpikesBinary]);
}

TEST(CriticalPath, NamesWhoWasLast) {
  TimingSet timing = instantTiming();
  timing.updateActive = 1;
  timing.noc.local.inject = 10;
  timing.messageIn = 100;
  timing.barrier.base = 1000;
  std::vector<StepTime> steps = runTwoCores(timing).stepTimes.at(0);
  // The host's inputs to core 0; core 0 to core 3 by tile 1; its spike to the
  // host by tile 2.
  EXPECT_EQ(steps[0].updateCore, StepTime::nobody); // nothing is scheduled
  EXPECT_EQ(steps[0].linkFrom, 0u);
  EXPECT_EQ(steps[0].linkTo, 0u);
  EXPECT_EQ(steps[0].receiveCore, 0u);
  EXPECT_EQ(steps[1].updateCore, 0u);
  EXPECT_EQ(steps[1].linkFrom, 1u);
  EXPECT_EQ(steps[1].linkTo, 3u);
  EXPECT_EQ(steps[1].receiveCore, 3u);
  EXPECT_EQ(steps[2].updateCore, 3u);
  EXPECT_EQ(steps[2].linkFrom, 2u);
  EXPECT_EQ(steps[2].linkTo, 0u);
  EXPECT_EQ(steps[2].receiveCore, StepTime::nobody);
}

TEST(Activity, EnginesAndLinksAreBusyAsLongAsTheyWork) {
  TimingSet timing = instantTiming();
  timing.updateActive = 7;
  timing.messageIn = 100;
  timing.noc.east.interval = 30;
  timing.noc.local.interval = 11;
  RunResult result = runTwoCores(timing);
  ASSERT_EQ(result.coreActivity.size(), 2u);
  EXPECT_EQ(result.coreActivity[0].core, 0u);
  EXPECT_EQ(result.coreActivity[0].updating, 14u);
  EXPECT_EQ(result.coreActivity[0].receiving, 200u);
  EXPECT_EQ(result.coreActivity[1].core, 3u);
  EXPECT_EQ(result.coreActivity[1].updating, 7u);
  EXPECT_EQ(result.coreActivity[1].receiving, 100u);
  uint64_t eastFlits = 0, eastBusy = 0, localFlits = 0, localBusy = 0;
  for (const LinkActivity &link : result.linkActivity) {
    if (link.from == 0 && link.to == 1) {
      eastFlits += link.flits;
      eastBusy += link.busy;
    } else if (link.from == link.to) {
      localFlits += link.flits;
      localBusy += link.busy;
    }
  }
  EXPECT_EQ(eastFlits, 1u);
  EXPECT_EQ(eastBusy, 30u);
  EXPECT_EQ(localFlits, 4u); // two inputs, one spike, one output
  EXPECT_EQ(localBusy, 44u);
}

} // namespace
} // namespace dendrolith::sim
