// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multicast in a whole step of the chip `tiny`, every time and count by hand.

#include "simulator/timing/messages/MessageStream.h"
#include "simulator/timing/workers/Transfer.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

Target tinyWithMulticast() { return Target::load("tiny,mesh.multicast=true"); }

/// The input goes to cores 0 and 3; neuron `a` on core 0, which it makes fire,
/// to core 1 and twice to core 3.
image::Program tree() {
  using namespace dendrolith::test;
  ProgramBuilder builder(/*period=*/1, /*depth=*/2);
  builder.population("a", 1, 1).population("b", 2, 1).binaryInput("in", 1, 0);
  builder.group(0, "a", 0, 1, cuba(60));
  builder.group(1, "b", 0, 1, cuba(1000)).group(3, "b", 1, 1, cuba(1000));
  builder.connect("in", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  builder.connect("in", 0, 0, builder.axon(0, 0, {100}, {}, 0, 0, 1));
  builder.connect("a", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  builder.connect("a", 0, 1, builder.axon(1, 0, {1}, {}, 0, 0, 1));
  builder.connect("a", 0, 3, builder.axon(3, 0, {1}, {}, 0, 0, 1));
  return builder.build();
}

RunResult runTree(const Target &target, bool verify = true) {
  RunOptions options;
  options.verify = verify;
  return runCycle(tree(), target, {{"in", test::samples({{{1}}})}}, options);
}

TEST(DestinationSets, SortedByColumnThenRow) {
  const Machine machine(tree());
  const Target target = tinyWithMulticast();
  const DestinationSets sets(machine, target, nullptr);
  const auto found = sets.of(machine.messages(1)); // source 0 is the input
  ASSERT_EQ(found.size(), 3u);
  const uint32_t cores[] = {1, 3, 3};
  uint64_t axons[3];
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(machine.cores()[found[i].endpoint].id, cores[i]);
    EXPECT_EQ(found[i].x, 1);
    EXPECT_EQ(found[i].y, cores[i] / 2);
    axons[i] = found[i].message;
  }
  EXPECT_LT(axons[1], axons[2]);
}

TEST(DestinationSets, TreeOnTinyTakesTheTimeComputedByHand) {
  const RunResult result = runTree(tinyWithMulticast());
  ASSERT_EQ(result.stepTimes.size(), 1u);
  const std::vector<StepTime> &steps = result.stepTimes[0];
  ASSERT_EQ(steps.size(), 2u);
  // Three tiles in use: 100000 + floor(30000 x 2 / 3).
  EXPECT_EQ(steps[0].barrier, 120000u);
  // Step 0. The host hands over one message at 300. It is in router (0, 0) at
  // 1800; the copy to core 0 leaves first. The other one leaves an interval
  // later, 2800, is in router (1, 0) at 6800, in (1, 1) at 12800 and ejected at
  // 15300; served 700 + one word 50 + one synapse 100.
  EXPECT_EQ(steps[0].update, 0u);
  EXPECT_EQ(steps[0].noc, 15300u);
  EXPECT_EQ(steps[0].receive, 850u);
  // Step 1. `a`: active 2000, spike 500, one message 300: taken at 2800. Router
  // (0, 0) 4300, router (1, 0) 8300. The copy to core 1 leaves at 8300, the one
  // to the south at 9300 and is in router (1, 1) at 15300. Core 3 gets its two
  // copies at 17800 and, an interval later, 18800; the second is served until
  // 19650.
  EXPECT_EQ(steps[1].update, 2800u);
  EXPECT_EQ(steps[1].noc, 18800u - 2800);
  EXPECT_EQ(steps[1].receive, 850u);
  EXPECT_EQ(toBytes(runTree(tinyWithMulticast(), /*verify=*/false)),
            toBytes(result));
}

TEST(DestinationSets, TreeOnTinyCountsWhatWasCountedByHand) {
  const Counts counts = runTree(tinyWithMulticast()).counts;
  EXPECT_EQ(counts.difference(runFunctional(tree(), tinyWithMulticast(),
                                            {{"in", test::samples({{{1}}})}},
                                            RunOptions())
                                  .counts),
            "");
  auto expectSender = [](const CoreCounts &sender) {
    EXPECT_EQ(sender[Counter::Messages], 1u);
    EXPECT_EQ(sender[Counter::Flits], 1u);
    EXPECT_EQ(sender[Counter::HopsEw], 1u);
    EXPECT_EQ(sender[Counter::HopsNs], 1u);
    EXPECT_EQ(sender[Counter::Stalls], 0u);
  };
  expectSender(counts.host);
  expectSender(counts.cores.at(0));
  for (auto [core, copies] : {std::pair(0u, 1u), {1u, 1u}, {3u, 3u}}) {
    EXPECT_EQ(counts.cores.at(core)[Counter::WithinTile], copies);
    EXPECT_EQ(counts.cores.at(core)[Counter::AxonReads], copies);
    EXPECT_EQ(counts.cores.at(core)[Counter::SynopsDense], copies);
  }
  EXPECT_EQ(counts.links, (std::vector<LinkCount>{{0, 1, 2}, {1, 3, 2}}));
  // Without multicast each of the five deliveries is a message of its own.
  const Counts plain = runTree(Target::load("tiny")).counts;
  EXPECT_EQ(plain.host[Counter::Messages], 2u);
  EXPECT_EQ(plain.cores.at(0)[Counter::Messages], 3u);
  EXPECT_EQ(plain.links, (std::vector<LinkCount>{{0, 1, 4}, {1, 3, 3}}));
}

// Where nobody has two destinations, nothing changes.
TEST(DestinationSets, OneDestinationEachGivesTheSameBytes) {
  auto run = [](const Target &target) {
    return toBytes(runCycle(twoCores(), target, bothInputs(), RunOptions()));
  };
  EXPECT_EQ(run(tinyWithMulticast()), run(Target::load("tiny")));
}

} // namespace
} // namespace dendrolith::sim
