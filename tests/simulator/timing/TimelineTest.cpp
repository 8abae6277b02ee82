// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/chip/Chip.cpp.
// The slices of a run, by hand, and their bound.

#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

RunResult traced(const TimingSet &timing, uint64_t events, bool verify) {
  RunOptions options;
  options.timelineEvents = events;
  options.verify = verify;
  return runCycle(twoCores(), withTiming(test::mesh(2, 2), timing),
                  bothInputs(), options);
}

TimingSet simple() {
  TimingSet timing = instantTiming();
  timing.updateActive = 10;
  timing.noc.local.inject = 1;
  timing.messageIn = 100;
  timing.barrier.base = 1000;
  return timing;
}

TEST(Timeline, SlicesOfTheTwoCores) {
  Timeline timeline = traced(simple(), 1000, false).timeline;
  using Event = TimelineEvent;
  const Event expected[] = {
      // Step 0: two inputs served one after the other, as one slice.
      {0, 1, 0, Event::Mesh},
      {1, 200, 0, Event::Receive},
      {201, 1000, 0, Event::Barrier},
      // Step 1 opens at 1201: core 0 fires after its first neuron.
      {1201, 20, 0, Event::Update},
      {1201, 11, 0, Event::Mesh},
      {1212, 100, 3, Event::Receive},
      {1312, 1000, 0, Event::Barrier},
      // Step 2: core 3 sends to the host.
      {2312, 11, 0, Event::Mesh},
      {2312, 10, 3, Event::Update},
      {2323, 1000, 0, Event::Barrier}};
  ASSERT_EQ(timeline.events.size(), std::size(expected));
  for (size_t i = 0; i < timeline.events.size(); ++i) {
    const Event &event = timeline.events[i];
    EXPECT_EQ(event.start, expected[i].start) << i;
    EXPECT_EQ(event.length, expected[i].length) << i;
    EXPECT_EQ(event.core, expected[i].core) << i;
    EXPECT_EQ(event.kind, expected[i].kind) << i;
  }
  EXPECT_EQ(timeline.steps, 3u);
  EXPECT_EQ(timeline.endPs, 3323u);
  EXPECT_FALSE(timeline.stopped);
}

TEST(Timeline, StopsBeforeTheStepThatDoesNotFit) {
  for (uint64_t most = 1; most <= 10; ++most) {
    Timeline timeline = traced(simple(), most, false).timeline;
    EXPECT_EQ(timeline.steps, most < 3    ? 0u
                              : most < 7  ? 1u
                              : most < 10 ? 2
                                          : 3u)
        << most;
    EXPECT_EQ(timeline.stopped, most < 10) << most;
    EXPECT_LE(timeline.events.size(), most);
  }
  EXPECT_TRUE(traced(simple(), 0, false).timeline.events.empty());
}

TEST(Timeline, IsTheSameOnTheHonestPath) {
  Timeline fast = traced(simple(), 1000, false).timeline;
  Timeline slow = traced(simple(), 1000, true).timeline;
  ASSERT_EQ(fast.events.size(), slow.events.size());
  for (size_t i = 0; i < fast.events.size(); ++i) {
    EXPECT_EQ(fast.events[i].start, slow.events[i].start);
    EXPECT_EQ(fast.events[i].length, slow.events[i].length);
  }
}

// The host's second message waits for its port; so does the update engine of a
// core that sends two messages at once.
TEST(Timeline, StallsLieInsideTheUpdateThatWaits) {
  using namespace dendrolith::test;
  ProgramBuilder builder(1, 2);
  builder.population("a", 2, 0).population("b", 1, 1).binaryInput("in", 1, 0);
  builder.group(0, "a", 0, 2, cuba(60, 4095, 4096, 70));
  builder.group(3, "b", 0, 1, cuba(1000));
  for (int i = 0; i < 3; ++i)
    builder.connect("a", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  TimingSet timing = instantTiming();
  timing.updateActive = 10;
  timing.noc.local.interval = 50;
  RunOptions options;
  options.timelineEvents = 100;
  RunResult result = runCycle(builder.build(), withTiming(mesh(2, 2), timing),
                              {{"in", samples({{{0}}})}}, options);
  // Taken at 10, 60, 110; the second neuron until 120.
  std::vector<TimelineEvent> stalls, updates;
  for (const TimelineEvent &event : result.timeline.events)
    if (event.kind == TimelineEvent::Stalled)
      stalls.push_back(event);
    else if (event.kind == TimelineEvent::Update && event.start == 0)
      updates.push_back(event);
  ASSERT_EQ(stalls.size(), 1u);
  EXPECT_EQ(stalls[0].start, 10u);
  EXPECT_EQ(stalls[0].length, 100u);
  ASSERT_EQ(updates.size(), 1u);
  EXPECT_EQ(updates[0].length, 120u);
  EXPECT_EQ(result.coreActivity[0].stalled, 100u);
  // In the critical path the wait is the mesh's, and updates are updates.
  const StepTime &step = result.stepTimes.at(0).at(0);
  EXPECT_EQ(step.update, 20u);
  EXPECT_EQ(step.portWait, 100u);
  EXPECT_GE(step.noc, 100u);
  EXPECT_EQ(step.waiting, 0u) << "no receiver was full";
  // Each flit takes its receiver's only slot, which is free again after 1000.
  // More flits come than the buffers on the way hold.
  for (int i = 3; i < 12; ++i)
    builder.connect("a", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  for (PortTiming *port : {&timing.noc.east, &timing.noc.south})
    port->buffer = 1;
  timing.noc.local.buffer = 1;
  timing.messageIn = 1000;
  const RunResult full =
      runCycle(builder.build(), withTiming(mesh(2, 2), timing),
               {{"in", samples({{{0}}})}}, options);
  const StepTime &blocked = full.stepTimes.at(0).at(0);
  EXPECT_EQ(blocked.update, 20u);
  EXPECT_GT(blocked.waiting, 500u);
  EXPECT_EQ(blocked.portWait + blocked.waiting, full.coreActivity[0].stalled);
}

} // namespace
} // namespace dendrolith::sim
