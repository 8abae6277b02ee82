// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/MappingMemo.h against mapNetwork(), its plain twin.

#include "compiler/mapping/MappingMemo.h"
#include "compiler/mapping/constraints/PlacementFile.h"

#include "compiler/mapping/network/MappingOptions.h"
#include "tests/compiler/mapping/Networks.h"

#include <gtest/gtest.h>

#include <atomic>

using namespace dendrolith;

namespace {

const std::vector<std::string> kNone;
const MappingOptions kPlain;

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
  const MapRequest asked{network, target, kNone, kPlain};
  Fit<Mapping> plain = mapNetwork(network, target);
  ASSERT_TRUE(plain);
  MappingMemo memo;
  // An answer that is not kept is not known.
  ASSERT_TRUE(memo.map(asked));
  ASSERT_TRUE(*memo.mapAll({asked}, 1).front().fit);
  EXPECT_EQ(memo.hits(), 0u);
  Fit<Mapping> again = memo.map(asked);
  EXPECT_EQ(memo.hits(), 1u);
  ASSERT_TRUE(again);
  EXPECT_EQ(formatPlacement(network, *again), formatPlacement(network, *plain));
  EXPECT_EQ(again->objective, plain->objective);
  memo.clear();
  ASSERT_TRUE(memo.map(asked));
  EXPECT_EQ(memo.hits(), 1u);
}

TEST(MappingMemo, SeveralNetworksGetTheAnswersThatEachGets) {
  const Target target = Target::load("tiny");
  std::vector<MapNetwork> networks(3, pair());
  networks[1].populations[0].size = 0; // is no network
  networks[2] = MapNetwork();
  test::addPopulation(networks[2], "large", 100000);
  std::vector<MapRequest> asked;
  for (const MapNetwork &network : networks)
    asked.push_back({network, target, kNone, kPlain});
  Fit<Mapping> plain = mapNetwork(networks[0], target);
  ASSERT_TRUE(plain);
  for (unsigned threads : {1u, 2u, 8u}) {
    MappingMemo memo;
    auto found = memo.mapAll(asked, threads);
    ASSERT_EQ(found.size(), 3u);
    ASSERT_TRUE(found[0].fit && *found[0].fit);
    EXPECT_EQ(formatPlacement(networks[0], **found[0].fit),
              formatPlacement(networks[0], *plain));
    EXPECT_EQ((*found[0].fit)->cost, plain->cost);
    EXPECT_FALSE(found[1].fit);
    EXPECT_THROW(std::rethrow_exception(found[1].error), Error);
    ASSERT_TRUE(found[2].fit);
    EXPECT_FALSE(*found[2].fit);
    EXPECT_EQ(found[2].fit->misfit().message,
              mapNetwork(networks[2], target).misfit().message);
  }
}

TEST(MappingMemo, AWatcherOfSeveralSearchesSeesOne) {
  const Target target = Target::load("tiny");
  const MapNetwork network = pair();
  int begun = 0, ended = 0;
  std::atomic<int> inside{0};
  auto control = std::make_shared<SearchControl>();
  control->onBegin = [&] { ++begun; };
  control->onEnd = [&](const std::string &) { ++ended; };
  control->onProgress = [&](const SearchProgress &) {
    EXPECT_EQ(++inside, 1);
    --inside;
  };
  MappingOptions options;
  options.control = control;
  MappingMemo memo;
  memo.mapAll(std::vector<MapRequest>(4, {network, target, kNone, options}), 4);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
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
  for (const MappingOptions &options : {timed, reweighed, stopped}) {
    const MapRequest asked{network, target, kNone, options};
    memo.mapAll({asked}, 1);
    (void)memo.map(asked);
  }
  EXPECT_EQ(memo.hits(), 0u);
}

TEST(MappingMemo, EveryArgumentIsInTheDigest) {
  const Target target = Target::load("tiny");
  const MapNetwork network = pair();
  auto of = [](const MapNetwork &network, const Target &target,
               const std::vector<std::string> &lifted,
               const MappingOptions &options) {
    return digestOf({network, target, lifted, options});
  };
  const std::string plain = of(network, target, {}, {});
  EXPECT_EQ(of(MapNetwork(network), target, {}, {}), plain);
  EXPECT_NE(of(network, Target::load("loihi1"), {}, {}), plain);
  EXPECT_NE(of(network, target, {"cores"}, {}), plain);
  auto changed = [&](auto change) {
    MapNetwork other = network;
    change(other);
    return of(other, target, {}, {});
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
    return of(network, target, {}, options);
  };
  EXPECT_NE(asked([](auto &o) { o.goal = "time"; }), plain);
  EXPECT_NE(asked([](auto &o) { o.costs = "time"; }), plain);
  EXPECT_NE(asked([](auto &o) { o.minCores = 2; }), plain);
  EXPECT_NE(asked([](auto &o) { o.model = {{0, 0, 4, 1, 0}}; }), plain);
  EXPECT_EQ(asked([](auto &o) { o.threads = 2; }), plain);
}

} // namespace
