// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/messages/ServiceTimes.cpp,
// simulator/timing/systemc/CoreModel.cpp,
// simulator/timing/systemc/CoreModel.cpp.
// Each number of a timing set alone, all others zero: the length of the run is
// that number times how often it lies on the critical path of the two-core
// scenario (three steps).

#include "simulator/timing/messages/ServiceTimes.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

#include <ostream>

namespace dendrolith::sim {
namespace {

struct Parameter {
  const char *name;
  void (*set)(TimingSet &);
  uint64_t steps[3]; // expected lengths
};
void PrintTo(const Parameter &parameter, std::ostream *to) {
  *to << parameter.name;
}

constexpr Parameter parameters[] = {
    {"none", [](TimingSet &) {}, {0, 0, 0}},
    // Two active neurons in step 1, one in step 2.
    {"updateActive", [](TimingSet &t) { t.updateActive = 10; }, {0, 20, 10}},
    {"updateInactive", [](TimingSet &t) { t.updateInactive = 10; }, {0, 0, 0}},
    {"spikeEmit", [](TimingSet &t) { t.spikeEmit = 10; }, {0, 10, 10}},
    // The host sends two, `a` one, `b` one to the host.
    {"messageOut", [](TimingSet &t) { t.messageOut = 10; }, {20, 10, 10}},
    // The host's port alone: the chip's cores send as before.
    {"hostMessage", [](TimingSet &t) { t.hostMessage = 10; }, {20, 0, 0}},
    {"hostMessageAtOnce",
     [](TimingSet &t) {
       t.messageOut = 10;
       t.hostMessage = 0;
     },
     {0, 10, 10}},
    // The system's time is beside that of cores and mesh.
    {"management", [](TimingSet &t) { t.management.base = 10; }, {0, 0, 0}},
    {"messageIn", [](TimingSet &t) { t.messageIn = 10; }, {20, 10, 0}},
    {"perWord", [](TimingSet &t) { t.perWord = 10; }, {20, 10, 0}},
    {"dense", [](TimingSet &t) { t.perSynapse.dense = 10; }, {40, 10, 0}},
    {"sparse", [](TimingSet &t) { t.perSynapse.sparse = 10; }, {0, 0, 0}},
    {"inject", [](TimingSet &t) { t.noc.local.inject = 10; }, {10, 10, 10}},
    {"eject", [](TimingSet &t) { t.noc.local.eject = 10; }, {10, 10, 10}},
    {"east", [](TimingSet &t) { t.noc.east.forward = 10; }, {0, 10, 0}},
    {"south", [](TimingSet &t) { t.noc.south.forward = 10; }, {0, 10, 0}},
    {"west", [](TimingSet &t) { t.noc.west.forward = 10; }, {0, 0, 10}},
    {"north", [](TimingSet &t) { t.noc.north.forward = 10; }, {0, 0, 10}},
    // The second of the host's two flits waits for its port until 10, where
    // step 1 opens, and the flit of `a` for the same port until 20.
    {"interval", [](TimingSet &t) { t.noc.local.interval = 10; }, {10, 10, 0}},
    {"credit", [](TimingSet &t) { t.noc.local.credit = 10; }, {0, 0, 0}},
    {"creditOfOneSlot",
     [](TimingSet &t) {
       t.noc.local.credit = 10;
       t.noc.local.buffer = 1;
     },
     {10, 10, 0}}, // as with the interval: the slot comes back at 20
    {"barrierBase", [](TimingSet &t) { t.barrier.base = 10; }, {10, 10, 10}},
    {"barrierSpan", // 25 * (2 tiles - 1) / 2
     [](TimingSet &t) {
       t.barrier.rule = BarrierTiming::Rule::Formula;
       t.barrier.span = 25;
       t.barrier.over = 2;
     },
     {12, 12, 12}},
    {"grid", // the host's two are taken at 100 and, ready at 110, at 200
     [](TimingSet &t) {
       t.noc.grid = 100;
       t.messageOut = 10;
     },
     {200, 100, 100}},
};

class EachParameter : public testing::TestWithParam<Parameter> {};

TEST_P(EachParameter, LengthensTheStepsByHand) {
  TimingSet timing = instantTiming();
  GetParam().set(timing);
  RunResult result = runTwoCores(timing);
  uint64_t sum = 0;
  for (size_t step = 0; step < 3; ++step) {
    const StepTime &time = result.stepTimes.at(0).at(step);
    EXPECT_EQ(time.length(), GetParam().steps[step]) << "step " << step;
    sum += time.length();
  }
  EXPECT_EQ(result.sampleLatencyPs.at(0), sum);
  EXPECT_EQ(result.timePs, sum);
}

INSTANTIATE_TEST_SUITE_P(Timing, EachParameter, testing::ValuesIn(parameters),
                         [](const auto &info) { return info.param.name; });

TEST(Parameter, PartsOfAStepAreWhatTheySay) {
  TimingSet timing = instantTiming();
  timing.updateActive = 1;
  timing.noc.local.inject = 10;
  timing.messageIn = 100;
  timing.barrier.base = 1000;
  StepTime step = runTwoCores(timing).stepTimes.at(0).at(1);
  EXPECT_EQ(step.update, 2u); // both neurons; the message leaves at 1
  EXPECT_EQ(step.noc, 9u);
  EXPECT_EQ(step.receive, 100u);
  EXPECT_EQ(step.barrier, 1000u);
}

TEST(Parameter, InactiveNeuronsAndSparseLists) {
  using namespace dendrolith::test;
  ProgramBuilder builder(1, 2);
  builder.population("a", 5, 0).binaryInput("in", 1, 0);
  builder.group(2, "a", 0, 5, cuba(60));
  builder.connect("in", 0, 2,
                  builder.axon(2, 0, {1, 2, 3}, {0, 2, 4}, 0, 0, 2));
  TimingSet timing = instantTiming();
  timing.updateInactive = 10;
  timing.perSynapse.sparse = 1000;
  RunResult result = runCycle(builder.build(), withTiming(mesh(2, 2), timing),
                              {{"in", samples({{{1}, {0}}})}}, RunOptions());
  // Input of step 0 is due in step 1; step 2 ends the run's second tick.
  ASSERT_EQ(result.stepTimes.at(0).size(), 3u);
  EXPECT_EQ(result.stepTimes[0][0].update, 50u);
  EXPECT_EQ(result.stepTimes[0][0].receive, 3000u - 50);
  EXPECT_EQ(result.stepTimes[0][1].update, 20u); // three are active
}

TEST(Parameter, ServiceTimeByKindOfList) {
  TimingSet timing;
  timing.messageIn = 7;
  timing.perWord = 10;
  timing.perSynapse = {100, 1000, 10000};
  Axon axon;
  axon.words = 3;
  axon.count = 5;
  axon.kind = ListKind::Dense;
  EXPECT_EQ(Receiver::duration(timing, axon), 7u + 30 + 500);
  axon.kind = ListKind::Sparse;
  EXPECT_EQ(Receiver::duration(timing, axon), 7u + 30 + 5000);
  axon.kind = ListKind::Conv;
  EXPECT_EQ(Receiver::duration(timing, axon), 7u + 30 + 50000);
  // A list of one weight is like any other on most chips.
  axon.uniform = true;
  EXPECT_EQ(Receiver::duration(timing, axon), 7u + 30 + 50000);
  timing.perSynapse.uniform = 20;
  timing.firstEntry.uniform = 3;
  EXPECT_EQ(Receiver::duration(timing, axon), 7u + 30 + 3 + 100);
}

TEST(Parameter, ReceiverServesInOrder) {
  Receiver receiver;
  EXPECT_EQ(receiver.arrive(100, 50), 150u);
  EXPECT_EQ(receiver.arrive(120, 50), 200u); // waits
  EXPECT_EQ(receiver.arrive(300, 50), 350u);
}

TEST(Parameter, BarrierTimeByTilesInUse) {
  using namespace dendrolith::test;
  TimingSet timing = instantTiming();
  timing.barrier.rule = BarrierTiming::Rule::Table;
  timing.barrier.table = {{1, 600}, {2, 1000}, {4, 1400}};
  // Core ids on two cores per tile; tiles 0, 1 and 3.
  const uint32_t cores[] = {0, 1, 2, 7};
  const uint64_t expected[] = {600, 600, 1000, 1400}; // steps to the next entry
  for (uint64_t n = 1; n <= 4; ++n) {
    ProgramBuilder builder(1, 1);
    builder.population("a", n, 0).binaryInput("in", 1, 0);
    for (uint64_t i = 0; i < n; ++i)
      builder.group(cores[i], "a", i, 1, cuba(60));
    RunResult result =
        runCycle(builder.build(), withTiming(mesh(2, 2, 2), timing),
                 {{"in", samples({{{1}}})}}, RunOptions());
    EXPECT_EQ(result.timePs, expected[n - 1]) << n;
  }
}

TEST(Parameter, ResetIsOutsideTheLatencyOfSamples) {
  TimingSet timing = instantTiming();
  timing.reset = 5000;
  timing.updateActive = 10;
  RunResult result = runCycle(
      twoCores(), withTiming(test::mesh(2, 2), timing),
      {{"in", test::samples({{{1, 1}}, {{0, 0}}, {{1, 1}}})}}, RunOptions());
  // Nothing is active in sample 1; sample 2 starts as sample 0 did.
  EXPECT_EQ(result.sampleLatencyPs, (std::vector<uint64_t>{30, 0, 30}));
  EXPECT_EQ(result.timePs, 60u + 3 * 5000);
  EXPECT_EQ(result.counts.chip[Counter::Resets], 3u);
}

// Core 3 alone takes twice as long for everything its engines do.
TEST(Parameter, TimeScaleOfOneCore) {
  TimingSet timing = instantTiming();
  timing.updateActive = 10;
  timing.messageIn = 1000;
  timing.messageOut = 100;
  RunResult plain = runTwoCores(timing);
  timing.timeScale[3] = 2000;
  RunResult slow = runTwoCores(timing);
  // Step 0 is core 0's; in step 1 core 3 serves a message; in step 2 it updates
  // and sends to the host.
  const std::vector<StepTime> &a = plain.stepTimes.at(0),
                              &b = slow.stepTimes.at(0);
  EXPECT_EQ(b[0].receive, a[0].receive);
  EXPECT_EQ(a[1].update, 120u);
  EXPECT_EQ(b[1].update, 120u);
  EXPECT_EQ(b[1].receive - a[1].receive, 1000u);
  EXPECT_EQ(a[2].update, 110u);
  EXPECT_EQ(b[2].update, 220u);
}

// A payload of 5 bits on flits of 2 takes three flits, one per interval; the
// message is served when the last one is there.
TEST(Parameter, WidePayloadsTakeSeveralFlits) {
  using namespace dendrolith::test;
  ProgramBuilder builder(1, 2);
  builder.population("a", 1, 1).integerInput("in", 1, 0, 0, 31, 1);
  builder.group(1, "a", 0, 1, cuba(100000));
  builder.connect("in", 0, 1, builder.axon(1, 0, {1}, {}, 0, 0, 1));
  TimingSet timing = instantTiming();
  timing.noc.local.interval = 100;
  timing.noc.east.forward = 7;
  timing.messageIn = 1000;
  uint64_t ends[3];
  for (uint64_t flits : {1, 2, 3}) {
    Target target = withTiming(mesh(2, 1), timing);
    target.mesh.flitBits = flits == 1 ? 5 : flits == 2 ? 3 : 2;
    RunOptions options;
    options.verify = true;
    RunResult result =
        runCycle(builder.build(), target, {{"in", samples({{{9}}})}}, options);
    EXPECT_EQ(result.counts.total()[Counter::Messages], 1u);
    EXPECT_EQ(result.counts.total()[Counter::Flits], flits);
    EXPECT_EQ(result.counts.total()[Counter::HopsEw], flits);
    const StepTime &step = result.stepTimes[0][0];
    ends[flits - 1] = step.noc + step.receive;
  }
  EXPECT_EQ(ends[0], 1007u);
  EXPECT_EQ(ends[1], 1107u);
  EXPECT_EQ(ends[2], 1207u);
}

TEST(Parameter, TimesThatDoNotFitAreRefused) {
  TimingSet timing = instantTiming();
  timing.updateActive = uint64_t(1) << 63;
  try {
    runTwoCores(timing);
    FAIL();
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("2^64 ps"), std::string::npos);
  }
}

} // namespace
} // namespace dendrolith::sim
