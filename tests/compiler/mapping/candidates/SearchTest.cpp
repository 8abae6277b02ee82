// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/candidates/: which mapping is chosen, and what is said of
// it.

#include "compiler/mapping/candidates/Search.h"
#include "compiler/mapping/constraints/PlacementFile.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "tests/compiler/mapping/Networks.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// A population that one core of loihi1 holds, whose updates 128 do faster.
MapNetwork busy() {
  MapNetwork network;
  addInput(network, "in", 8);
  addPopulation(network, "a", 1000);
  dense(network, true, 0, 0);
  network.inputRate = {std::vector<double>(8, 0.1)};
  network.populationRate = {std::vector<double>(1000, 0.01)};
  return network;
}

Mapping mapFor(const MapNetwork &network, const std::string &goal,
               uint32_t least = 0, uint32_t most = 0) {
  MappingOptions options;
  options.goal = goal;
  options.minCores = least;
  options.maxCores = most;
  return mapped(network, Target::load("loihi1"), options);
}

uint64_t coresOf(const Mapping &mapping) {
  std::set<uint32_t> cores;
  for (const Slice &slice : mapping.slices)
    cores.insert(slice.core);
  return cores.size();
}

double term(const Mapping &mapping, const std::string &name) {
  for (const MappingTerm &term : mapping.terms)
    if (term.name == name)
      return term.value;
  return -1;
}

TEST(Search, GoalsHaveNames) {
  EXPECT_EQ(goalOf(""), Goal::Balanced);
  EXPECT_EQ(goalOf("edp"), Goal::Edp);
  EXPECT_HAS(errorOf([] { goalOf("luck"); }),
             "there is no mapping goal 'luck', expected 'balanced'");
}

TEST(Search, TheChipIsUsedWithoutBeingAsked) {
  Mapping few = mapFor(busy(), "cores"), balanced = mapFor(busy(), "");
  EXPECT_EQ(coresOf(few), 1u);
  EXPECT_GT(coresOf(balanced), 8u);
  EXPECT_LT(term(balanced, "step"), term(few, "step") / 4);
  EXPECT_LT(term(balanced, "energy"), term(few, "energy"));
  EXPECT_HAS(balanced.fewerCores,
             "1 cores are the fewest of the mappings tried");
}

TEST(Search, EachGoalIsServedBestByItsOwnMapping) {
  Mapping time = mapFor(busy(), "time"), energy = mapFor(busy(), "energy"),
          few = mapFor(busy(), "cores");
  EXPECT_LE(term(time, "step"), term(energy, "step"));
  EXPECT_LE(term(energy, "energy"), term(time, "energy"));
  EXPECT_LE(coresOf(few), coresOf(energy));
}

TEST(Search, CoresAreWithinWhatIsAllowed) {
  for (auto [least, most] : {std::pair{3u, 5u}, {1u, 2u}, {7u, 7u}}) {
    uint64_t cores = coresOf(mapFor(busy(), "time", least, most));
    EXPECT_GE(cores, least);
    EXPECT_LE(cores, most);
  }
  MapNetwork wide;
  addPopulation(wide, "a", 3000);
  EXPECT_HAS(errorOf([&] { mapFor(wide, "", 0, 2); }),
             "at most 2 cores of target 'loihi1' are allowed, no mapping takes "
             "fewer than 3: the network needs 3000 neurons");
}

TEST(Search, FewCoresAreAsFewAsThereCanBe) {
  // Apart they would have less work on the busiest core.
  MapNetwork two;
  addInput(two, "in", 8);
  for (const char *name : {"a", "b"})
    dense(two, true, 0, addPopulation(two, name, 50));
  EXPECT_EQ(coresOf(mapFor(two, "cores")), 1u);
  EXPECT_EQ(coresOf(mapFor(two, "cores", 2)), 2u);
}

TEST(Search, WhoDoesNotSearchKeepsToTheCoresToo) {
  MapNetwork wide;
  addPopulation(wide, "a", 3000);
  MappingOptions options;
  options.solver = "packed";
  options.maxCores = 3;
  EXPECT_NO_THROW(mapped(wide, Target::load("loihi1"), options));
  options.minCores = options.maxCores = 4;
  EXPECT_EQ(coresOf(mapped(wide, Target::load("loihi1"), options)), 4u);
  options.minCores = 0;
  options.maxCores = 3;
  options.solver.clear();
  options.placementFile = "here.yaml";
  EXPECT_HAS(errorOf([&] { mapped(wide, Target::load("loihi1"), options); }),
             "at most 3 cores are asked for, but 'here.yaml' says");
}

/// A ring of 1,024 neurons that reach their next 32. Stretches of 64 lie
/// together, shuffled within and among each other, so that 16 equal cuts keep
/// neighbours together and others part them.
MapNetwork shuffledRing() {
  constexpr uint32_t kAll = 1024, kStretch = 64;
  MapNetwork network;
  addPopulation(network, "a", kAll);
  auto place = [](uint32_t i) {
    return i / kStretch * 7 % (kAll / kStretch) * kStretch + i * 29 % kStretch;
  };
  connect(network, false, 0, 0,
          [&](uint32_t s, uint32_t t) -> std::optional<int> {
            const uint32_t away = (place(t) - place(s)) % kAll;
            if (away >= 1 && away <= 32)
              return 1;
            return std::nullopt;
          });
  network.populationRate = {std::vector<double>(kAll, 0.02)};
  return network;
}

TEST(Search, WhereAxonsEndTheSweepNeuronsAreRegrouped) {
  Target target = Target::load("loihi1");
  // A stretch has 64 + 32 sources, and what lies across two has more.
  target.limits.inAxons = 100;
  MappingOptions options;
  options.maxCores = 100;
  EXPECT_GT(coresOf(mapped(shuffledRing(), target, options)), 32u);
}

TEST(Search, NeverWorseThanAsFewCoresAsFit) {
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  ChipModel model(target);
  for (uint32_t seed = 700; seed < 708; ++seed) {
    MapNetwork network = randomNetwork(seed);
    MappingOptions few;
    few.goal = "cores";
    Mapping mapping = mapped(network, target);
    EXPECT_LE(term(mapping, "energy") * term(mapping, "step"),
              term(mapped(network, target, few), "energy") *
                  term(mapped(network, target, few), "step") * (1 + 1e-9))
        << seed;
    EXPECT_LE(mapping.cost, mapping.baselineCost * (1 + 1e-9)) << seed;
  }
}

TEST(Search, TheReportListsWhatWasLookedAt) {
  Mapping mapping = mapFor(busy(), "");
  ASSERT_GT(mapping.tradeOff.size(), 3u);
  size_t chosen = 0;
  for (size_t i = 0; i < mapping.tradeOff.size(); ++i) {
    chosen += mapping.tradeOff[i].chosen;
    if (i > 0) {
      EXPECT_LE(mapping.tradeOff[i - 1].cores, mapping.tradeOff[i].cores);
    }
  }
  EXPECT_EQ(chosen, 1u);
  EXPECT_TRUE(mapping.tradeOff.front().pareto);
  EXPECT_HAS(mapping.objective, "davies2018");
  EXPECT_HAS(mapping.activity, "--calibrate");
  ASSERT_FALSE(mapping.hotspots.empty());
  EXPECT_HAS(mapping.hotspots.front().where, "core ");
  EXPECT_HAS(mapping.hotspots.front().cause, "of 'a'");
}

TEST(Search, RemediesHoldWhenTheSameMappingIsTried) {
  MappingOptions options;
  options.solver = "packed"; // which is one mapping at all times
  const Mapping mapping = mapped(busy(), Target::load("loihi1"), options);
  size_t remedies = 0;
  for (const Hotspot &spot : mapping.hotspots) {
    const size_t at = spot.remedy.find("--target ");
    if (at == std::string::npos)
      continue;
    ++remedies;
    const Mapping tried =
        mapped(busy(), Target::load(spot.remedy.substr(at + 9)), options);
    EXPECT_HAS(spot.remedy,
               fmt::format("at least {:.0f} % less of a step with ",
                           std::floor(90 * (1 - term(tried, "step") /
                                                    term(mapping, "step")))));
  }
  EXPECT_EQ(remedies, 1u); // the other one gains too little
}

TEST(Search, NoRemedyPromisesMoreThanANewMappingGains) {
  const std::string forTime = " --map-for time";
  MappingOptions time;
  time.goal = "time";
  size_t others = 0, remedies = 0;
  for (double rate : {0.01, 0.1, 0.4}) {
    MapNetwork network = busy();
    network.populationRate[0].assign(1000, rate);
    const Mapping mapping = mapped(network, Target::load("loihi1"));
    for (const Hotspot &spot : mapping.hotspots) {
      const size_t at = spot.remedy.find("--target "),
                   end = spot.remedy.find(forTime);
      if (at == std::string::npos)
        continue;
      ASSERT_EQ(end + forTime.size(), spot.remedy.size()) << spot.remedy;
      ++remedies;
      const Mapping tried =
          mapped(network,
                 Target::load(spot.remedy.substr(at + 9, end - at - 9)), time);
      others += coresOf(network, tried.slices, tried.order) !=
                coresOf(network, mapping.slices, mapping.order);
      EXPECT_LE(std::stod(spot.remedy.substr(std::string("at least ").size())),
                100 * (1 - term(tried, "step") / term(mapping, "step")))
          << rate << " " << spot.remedy;
    }
  }
  EXPECT_GT(remedies, 3u);
  EXPECT_GT(others, 0u);
}

TEST(Search, FeatureMapsInTilesWhereThatFits) {
  // 4 maps of 32 x 32 under a 3 x 3 window of 8 source maps: rows of all source
  // maps are more in-axons than a core has.
  MapNetwork network;
  addPopulation(network, "from", 8 * 1024);
  addPopulation(network, "to", 4 * 1024);
  network.populations[1].grid = {4, 32, 32};
  connect(network, false, 0, 1,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            int dy = int(s / 32 % 32) - int(t / 32 % 32),
                dx = int(s % 32) - int(t % 32);
            if (dy * dy > 1 || dx * dx > 1)
              return std::nullopt;
            return 1 + int(s / 1024) + int(t / 1024);
          })
      .shared = true;
  Target target = Target::load("loihi1");
  target.limits.inAxons = 3000;
  Mapping mapping = mapped(network, target);
  ASSERT_EQ(mapping.order.size(), 2u);
  EXPECT_EQ(mapping.order[1].size(), 4096u);
}

TEST(Search, AnInterruptTakesTheBestSoFar) {
  const Target target = Target::load("loihi1");
  auto control = std::make_shared<SearchControl>();
  int begun = 0, ended = 0;
  SearchProgress last;
  std::string why;
  control->onBegin = [&] { ++begun; };
  control->onProgress = [&](const SearchProgress &now) { last = now; };
  control->onEnd = [&](const std::string &cutShort) {
    ++ended;
    why = cutShort;
  };
  control->mustStop = [&] { return last.looked >= 3; };
  MappingOptions options;
  options.control = control;
  const Mapping mapping = mapped(busy(), target, options);
  expectMapping(busy(), target, mapping);
  EXPECT_EQ(mapping.cutShort, "interrupted: best of 3 mappings");
  EXPECT_HAS(mapping.objective, "; interrupted: best of 3 mappings");
  EXPECT_EQ(mapping.tradeOff.size(), 3u);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(why, mapping.cutShort);
  EXPECT_EQ(last.cores, coresOf(mapping));
  EXPECT_GE(last.fewest, 1u);
  control->mustStop = nullptr;
  EXPECT_EQ(mapped(busy(), target, options).cutShort, "");
  EXPECT_EQ(why, "");
}

/// In the given order each core hears all sources, which are too many.
MapNetwork scattered() {
  MapNetwork network;
  addPopulation(network, "from", 256);
  addPopulation(network, "to", 256);
  connect(network, false, 0, 1,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if (s % 4 != t % 4)
              return std::nullopt;
            return 1;
          });
  return network;
}

Target narrow() {
  Target target = Target::load("loihi1");
  target.limits.inAxons = 70;
  target.mesh.tilesX = target.mesh.tilesY = 2;
  target.limits.compartmentsPerCore = 64;
  return target;
}

TEST(Search, AnInterruptBeforeAnyMappingIsAnError) {
  MappingOptions options;
  ASSERT_FALSE(mapped(scattered(), narrow(), options).order.empty());
  auto control = std::make_shared<SearchControl>();
  control->mustStop = [] { return true; };
  int ended = 0;
  control->onEnd = [&](const std::string &) { ++ended; };
  options.control = control;
  EXPECT_HAS(errorOf([&] { mapped(scattered(), narrow(), options); }),
             "the search for a mapping ended before one was found "
             "(interrupted: best of 0 mappings); give it more time");
  EXPECT_EQ(ended, 1);
}

TEST(Search, AnyNumberOfThreadsGivesTheSameMapping) {
  for (bool regrouped : {false, true}) {
    const MapNetwork network = regrouped ? scattered() : busy();
    const Target target = regrouped ? narrow() : Target::load("loihi1");
    std::string first;
    for (unsigned threads : {1u, 2u, 5u}) {
      MappingOptions options;
      options.threads = threads;
      const Mapping mapping = mapped(network, target, options);
      EXPECT_EQ(mapping.order.empty(), !regrouped);
      std::string text = formatPlacement(network, mapping);
      for (const TradeOff &row : mapping.tradeOff)
        text += fmt::format("{} {} {} {}\n", row.cores, row.stepNs, row.stepPj,
                            row.how);
      if (first.empty())
        first = text;
      EXPECT_EQ(text, first) << threads << " threads";
    }
  }
}

} // namespace
