// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/CycleEngine.cpp,
// simulator/timing/systemc/BarrierModel.cpp.
// The two-core scenario on the target `tiny`, every time and count by hand.

#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

void expectStep(const StepTime &step, uint64_t update, uint64_t noc,
                uint64_t receive, uint64_t barrier) {
  EXPECT_EQ(step.update, update);
  EXPECT_EQ(step.noc, noc);
  EXPECT_EQ(step.receive, receive);
  EXPECT_EQ(step.barrier, barrier);
}

TEST(Scenario, TwoCoresOnTinyTakeTheTimeComputedByHand) {
  RunOptions options;
  options.verify = true;
  RunResult result =
      runCycle(twoCores(), Target::load("tiny"), bothInputs(), options);
  ASSERT_EQ(result.stepTimes.size(), 1u);
  const std::vector<StepTime> &steps = result.stepTimes[0];
  ASSERT_EQ(steps.size(), 3u);
  // Barrier with 2 tiles in use: 100000 + 30000 * 1 / 3.
  const uint64_t barrier = 110000;
  // Step 0, no updates. The host's first message: out 300, injected 300 + 1500
  // = 1800, ejected + 2500 = 4300, served 700 + 1 word 50 + 2 synapses 200 =
  // 950, until 5250. The second is ready at 600, but the port takes one flit
  // per 1000: 1300, so ejected at 5300, served until 6250.
  expectStep(steps[0], 0, 5300, 950, barrier);
  // Step 1. Neuron 0 of `a`: active 2000, spike 500, message 300: taken at
  // 2800; neuron 1: 4800. Router (0,0) at 4300, east 8300, south 14300, ejected
  // 16800, served 700 + 50 + 100 until 17650.
  expectStep(steps[1], 4800, 16800 - 4800, 850, barrier);
  // Step 2. `b`: 2000 + 500 + 300 = 2800; 1500, west 4000, north 6000, 2500:
  // 16800. The host needs no time.
  expectStep(steps[2], 2800, 14000, 0, barrier);

  uint64_t latency = 116250 + 127650 + 126800;
  EXPECT_EQ(result.sampleLatencyPs, std::vector<uint64_t>{latency});
  EXPECT_EQ(result.timePs, latency + 1000000); // and the reset
  EXPECT_EQ(result.outputs[0].values, std::vector<double>{1});
}

TEST(Scenario, TwoCoresOnTinyCountWhatWasCountedByHand) {
  RunResult result =
      runCycle(twoCores(), Target::load("tiny"), bothInputs(), RunOptions());
  Counts expected;
  expected.chip[Counter::Steps] = expected.chip[Counter::Barriers] = 3;
  expected.chip[Counter::Tokens] = expected.chip[Counter::Resets] = 1;
  expected.tiles = 2;
  expected.host[Counter::Inputs] = 2;
  for (Counter c : {Counter::Messages, Counter::Flits, Counter::HostMessages,
                    Counter::HostFlits})
    expected.host[c] = 2;
  CoreCounts &a = expected.cores[0];
  a[Counter::WithinTile] = a[Counter::AxonReads] = 2;
  a[Counter::SynmemWords] = 2;
  a[Counter::SynopsDense] = 4;
  a[Counter::UpdatesActive] = 2;
  a[Counter::SpikesBinary] = a[Counter::Messages] = a[Counter::Flits] = 1;
  a[Counter::HopsEw] = a[Counter::HopsNs] = 1;
  CoreCounts &b = expected.cores[3];
  b[Counter::WithinTile] = b[Counter::AxonReads] = 1;
  b[Counter::SynmemWords] = b[Counter::SynopsDense] = 1;
  b[Counter::UpdatesActive] = b[Counter::SpikesBinary] = 1;
  for (Counter c :
       {Counter::Outputs, Counter::Messages, Counter::Flits, Counter::HopsEw,
        Counter::HopsNs, Counter::HostMessages, Counter::HostFlits,
        Counter::HostHopsEw, Counter::HostHopsNs})
    b[c] = 1;
  // To core 3 by tile 1, back to the host by tile 2.
  expected.links = {{0, 1, 1}, {1, 3, 1}, {2, 0, 1}, {3, 2, 1}};
  EXPECT_EQ(result.counts.difference(expected), "");
  EXPECT_EQ(result.counts.host[Counter::Stalls], 1300u - 600);
  EXPECT_EQ(result.counts.cores[0][Counter::Stalls], 0u);
}

// The second message of a neuron waits for the port (one flit per 1000 ps), and
// with it the update of the next neuron.
TEST(Scenario, StalledPortStallsTheUpdateEngine) {
  using namespace dendrolith::test;
  ProgramBuilder builder(1, 2);
  builder.population("a", 2, 0).population("b", 1, 1).binaryInput("in", 1, 0);
  builder.group(0, "a", 0, 2, cuba(60, 4095, 4096, 70));
  builder.group(3, "b", 0, 1, cuba(1000));
  for (int i = 0; i < 2; ++i)
    builder.connect("a", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  RunResult result = runCycle(builder.build(), Target::load("tiny"),
                              {{"in", samples({{{0}}})}}, RunOptions());
  // 2000 + 500 + 300 = 2800 taken; ready at 3100, taken at 3800; the second
  // neuron fires too but has no axon: 3800 + 2000 + 500. The wait is the
  // mesh's.
  EXPECT_EQ(result.stepTimes[0][0].update, 6300u - 700);
  EXPECT_EQ(result.stepTimes[0][0].portWait, 700u);
  EXPECT_EQ(result.counts.cores[0][Counter::Stalls], 700u);
}

} // namespace
} // namespace dendrolith::sim
