// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/phases/SerialStep.cpp,
// simulator/timing/systemc/BarrierModel.cpp,
// simulator/timing/messages/ServiceTimes.h. Cores that serve what the last step
// sent and update then, in ps by hand, on the scenario of two cores.

#include "simulator/timing/messages/ServiceTimes.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

void expectPhases(const StepTime &step, uint64_t receive, uint64_t update,
                  uint64_t noc, uint64_t barrier) {
  EXPECT_EQ(step.receive, receive);
  EXPECT_EQ(step.update, update);
  EXPECT_EQ(step.noc, noc);
  EXPECT_EQ(step.barrier, barrier);
}

/// A list of n takes 700 + 100 n, an update 2000 or 1000, the barrier 10000.
TimingSet serialTiming() {
  TimingSet timing = instantTiming();
  timing.updateActive = 2000;
  timing.updateInactive = 1000;
  timing.messageIn = 700;
  timing.perSynapse.dense = 100;
  timing.barrier.base = 10000;
  timing.serial.emplace();
  return timing;
}

std::vector<StepTime> run(const TimingSet &timing) {
  Target target = withTiming(test::mesh(2, 2), timing);
  target.limits.compartmentsPerCore = 16;
  RunOptions verify;
  verify.verify = true;
  RunResult result = runCycle(twoCores(), target, bothInputs(), verify);
  EXPECT_EQ(result.outputs[0].values, std::vector<double>{1});
  // The fast path has the same times.
  RunResult fast = runCycle(twoCores(), target, bothInputs(), RunOptions());
  EXPECT_EQ(fast.sampleLatencyPs, result.sampleLatencyPs);
  return result.stepTimes[0];
}

TEST(SerialStep, WhatAStepSendsIsServedInTheNextBeforeItsUpdates) {
  std::vector<StepTime> steps = run(serialTiming());
  ASSERT_EQ(steps.size(), 3u);
  // Two messages of two synapses come from the host; nobody serves them yet.
  expectPhases(steps[0], 0, 0, 0, 10000);
  // Core 0 serves 2 * 900 and updates two neurons.
  expectPhases(steps[1], 1800, 4000, 0, 10000);
  EXPECT_EQ(steps[1].receiveCore, 0u);
  // Core 3 serves 800; its spike goes to the host, which needs no time.
  expectPhases(steps[2], 800, 2000, 0, 10000);
  EXPECT_EQ(steps[2].receiveCore, 3u);
}

TEST(SerialStep, OverlappedTheSameTakesTheLongerOfBoth) {
  TimingSet timing = serialTiming();
  timing.serial.reset();
  std::vector<StepTime> steps = run(timing);
  expectPhases(steps[0], 1800, 0, 0, 10000);
  // The message is there at 2000 and served until 2800, the updates end at
  // 4000.
  expectPhases(steps[1], 0, 4000, 0, 10000);
  expectPhases(steps[2], 0, 2000, 0, 10000);
}

// The first neuron's message can leave no earlier than after serving and its
// update: it takes the mesh from 1800 + 2000 on, and the engine is done at
// 5800.
TEST(SerialStep, MessagesLeaveAfterServing) {
  TimingSet timing = serialTiming();
  timing.noc.local.eject = 2000;
  expectPhases(run(timing)[1], 1800, 4000, 0, 10000);
  timing.noc.local.eject = 2001;
  expectPhases(run(timing)[1], 1800, 4000, 1, 10000);
}

TEST(SerialStep, OwnSpikesAreFetched) {
  TimingSet timing = serialTiming();
  timing.serial->perSpike = 2799;
  // Core 0 fired in step 1, so that it serves 2799 in step 2, where it has
  // nothing to update. Core 3 is done at 800 + 2000.
  std::vector<StepTime> steps = run(timing);
  expectPhases(steps[1], 1800, 4000, 0, 10000);
  expectPhases(steps[2], 800, 2000, 0, 10000);
  // One more than 2800, and core 0 is the last.
  timing.serial->perSpike = 2801;
  expectPhases(run(timing)[2], 2801, 0, 0, 10000);
}

TEST(SerialStep, AllSlotsAreVisitedUsedOrNot) {
  TimingSet timing = serialTiming();
  timing.serial->allSlots = true;
  std::vector<StepTime> steps = run(timing);
  expectPhases(steps[0], 0, 16000, 0, 10000);
  expectPhases(steps[1], 1800, 4000 + 14000, 0, 10000);
  expectPhases(steps[2], 800, 2000 + 15000, 0, 10000);
}

TEST(SerialStep, WhatTheHostWritesTakesNoTimeIfSaidSo) {
  TimingSet timing = serialTiming();
  timing.serial->hostLists = false;
  std::vector<StepTime> steps = run(timing);
  expectPhases(steps[1], 0, 4000, 0, 10000);
  expectPhases(steps[2], 800, 2000, 0, 10000);
}

// Four cores; the spike of step 1 has one synapse on another core, that of step
// 2 none.
TEST(SerialStep, ASequencerReadsSpikesAndWritesWhatTheStepBeforeSent) {
  TimingSet timing = serialTiming();
  timing.serial->sequencer = {10, 37, 1000, 2000, 100};
  std::vector<StepTime> steps = run(timing);
  expectPhases(steps[0], 0, 0, 0, 10000 + 40 + 1000);
  expectPhases(steps[1], 1800, 4000, 0, 10000 + 40 + 37 + 1000);
  expectPhases(steps[2], 0, 2000, 0, 10000 + 40 + 37 + 2000 + 100);
}

TEST(SerialStep, DelayedSynapsesTakeTimeWhenTheyAreDue) {
  using namespace dendrolith::test;
  ProgramBuilder builder(1, 2);
  builder.population("a", 1, 0).population("b", 3, 1).binaryInput("in", 1, 0);
  // `a` fires in each step; three synapses wait for two steps more.
  builder.group(0, "a", 0, 1, cuba(60, 4095, 4096, 70));
  builder.group(0, "b", 0, 3, cuba(1000));
  builder.connect("a", 0, 0, builder.axon(0, 1, {1, 1, 1}, {}, 2, 0, 1));
  TimingSet timing = serialTiming();
  timing.updateActive = timing.updateInactive = timing.messageIn = 0;
  timing.perSynapse.dense = 0;
  timing.serial->perDue = 5;
  for (bool verify : {false, true}) {
    RunOptions options;
    options.verify = verify;
    RunResult result = runCycle(
        builder.build(), withTiming(mesh(1, 1), timing),
        {{"in", samples({{{0}, {0}, {0}, {0}}, {{0}, {0}, {0}, {0}}})}},
        options);
    for (const std::vector<StepTime> &steps : result.stepTimes) {
      ASSERT_EQ(steps.size(), 5u);
      // The spike of step 0 is fetched in step 1 and due in step 3, not before;
      // a new sample begins without any.
      for (size_t t : {0, 1, 2})
        EXPECT_EQ(steps[t].receive, 0u) << t;
      EXPECT_EQ(steps[3].receive, 15u);
      EXPECT_EQ(steps[4].receive, 15u);
    }
  }
}

// Whatever the times: values are those of overlapped phases, --verify finds
// nothing, and both paths take the same time.
TEST(SerialStep, RandomProgramsAgreeOnValuesAndTimes) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed, false);
    TimingSet timing = randomTiming(seed);
    timing.firstEntry = {seed % 700, seed % 300, seed % 500};
    timing.serial.emplace();
    timing.serial->allSlots = seed % 2;
    timing.serial->hostLists = seed % 3;
    timing.serial->perSpike = seed * 100;
    timing.serial->perDue = seed * 10;
    if (seed % 5)
      timing.serial->sequencer = {seed, 2 * seed, 3 * seed, 4 * seed, 5 * seed};
    Target target = withTiming(random.target, timing);
    target.limits.compartmentsPerCore = 1000;
    RunOptions options = tracingAll(random.program);
    RunResult plain =
        runFunctional(random.program, random.target, random.inputs, options);
    RunResult fast = runCycle(random.program, target, random.inputs, options);
    options.verify = true;
    RunResult honest = runCycle(random.program, target, random.inputs, options);
    expectSame(fast, plain);
    expectSame(honest, plain);
    ASSERT_EQ(fast.sampleLatencyPs, honest.sampleLatencyPs);
    for (size_t s = 0; s < fast.samples; ++s) {
      uint64_t sum = 0;
      for (const StepTime &t : fast.stepTimes[s])
        sum += t.length();
      ASSERT_EQ(fast.sampleLatencyPs[s], sum);
    }
  }
}

TEST(Receiver, AFirstEntryTakesLongerThanTheNext) {
  TimingSet timing;
  timing.messageIn = 3;
  timing.perSynapse = {6, 6, 5};
  timing.firstEntry = {0, 0, 1};
  Axon axon;
  axon.kind = ListKind::Conv;
  EXPECT_EQ(Receiver::duration(timing, axon), 3u); // an empty list has none
  axon.count = 1;
  EXPECT_EQ(Receiver::duration(timing, axon), 3u + 6);
  axon.count = 4;
  EXPECT_EQ(Receiver::duration(timing, axon), 3u + 6 + 3 * 5);
  axon.kind = ListKind::Sparse;
  EXPECT_EQ(Receiver::duration(timing, axon), 3u + 4 * 6);
}

} // namespace
} // namespace dendrolith::sim
