// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three populations on two cores, `a` and `b` on one of them, small enough to
// say by hand what each of them causes. Core 0 is on tile 0, as the host is,
// core 3 on tile 3, one hop east and one south.
//
//   step 0: in 0 and in 1 enter (tick 0).
//   step 1: in 1 enters (tick 1). `a` tick 0: a0 gets 100, fires; a1 gets 50.
//           `b` tick 0: b0 gets 50, fires.
//   step 2: `a` tick 1: a0 gets a stored zero; a1 reaches 105, fires.
//           `b` tick 1: u of b0 is not 0 yet.
//           `c` tick 0: c1 gets 70 + 20, fires; c0 gets 20.
//   step 3: `c` tick 1: both get 10.

#include "simulator/events/Attribution.h"

#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"
#include "tests/simulator/events/ExpectCounts.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;
using C = Counter;

RunResult attributedRun(bool multicast = false) {
  ProgramBuilder b(/*period=*/1, /*depth=*/3);
  b.population("a", 2, 1).population("b", 1, 1).population("c", 2, 2);
  b.binaryInput("in", 2, 0);
  b.group(0, "a", 0, 2, cuba(60)).group(0, "b", 0, 1, cuba(40));
  b.group(3, "c", 0, 2, cuba(60));
  b.connect("in", 0, 0, b.axon(0, 0, {100, 0}, {}, 0, 0, 1));
  b.connect("in", 0, 0, b.axon(0, 2, {50}, {}, 0, 0, 2)); // b0
  b.connect("in", 1, 0, b.axon(0, 0, {0, 50}, {}, 0, 0, 1));
  b.connect("a", 0, 3, b.axon(3, 0, {70}, {1}, 0, 0, 2)); // sparse: c1
  b.connect("a", 1, 3, b.axon(3, 0, {10, 10}, {}, 0, 0, 1));
  b.connect("b", 0, 0, b.axon(0, 0, {5}, {1}, 0, 0, 1)); // sparse: a1
  b.connect("b", 0, 3, b.axon(3, 0, {20, 20}, {}, 0, 0, 1));
  b.output("out", "c", "s");
  b.output("membrane", "a", "v"); // a1 after tick 0
  Target target = mesh(2, 2);
  target.mesh.multicast = multicast;
  return runFunctional(b.build(), target, {{"in", samples({{{1, 1}, {0, 1}}})}},
                       {});
}

TEST(Attribution, LayersByHand) {
  const RunResult result = attributedRun();
  const Attribution &by = result.attribution;
  expectCounts(
      "chip", by.chip,
      {{C::Steps, 4}, {C::Tokens, 2}, {C::Barriers, 4}, {C::Resets, 1}});
  ASSERT_EQ(by.layers.size(), 4u);
  EXPECT_EQ(by.layers[0].name, "in");
  EXPECT_TRUE(by.layers[0].isInput);
  EXPECT_EQ(by.layers[0].neurons, 2u);
  expectCounts("in", by.layers[0].counts,
               {{C::Inputs, 3},
                {C::Messages, 4},
                {C::Flits, 4},
                {C::HostMessages, 4},
                {C::HostFlits, 4},
                {C::WithinTile, 4}});
  EXPECT_EQ(by.layers[1].name, "a");
  EXPECT_FALSE(by.layers[1].isInput);
  expectCounts("a", by.layers[1].counts,
               {{C::SpikesBinary, 2},
                {C::UpdatesActive, 4},
                {C::Outputs, 1},
                {C::Messages, 3}, // two to c, one to the host
                {C::Flits, 3},
                {C::HopsEw, 2},
                {C::HopsNs, 2},
                {C::HostMessages, 1},
                {C::HostFlits, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 4}, // three from in, one from b
                {C::SynmemWords, 4},
                {C::SynopsDense, 6},
                {C::SynopsSparse, 1}});
  EXPECT_EQ(by.layers[2].name, "b");
  expectCounts("b", by.layers[2].counts,
               {{C::SpikesBinary, 1},
                {C::UpdatesActive, 2},
                {C::Messages, 2},
                {C::Flits, 2},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 1},
                {C::SynmemWords, 2},
                {C::SynopsDense, 1}});
  EXPECT_EQ(by.layers[3].name, "c");
  expectCounts("c", by.layers[3].counts,
               {{C::SpikesBinary, 1},
                {C::UpdatesActive, 4},
                {C::Outputs, 1},
                {C::Messages, 1},
                {C::Flits, 1},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::HostMessages, 1},
                {C::HostFlits, 1},
                {C::HostHopsEw, 1},
                {C::HostHopsNs, 1},
                {C::AxonReads, 3},
                {C::SynmemWords, 4},
                {C::SynopsDense, 4},
                {C::SynopsSparse, 1}});
  EXPECT_TRUE(by.total() == result.counts.total());
}

TEST(Attribution, FlowsByHand) {
  const Attribution by = attributedRun().attribution;
  struct Flow {
    uint32_t source, target;
    ExpectedCounts counts;
  };
  constexpr uint32_t in = 0, a = 1, b = 2, c = 3, host = FlowCounts::host;
  const std::vector<Flow> expected = {{in,
                                       a,
                                       {{C::Messages, 3},
                                        {C::Flits, 3},
                                        {C::HostMessages, 3},
                                        {C::HostFlits, 3},
                                        {C::WithinTile, 3},
                                        {C::AxonReads, 3},
                                        {C::SynmemWords, 3},
                                        {C::SynopsDense, 6}}},
                                      {in,
                                       b,
                                       {{C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HostMessages, 1},
                                        {C::HostFlits, 1},
                                        {C::WithinTile, 1},
                                        {C::AxonReads, 1},
                                        {C::SynmemWords, 2},
                                        {C::SynopsDense, 1}}},
                                      {a,
                                       c,
                                       {{C::Messages, 2},
                                        {C::Flits, 2},
                                        {C::HopsEw, 2},
                                        {C::HopsNs, 2},
                                        {C::WithinTile, 2},
                                        {C::AxonReads, 2},
                                        {C::SynmemWords, 3},
                                        {C::SynopsDense, 2},
                                        {C::SynopsSparse, 1}}},
                                      {a,
                                       host,
                                       {{C::Outputs, 1},
                                        {C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HostMessages, 1},
                                        {C::HostFlits, 1}}},
                                      {b,
                                       a,
                                       {{C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::WithinTile, 1},
                                        {C::AxonReads, 1},
                                        {C::SynmemWords, 1},
                                        {C::SynopsSparse, 1}}},
                                      {b,
                                       c,
                                       {{C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HopsEw, 1},
                                        {C::HopsNs, 1},
                                        {C::WithinTile, 1},
                                        {C::AxonReads, 1},
                                        {C::SynmemWords, 1},
                                        {C::SynopsDense, 2}}},
                                      {c,
                                       host,
                                       {{C::Outputs, 1},
                                        {C::Messages, 1},
                                        {C::Flits, 1},
                                        {C::HopsEw, 1},
                                        {C::HopsNs, 1},
                                        {C::HostMessages, 1},
                                        {C::HostFlits, 1},
                                        {C::HostHopsEw, 1},
                                        {C::HostHopsNs, 1}}}};
  ASSERT_EQ(by.flows.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(by.flows[i].source, expected[i].source) << i;
    EXPECT_EQ(by.flows[i].target, expected[i].target) << i;
    expectCounts("flow " + std::to_string(i), by.flows[i].counts,
                 expected[i].counts);
  }
}

/// A message to `a` and `c` at once belongs to neither flow alone; where it is
/// served it does.
TEST(Attribution, OneMessageToSeveralPopulations) {
  const RunResult result = attributedRun(/*multicast=*/true);
  const Attribution &by = result.attribution;
  EXPECT_TRUE(by.total() == result.counts.total());
  expectCounts("b", by.layers[2].counts,
               {{C::SpikesBinary, 1},
                {C::UpdatesActive, 2},
                {C::Messages, 1},
                {C::Flits, 1},
                {C::HopsEw, 1},
                {C::HopsNs, 1},
                {C::WithinTile, 2},
                {C::AxonReads, 1},
                {C::SynmemWords, 2},
                {C::SynopsDense, 1}});
  bool found = false;
  for (const FlowCounts &flow : by.flows) {
    if (flow.source != 2)
      continue;
    EXPECT_EQ(flow.counts[C::Messages], flow.target == FlowCounts::several);
    EXPECT_EQ(flow.counts[C::WithinTile], flow.target != FlowCounts::several);
    found |= flow.target == FlowCounts::several;
  }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace dendrolith::sim
