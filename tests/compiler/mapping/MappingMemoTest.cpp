// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/MappingMemo.h against mapNetwork(), its plain twin.

#include "compiler/mapping/MappingMemo.h"

#include "compiler/mapping/SearchControl.h"
#include "tests/compiler/mapping/Networks.h"

#include <gtest/gtest.h>

using namespace neurite;

namespace {

/// Two populations, one feeding the other.
MapNetwork pair() {
  MapNetwork network;
  test::addPopulation(network, "first", 4);
  test::addPopulation(network, "second", 4);
  test::dense(network, false, 0, 1);
  return network;
}

TEST(MappingMemo, GivesAKnownAnswerOnceMore) {
  const Target target = Target::load("tiny");
  const MapNetwork network = pair();
  Fit<Mapping> plain = mapNetwork(network, target);
  ASSERT_TRUE(plain);
  MappingMemo memo;
  // What nobody keeps is not known.
  ASSERT_TRUE(memo.map(network, target, {}, {}, false));
  ASSERT_TRUE(memo.map(network, target, {}, {}, true));
  EXPECT_EQ(memo.hits(), 0u);
  Fit<Mapping> again = memo.map(network, target, {}, {}, false);
  EXPECT_EQ(memo.hits(), 1u);
  ASSERT_TRUE(again);
  EXPECT_EQ(formatPlacement(network, *again), formatPlacement(network, *plain));
  EXPECT_EQ(again->objective, plain->objective);
  memo.clear();
  ASSERT_TRUE(memo.map(network, target, {}, {}, false));
  EXPECT_EQ(memo.hits(), 1u);
}

TEST(MappingMemo, KeepsNothingThatAClockOrAnExecutionDecided) {
  const Target target = Target::load("tiny");
  const MapNetwork network = pair();
  MappingMemo memo;
  MappingOptions timed, reweighed, stopped;
  timed.seconds = 60;
  auto weighs = std::make_shared<SearchControl>();
  weighs->reweighing = std::make_shared<Reweighing>();
  reweighed.control = weighs;
  auto stops = std::make_shared<SearchControl>();
  stops->mustStop = [] { return true; };
  stopped.control = stops;
  for (const MappingOptions &options : {timed, reweighed, stopped})
    for (int i = 0; i < 2; ++i)
      (void)memo.map(network, target, {}, options, true);
  EXPECT_EQ(memo.hits(), 0u);
}

TEST(MappingMemo, EveryArgumentIsInTheDigest) {
  const Target target = Target::load("tiny");
  const MapNetwork network = pair();
  const std::string plain = digestOf(network, target, {}, {});
  EXPECT_EQ(digestOf(MapNetwork(network), target, {}, {}), plain);
  EXPECT_NE(digestOf(network, Target::load("loihi1"), {}, {}), plain);
  EXPECT_NE(digestOf(network, target, {"cores"}, {}), plain);
  auto changed = [&](auto change) {
    MapNetwork other = network;
    change(other);
    return digestOf(other, target, {}, {});
  };
  EXPECT_NE(changed([](auto &n) { n.period = 2; }), plain);
  EXPECT_NE(changed([](auto &n) { n.populations[1].programWords = 9; }), plain);
  EXPECT_NE(changed([](auto &n) { n.populations[0].work.slots[1] = 9; }),
            plain);
  EXPECT_NE(changed([](auto &n) { ++n.projections[0].weight[0]; }), plain);
  EXPECT_NE(changed([](auto &n) { n.projections[0].delay = 3; }), plain);
  EXPECT_NE(changed([](auto &n) { n.populationActivity = {{1}}; }), plain);
  EXPECT_NE(changed([](auto &n) { n.hostOutput = {0, 1}; }), plain);
  auto asked = [&](auto change) {
    MappingOptions options;
    change(options);
    return digestOf(network, target, {}, options);
  };
  EXPECT_NE(asked([](auto &o) { o.goal = "time"; }), plain);
  EXPECT_NE(asked([](auto &o) { o.costs = "time"; }), plain);
  EXPECT_NE(asked([](auto &o) { o.minCores = 2; }), plain);
  EXPECT_NE(asked([](auto &o) { o.model = {{0, 0, 4, 1, 0}}; }), plain);
  EXPECT_EQ(asked([](auto &o) { o.threads = 2; }), plain);
}

} // namespace
