// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/result/Fans.cpp.

#include "compiler/mapping/result/Fans.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Two neurons of `a` with all three of `b`, but for the synapse that is 0.
MapNetwork twoToThree() {
  MapNetwork network;
  const uint32_t a = addPopulation(network, "a", 2);
  const uint32_t b = addPopulation(network, "b", 3);
  connect(network, false, a, b,
          [](uint32_t s, uint32_t t) { return s == 1 && t == 2 ? 0 : 5; });
  return network;
}

TEST(Fans, SynapsesOfANeuronThatAreNotZero) {
  Target target = chip(4, 1 << 16);
  const MapNetwork network = twoToThree();
  EXPECT_FALSE(fanInMisfit(network, target));
  target.limits.fanIn = 2;
  EXPECT_FALSE(fanInMisfit(network, target));
  target.limits.fanIn = 1;
  const auto misfit = fanInMisfit(network, target);
  ASSERT_TRUE(misfit);
  EXPECT_EQ(misfit->resource, "fan-in");
  EXPECT_EQ(misfit->message,
            "population 'b': neuron 0 has 2 synapses, 'loihi2' has at most 1: "
            "what would make it fit is fewer sources per neuron, another "
            "target, or --override-limit fan_in");
}

TEST(Fans, MessagesFollowTheMapping) {
  Target target = chip(4, 1 << 16);
  target.limits.fanOut = 1;
  const MapNetwork network = twoToThree();
  const Slice a = {0, 0, 2, 0, 0};
  EXPECT_FALSE(fanOutMisfit(network, target, {a, {1, 0, 3, 1, 0}}));
  // `b` lies on two cores.
  const auto misfit =
      fanOutMisfit(network, target, {a, {1, 0, 1, 1, 0}, {1, 1, 2, 2, 0}});
  ASSERT_TRUE(misfit);
  EXPECT_EQ(misfit->population, "a");
  EXPECT_EQ(misfit->used, 2u);
}

TEST(Fans, SynapsesOnOtherCoresFollowTheMapping) {
  Target target = chip(4, 1 << 16);
  target.limits.outAxonsPerNeuron = 2;
  const MapNetwork network = twoToThree();
  const Slice a = {0, 0, 2, 0, 0};
  EXPECT_FALSE(outAxonsMisfit(network, target, {a, {1, 0, 3, 0, 2}}));
  // Neuron 0 has three synapses, one of them on its own core; neuron 1 has two.
  EXPECT_FALSE(
      outAxonsMisfit(network, target, {a, {1, 0, 1, 0, 2}, {1, 1, 2, 1, 0}}));
  const auto misfit = outAxonsMisfit(network, target, {a, {1, 0, 3, 1, 0}});
  ASSERT_TRUE(misfit);
  EXPECT_EQ(misfit->used, 3u);
  EXPECT_NE(misfit->message.find(
                "population 'a': neuron 0 has 3 synapses on other cores, a "
                "neuron of 'loihi2' has entries for 2"),
            std::string::npos);
}

TEST(Fans, AMappingIsHeldToThem) {
  Target target = chip(4, 1 << 16);
  target.limits.fanIn = 1;
  auto rows = verify(twoToThree(), target, {{0, 0, 2, 0, 0}, {1, 0, 3, 1, 0}});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.misfit().resource, "fan-in");
}

} // namespace
