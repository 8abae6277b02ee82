// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local barrier by hand, to the picosecond: cores that do not talk to each
// other go at their own pace, and those that do wait for nobody else.

#include "targets/support/Error.h"
#include "tests/simulator/timing/LocalScenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

using Event = TimelineEvent;

void expectLink(const StepTime &link, uint64_t update, uint64_t noc,
                uint64_t receive, uint64_t barrier) {
  EXPECT_EQ(link.update, update);
  EXPECT_EQ(link.noc, noc);
  EXPECT_EQ(link.receive, receive);
  EXPECT_EQ(link.barrier, barrier);
}

/// Cores 0 -> 1 and 2 -> 3; the second pair is slower.
image::Program twoPairs() {
  RowOfCores row(4);
  row.fires(0).listens(1).fires(2).listens(3);
  row.send(0, 1).send(2, 3);
  return row.build();
}

TimingSet twoPaces() {
  TimingSet timing = doneAfter15();
  timing.messageIn = 100;
  timing.timeScale = {{2, 3000}, {3, 2000}};
  return timing;
}

TEST(LocalBarrier, TwoPairsGoAtTheirOwnPace) {
  RunResult result = runRow(twoPairs(), twoPaces(), /*ticks=*/3);
  // Core 0 opens its steps at 0, 15 and 143, core 1 at 0, 118 and 218: it has
  // served the last message at 318. Core 2: 0, 30, 273; core 3: 0, 238, 438.
  const std::vector<Slice> updates = {
      {0, 10, 0, 0},   {15, 10, 0, 1}, {143, 10, 0, 2}, {118, 10, 1, 1},
      {218, 10, 1, 2}, {0, 30, 2, 0},  {30, 30, 2, 1},  {273, 30, 2, 2},
      {238, 20, 3, 1}, {438, 20, 3, 2}};
  EXPECT_EQ(slicesOf(result, Event::Update), updates);
  EXPECT_EQ(result.sampleLatencyPs, std::vector<uint64_t>{638});
  EXPECT_EQ(result.timePs, 638u);
  // From the end back: core 2's last message, core 3's done message, and again.
  const std::vector<StepTime> &path = result.stepTimes.at(0);
  ASSERT_EQ(path.size(), 3u);
  expectLink(path[0], 30, 8, 200, 0);
  expectLink(path[1], 20, 0, 0, 15);
  expectLink(path[2], 30, 8, 327, 0);
  EXPECT_EQ(path[2].updateCore, 2u);
  EXPECT_EQ(path[2].linkFrom, 2u);
  EXPECT_EQ(path[2].linkTo, 3u);
  EXPECT_EQ(path[2].receiveCore, 3u);
  EXPECT_EQ(path[1].updateCore, 3u);
}

TEST(LocalBarrier, APairDoesNotNoticeTheOther) {
  TimingSet timing = twoPaces();
  timing.timeScale.erase(3);
  timing.timeScale[2] = 1000000; // its update takes 10 us
  std::vector<Slice> alone, beside;
  for (Slice slice : slicesOf(runRow(twoPairs(), twoPaces(), 3), Event::Update))
    if (slice.core < 2)
      alone.push_back(slice);
  RunResult slow = runRow(twoPairs(), timing, 3);
  for (Slice slice : slicesOf(slow, Event::Update))
    if (slice.core < 2)
      beside.push_back(slice);
  EXPECT_EQ(beside, alone);
  EXPECT_GT(slow.timePs, 30000u);
}

// Cores 0 and 1 of twoPaces() take less than 500, core 2 and 3 as well.
TEST(LocalBarrier, EachCoreWaitsForItsTick) {
  TimingSet timing = twoPaces();
  timing.tick = 1000;
  RunResult result = runRow(twoPairs(), timing, /*ticks=*/3);
  EXPECT_EQ(result.timePs, 3000u);
  for (Slice slice : slicesOf(result, Event::Update))
    EXPECT_EQ(slice.start % 1000, 0u);
  const std::vector<StepTime> &path = result.stepTimes.at(0);
  ASSERT_EQ(path.size(), 3u);
  for (const StepTime &link : path)
    EXPECT_EQ(link.update + link.noc + link.receive + link.barrier, 1000u);
  // A tick that is shorter than every step changes nothing.
  timing.tick = 1;
  EXPECT_EQ(runRow(twoPairs(), timing, 3).timePs,
            runRow(twoPairs(), twoPaces(), 3).timePs);
}

// The ends hear of the slow one in the middle; it hears of them long before it
// needs to.
TEST(LocalBarrier, ChainGoesAtThePaceOfItsSlowestCore) {
  RowOfCores row(3);
  row.fires(0).fires(1).listens(2).send(0, 1).send(1, 2);
  TimingSet timing = doneAfter15();
  timing.timeScale = {{1, 10000}};
  RunResult result = runRow(row.build(), timing, 4);
  const std::vector<Slice> updates = {
      {0, 10, 0, 0},   {115, 10, 0, 1},  {215, 10, 0, 2},  {315, 10, 0, 3},
      {0, 100, 1, 0},  {100, 100, 1, 1}, {200, 100, 1, 2}, {300, 100, 1, 3},
      {115, 10, 2, 1}, {215, 10, 2, 2},  {315, 10, 2, 3}};
  EXPECT_EQ(slicesOf(result, Event::Update), updates);
  EXPECT_EQ(result.timePs, 415u);
  // Three steps of the middle, then its done message to the first of the ends.
  const std::vector<StepTime> &path = result.stepTimes.at(0);
  for (int step : {0, 1, 2})
    expectLink(path[step], 100, 0, 0, 0);
  expectLink(path[3], 100, 0, 0, 15);
  // Waiting is each core's own.
  const std::vector<Slice> waiting = {
      {10, 105, 0, 0}, {125, 90, 0, 1}, {225, 90, 0, 2}, {325, 90, 0, 3},
      {108, 7, 2, 0},  {208, 7, 2, 1},  {308, 7, 2, 2},  {408, 7, 2, 3}};
  EXPECT_EQ(slicesOf(result, Event::Waiting), waiting);
  EXPECT_EQ(result.coreActivity.at(0).waiting, 375u);
  EXPECT_EQ(result.coreActivity.at(1).waiting, 0u);
  EXPECT_EQ(result.coreActivity.at(2).waiting, 28u);
}

// A message delays the core that serves it from the picosecond on at which it
// is served later than the done message comes.
TEST(LocalBarrier, OpensWhenTheLaterOfWordAndMessageIsDone) {
  RowOfCores row(2);
  row.fires(0).listens(1).send(0, 1);
  TimingSet timing = doneAfter15();
  // The done message is there at 10 + 15, the message at 10 + 8.
  for (uint64_t messageIn : {0, 6, 7, 8, 9}) {
    timing.messageIn = messageIn;
    RunResult result = runRow(row.build(), timing, 2);
    EXPECT_EQ(slicesOf(result, Event::Update).back(),
              (Slice{std::max<uint64_t>(25, 18 + messageIn), 10, 1, 1}))
        << messageIn;
  }
}

TEST(LocalBarrier, TheHostCountsAsACore) {
  TimingSet timing = doneAfter15();
  timing.noc.north.forward = timing.noc.south.forward = 1000;
  RunOptions options;
  options.verify = true;
  options.timelineEvents = 1000;
  // twoCores(): the host and core 0 are 0 hops apart, core 3 is 1 + 1 from
  // both.
  RunResult result = runCycle(twoCores(), withTiming(test::mesh(2, 2), timing),
                              bothInputs(), options);
  // A done message takes 10 between the host and core 0 and 1015 from either to
  // core 3. In step 0 nobody updates, but all three tell each other: 1015. Core
  // 0 works until 1035; its done message is at core 3 at 2050, its message was
  // at 2033. Core 3 works until 2060, and its done message is at core 0 and at
  // the host at 3075.
  const std::vector<Slice> updates = {{1015, 20, 0, 1}, {2050, 10, 3, 2}};
  EXPECT_EQ(slicesOf(result, Event::Update), updates);
  EXPECT_EQ(result.sampleLatencyPs, std::vector<uint64_t>{3075});
  const std::vector<StepTime> &path = result.stepTimes.at(0);
  expectLink(path[0], 0, 0, 0, 1015);
  expectLink(path[1], 20, 0, 0, 1015);
  expectLink(path[2], 10, 0, 0, 1015);
  EXPECT_EQ(path[1].updateCore, 0u);
  EXPECT_EQ(path[2].updateCore, 3u);
}

// Core 1 opens its steps at 0, 15 and 40, the host at 0, 25 and 40, which has
// core 1's last done message at 50 + 15.
TEST(LocalBarrier, TheHostWaitsForOutputsAndIsWaitedFor) {
  RowOfCores row(2);
  row.listens(0).fires(1).shows(1);
  RunResult result = runRow(row.build(), doneAfter15(), 3);
  const std::vector<Slice> updates = {
      {0, 10, 1, 0}, {15, 10, 1, 1}, {40, 10, 1, 2}};
  EXPECT_EQ(slicesOf(result, Event::Update), updates);
  EXPECT_EQ(result.timePs, 65u);
}

TEST(LocalBarrier, CoresThatTalkToNobodyWaitForNobody) {
  RowOfCores row(2);
  row.fires(0).fires(1);
  TimingSet timing = doneAfter15();
  timing.barrier.base = 1000000;
  timing.timeScale = {{1, 2000}};
  EXPECT_EQ(runRow(row.build(), timing, 5).timePs, 100u);
}

// At 20, 40, ... both cores open a step, each another one.
TEST(LocalBarrier, DifferentStepsOpenAtOneInstant) {
  RowOfCores row(2);
  row.fires(0).fires(1);
  TimingSet timing = doneAfter15();
  timing.timeScale = {{1, 2000}};
  Target target = withTiming(test::mesh(2, 1), timing);
  const auto inputs = ticksOf(7);
  RunOptions options;
  options.traces = {{"a", ""}, {"b", ""}};
  RunResult plain = runFunctional(row.build(), target, inputs, options);
  EXPECT_EQ(plain.traces[1].values, std::vector<int64_t>(7, 1));
  for (uint64_t shuffle : {0, 1, 2}) {
    options.shuffle = shuffle;
    RunResult cycle = runCycle(row.build(), target, inputs, options);
    for (int core : {0, 1})
      EXPECT_EQ(cycle.traces[core].values, plain.traces[core].values);
  }
}

// The ring of buckets is exactly full: sums of delays 0 to 2 for a core that
// its sender is one step ahead of all the time.
TEST(LocalBarrier, ASenderAheadNeedsNoMoreBuckets) {
  RowOfCores row(2);
  row.fires(0).listens(1);
  for (uint16_t delay : {0, 1, 2})
    row.send(0, 1, /*weight=*/1 << delay, delay);
  TimingSet timing = doneAfter15();
  timing.messageIn = 500;
  Target target = withTiming(test::mesh(2, 1), timing);
  const auto inputs = ticksOf(9);
  RunOptions options;
  options.traces = {{"b", "u"}, {"b", "v"}};
  RunResult plain = runFunctional(row.build(), target, inputs, options);
  EXPECT_EQ(plain.traces[0].values,
            (std::vector<int64_t>{0, 1, 3, 7, 7, 7, 7, 7, 7}));
  for (bool verify : {false, true}) {
    options.verify = verify;
    RunResult cycle = runCycle(row.build(), target, inputs, options);
    EXPECT_EQ(cycle.traces[0].values, plain.traces[0].values);
    EXPECT_EQ(cycle.traces[1].values, plain.traces[1].values);
  }
}

TEST(LocalBarrier, SamplesAreDrainedAndThenBeginTogether) {
  TimingSet timing = twoPaces();
  timing.reset = 5000;
  RunResult result = runRow(twoPairs(), timing, 3, /*samples=*/2);
  EXPECT_EQ(result.sampleLatencyPs, (std::vector<uint64_t>{638, 638}));
  EXPECT_EQ(result.timePs, 2 * 5638u);
  std::vector<Slice> first, second;
  for (Slice slice : slicesOf(result, Event::Update)) {
    if (slice.step < 3) {
      first.push_back(slice);
      continue;
    }
    slice.step -= 3;
    slice.start -= 5638;
    second.push_back(slice);
  }
  EXPECT_EQ(second, first);
}

TEST(LocalBarrier, StepThatCannotEndNamesThePort) {
  auto errorOf = [](const TimingSet &timing) -> std::string {
    try {
      runTwoCores(timing);
    } catch (const Error &error) {
      return error.what();
    }
    return "no error";
  };
  TimingSet timing = doneAfter15();
  timing.noc.local.buffer = 0;
  EXPECT_EQ(errorOf(timing),
            "deadlock in step 0 of sample 0: router (0, 0), injection port: "
            "the host waits; nothing is left that could free a slot");
  timing = doneAfter15();
  timing.noc.east.buffer = 0;
  EXPECT_EQ(errorOf(timing),
            "deadlock in step 1 of sample 0: router (0, 0), local buffer: 1 "
            "flits wait for the east port, the first from core 0 to core 3; "
            "nothing is left that could free a slot");
}

TEST(LocalBarrier, TimelineKeepsWholeSteps) {
  const RunResult whole = runRow(twoPairs(), twoPaces(), 3);
  const Timeline &all = whole.timeline;
  EXPECT_EQ(all.overlapping, 3u);
  EXPECT_EQ(all.steps, 3u);
  EXPECT_EQ(all.endPs, 638u);
  EXPECT_FALSE(all.stopped);
  std::vector<uint64_t> until(4, 0); // slices of the steps before
  for (const Event &event : all.events)
    for (uint64_t step = event.step + 1; step < until.size(); ++step)
      ++until[step];
  for (uint64_t most = 1; most <= all.events.size() + 1; ++most) {
    Timeline part = runRow(twoPairs(), twoPaces(), 3, 1, most).timeline;
    uint64_t steps = 0;
    while (steps < 3 && until[steps + 1] <= most)
      ++steps;
    EXPECT_EQ(part.steps, steps) << most;
    EXPECT_EQ(part.stopped, steps < 3) << most;
    EXPECT_EQ(part.events.size(), until[steps]) << most;
  }
}

} // namespace
} // namespace dendrolith::sim
