// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/chip/TimelineRecorder.cpp,
// simulator/timing/chip/Chip.cpp. What a timeline shows of a run, by hand,
// and which steps it keeps.

#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

Timeline traced(const TimingSet &timing, const TimelineRequest &request,
                bool verify = false) {
  RunOptions options;
  options.timeline = request;
  options.verify = verify;
  return runCycle(twoCores(), withTiming(test::mesh(2, 2), timing),
                  bothInputs(), options)
      .timeline;
}

TimingSet simple() {
  TimingSet timing = instantTiming();
  timing.updateActive = 10;
  timing.noc.local.inject = 1;
  timing.messageIn = 100;
  timing.barrier.base = 1000;
  return timing;
}

using Slice = TimelineSlice;

TEST(Timeline, WhatTheTwoCoresDo) {
  const Timeline timeline = traced(simple(), {1000});
  ASSERT_EQ(timeline.steps.size(), 3u);
  EXPECT_EQ(timeline.asked, 3u);
  const std::vector<Slice> expected[] = {
      // Two inputs of two synapses each are served one after the other.
      {{0, 1, 0, Slice::Mesh},
       {1, 200, 0, Slice::Receive, 2, 4},
       {201, 1000, 0, Slice::Barrier}},
      // Core 0 fires after its first neuron.
      {{1201, 20, 0, Slice::Update, 1},
       {1201, 11, 0, Slice::Mesh},
       {1212, 100, 3, Slice::Receive, 1, 1},
       {1312, 1000, 0, Slice::Barrier}},
      // Core 3 sends to the host.
      {{2312, 11, 0, Slice::Mesh},
       {2312, 10, 3, Slice::Update, 1},
       {2323, 1000, 0, Slice::Barrier}}};
  for (size_t s = 0; s < 3; ++s) {
    const TimelineStep &step = timeline.steps[s];
    SCOPED_TRACE(s);
    EXPECT_EQ(step.step, s);
    EXPECT_EQ(step.start, s == 0 ? 0u : timeline.steps[s - 1].end);
    ASSERT_EQ(step.slices.size(), expected[s].size());
    for (size_t i = 0; i < step.slices.size(); ++i) {
      const Slice &is = step.slices[i], &was = expected[s][i];
      EXPECT_EQ(std::tie(is.start, is.length, is.core, is.kind, is.messages,
                         is.synops),
                std::tie(was.start, was.length, was.core, was.kind,
                         was.messages, was.synops))
          << i;
    }
  }
  EXPECT_EQ(timeline.steps[0].inputs, 2u);
  EXPECT_EQ(timeline.steps[1].spikes, 1u);
  EXPECT_EQ(timeline.steps[2].values, 1u);
  EXPECT_EQ(timeline.steps[2].end, 3323u);
  // Both inputs wait at once, and leave one by one.
  const std::vector<TimelineQueue> &queues = timeline.steps[0].queues;
  ASSERT_EQ(queues.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(queues[i].time, 1 + 100 * i);
    EXPECT_EQ(queues[i].messages, 2 - i);
  }
  // One arrow, and the two links on its way.
  const TimelineStep &second = timeline.steps[1];
  ASSERT_EQ(second.flows.size(), 1u);
  EXPECT_EQ(second.flows[0].from, 0u);
  EXPECT_EQ(second.flows[0].to, 3u);
  EXPECT_EQ(second.flows[0].sent, 1201u);
  EXPECT_EQ(second.flows[0].served, 1212u);
  const std::vector<LinkCount> way = {{0, 1, 1}, {1, 3, 1}};
  EXPECT_EQ(second.links, way);
}

std::vector<uint64_t> stepsOf(const Timeline &timeline) {
  std::vector<uint64_t> steps;
  for (const TimelineStep &step : timeline.steps)
    steps.push_back(step.step);
  return steps;
}

TEST(Timeline, KeepsTheLongestStepsThatFit) {
  using Steps = std::vector<uint64_t>;
  // They take 9, 15 and 10 rows, and each is longer than the next one.
  EXPECT_EQ(stepsOf(traced(simple(), {34})), (Steps{0, 1, 2}));
  EXPECT_EQ(stepsOf(traced(simple(), {33})), (Steps{0, 1}));
  // The third would fit, but the second is longer and does not.
  EXPECT_EQ(stepsOf(traced(simple(), {23})), Steps{0});
  EXPECT_EQ(traced(simple(), {23}).asked, 3u);
  EXPECT_TRUE(traced(simple(), {0}).steps.empty());
}

TEST(Timeline, ShowsTheStepsThatAreAskedFor) {
  const Timeline timeline = traced(simple(), {1000, 0, 1, 1, 2});
  EXPECT_EQ(stepsOf(timeline), std::vector<uint64_t>{1});
  EXPECT_EQ(timeline.asked, 1u);
}

TEST(Timeline, OfNothingIsRefused) {
  for (const TimelineRequest &request :
       {TimelineRequest{1000, 1, 2}, TimelineRequest{1000, 0, 1, 3, 9}})
    try {
      traced(simple(), request);
      ADD_FAILURE() << "expected an error";
    } catch (const Error &error) {
      EXPECT_NE(
          std::string(error.what()).find("on were asked for, the run has"),
          std::string::npos)
          << error.what();
    }
}

TEST(Timeline, AStepThatDoesNotFitShowsTheCoresThatEndLast) {
  const Timeline timeline = traced(simple(), {12, 0, 1, 1, 2});
  ASSERT_EQ(timeline.steps.size(), 1u);
  const TimelineStep &step = timeline.steps[0];
  EXPECT_LE(step.rows(), 12u);
  EXPECT_EQ(step.cores, 2u);
  EXPECT_EQ(step.shown, 1u);
  for (const Slice &slice : step.slices)
    EXPECT_NE(slice.kind, Slice::Update) << "core 3 receives last";
}

// What slices say of messages and synapses adds up to what was counted.
TEST(Timeline, SlicesAddUpToTheCounts) {
  TimingSet timing = simple();
  uint64_t all = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomProgram random =
        test::randomProgram(seed, /*multicast=*/seed % 2);
    RunOptions options;
    options.timeline.rows = 1 << 30;
    const RunResult result =
        runCycle(random.program, withTiming(random.target, timing),
                 random.inputs, options);
    uint64_t messages = 0, synops = 0, flows = 0;
    for (const TimelineStep &step : result.timeline.steps) {
      for (const Slice &slice : step.slices)
        if (slice.kind == Slice::Receive) {
          messages += slice.messages;
          synops += slice.synops;
        }
      for (const TimelineFlow &flow : step.flows)
        flows += flow.messages;
    }
    const CoreCounts counts = result.counts.total();
    EXPECT_EQ(messages, counts[Counter::WithinTile]);
    EXPECT_EQ(synops, counts[Counter::SynopsDense] +
                          counts[Counter::SynopsSparse] +
                          counts[Counter::SynopsConv]);
    EXPECT_LE(flows, messages);
    all += synops;
  }
  EXPECT_GT(all, 1000u);
}

TEST(Timeline, IsTheSameOnTheHonestPath) {
  const Timeline fast = traced(simple(), {1000}),
                 slow = traced(simple(), {1000}, /*verify=*/true);
  ASSERT_EQ(fast.steps.size(), slow.steps.size());
  for (size_t s = 0; s < fast.steps.size(); ++s) {
    ASSERT_EQ(fast.steps[s].slices.size(), slow.steps[s].slices.size());
    for (size_t i = 0; i < fast.steps[s].slices.size(); ++i) {
      EXPECT_EQ(fast.steps[s].slices[i].start, slow.steps[s].slices[i].start);
      EXPECT_EQ(fast.steps[s].slices[i].synops, slow.steps[s].slices[i].synops);
    }
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
  options.timeline.rows = 100;
  RunResult result = runCycle(builder.build(), withTiming(mesh(2, 2), timing),
                              {{"in", samples({{{0}}})}}, options);
  // Taken at 10, 60, 110; the second neuron until 120.
  std::vector<Slice> stalls, updates;
  for (const TimelineStep &step : result.timeline.steps)
    for (const Slice &slice : step.slices)
      if (slice.kind == Slice::Stalled)
        stalls.push_back(slice);
      else if (slice.kind == Slice::Update && slice.start == 0)
        updates.push_back(slice);
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

// A queue is told at few instants, and its longest is one of them.
TEST(Timeline, LongQueuesAreFolded) {
  using namespace dendrolith::test;
  ProgramBuilder builder(1, 2);
  builder.population("a", 1, 0).population("b", 1, 1).binaryInput("in", 1, 0);
  builder.group(0, "a", 0, 1, cuba(60, 4095, 4096, 70));
  builder.group(3, "b", 0, 1, cuba(1000));
  for (int i = 0; i < 300; ++i)
    builder.connect("a", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  TimingSet timing = instantTiming();
  timing.updateActive = 10;
  timing.noc.local.interval = 10;
  timing.messageIn = 1000;
  RunOptions options;
  options.timeline.rows = 1000;
  const RunResult result =
      runCycle(builder.build(), withTiming(mesh(2, 2), timing),
               {{"in", samples({{{0}}})}}, options);
  uint64_t longest = 0;
  const std::vector<TimelineQueue> &queues = result.timeline.steps.at(0).queues;
  for (const TimelineQueue &queue : queues)
    longest = std::max(longest, queue.messages);
  EXPECT_LT(queues.size(), 130u);
  EXPECT_GE(longest, 297u);
  EXPECT_EQ(queues.back().messages, 0u);
}

} // namespace
} // namespace dendrolith::sim
