// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole networks onto whole chips.

#include "compiler/mapping/result/Measure.h"
#include "tests/compiler/mapping/Networks.h"

#include <algorithm>
#include <chrono>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

bool same(const Mapping &a, const Mapping &b) {
  return a.slices.size() == b.slices.size() &&
         std::equal(a.slices.begin(), a.slices.end(), b.slices.begin(),
                    [](const Slice &x, const Slice &y) {
                      return x.population == y.population &&
                             x.first == y.first && x.count == y.count &&
                             x.core == y.core && x.base == y.base;
                    }) &&
         a.cost == b.cost && a.baselineCost == b.baselineCost;
}

/// A chip on which random networks take dozens of cores.
Target smallCores() {
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  return target;
}

TEST(Mapping, NeverWorseThanRoundRobinAndAlwaysTheSame) {
  Target target = smallCores();
  for (uint32_t seed = 100; seed < 108; ++seed) {
    MapNetwork network = randomNetwork(seed);
    Mapping mapping = mapped(network, target);
    EXPECT_LE(mapping.cost, mapping.baselineCost) << seed;
    expectMapping(network, target, mapping);
    EXPECT_TRUE(same(mapping, mapped(network, target))) << seed;
    Mapping dealt = mapWith(network, target, "round-robin");
    EXPECT_EQ(dealt.solver, "round-robin");
    EXPECT_LE(mapping.cost, dealt.cost) << seed;
  }
}

/// 16 chains of 4 full-core populations, numbered across the chains so that
/// dealing in turn sets neighbours far apart.
MapNetwork chains() {
  MapNetwork network;
  for (uint32_t stage = 0; stage < 4; ++stage)
    for (uint32_t chain = 0; chain < 16; ++chain)
      addPopulation(network,
                    "c" + std::to_string(chain) + "_" + std::to_string(stage),
                    64);
  for (uint32_t p = 0; p + 16 < 64; ++p)
    oneToOne(network, false, p, p + 16);
  return network;
}

// Slices on cores in turn are the baseline itself; of others it is evaluated.
TEST(Mapping, WhatLiesInTurnIsItsOwnBaseline) {
  const MapNetwork network = chains();
  MappingOptions turn, mixed;
  for (uint32_t p = 0; p < 64; ++p) {
    turn.model.push_back({p, 0, 64, p});
    mixed.model.push_back({p, 0, 64, p * 37 % 64});
  }
  const Mapping inTurn = mapped(network, smallCores(), turn);
  for (unsigned threads : {1u, 2u}) {
    mixed.threads = threads;
    const Mapping other = mapped(network, smallCores(), mixed);
    EXPECT_NE(other.cost, other.baselineCost);
    EXPECT_EQ(inTurn.cost, other.baselineCost);
    ASSERT_EQ(inTurn.terms.size(), other.terms.size());
    for (size_t i = 0; i < inTurn.terms.size(); ++i) {
      EXPECT_EQ(inTurn.terms[i].value, inTurn.terms[i].baseline);
      EXPECT_EQ(inTurn.terms[i].value, other.terms[i].baseline);
    }
  }
}

TEST(Mapping, StructuredNetworksGainStrictly) {
  Mapping mapping = mapped(chains(), smallCores());
  // Chains come together: most messages stay on their tile.
  EXPECT_LT(termOf(mapping, "hops"), 0.25 * termOf(mapping, "messages"));
  EXPECT_LT(mapping.cost, mapping.baselineCost);
}

TEST(Mapping, CostIsEnergyTimesTimeByHand) {
  // Two full cores of tiny and a host: 16 one-to-one messages of rate 1/2.
  Target target = Target::load("tiny");
  MapNetwork network;
  addPopulation(network, "a", 16);
  addPopulation(network, "b", 16);
  oneToOne(network, false, 0, 1);
  network.populationRate = {std::vector<double>(16, 0.5), {}};
  network.hostOutput = {0, 1};
  Mapping mapping = mapWith(network, target, "round-robin");
  // a on core 0, b on core 1: 8 hops to b, 16 back to the host at tile 0.
  EXPECT_DOUBLE_EQ(termOf(mapping, "messages"), 8 + 16);
  EXPECT_DOUBLE_EQ(termOf(mapping, "hops"), 8 + 16);
  EXPECT_DOUBLE_EQ(mapping.busiestLink, 16);
  // Energy and time of the whole step: 32 active updates of 2 ns in two cores,
  // and 10 mW all the while.
  EXPECT_DOUBLE_EQ(mapping.cost,
                   termOf(mapping, "energy") * termOf(mapping, "step"));
  EXPECT_DOUBLE_EQ(termOf(mapping, "static energy"),
                   10 * termOf(mapping, "step"));
  EXPECT_EQ(mapping.costUnit, "pJ ns/tick");
  EXPECT_LE(mapped(network, target).cost, mapping.cost);
}

TEST(Mapping, FitTableByHand) {
  Target target = Target::load("tiny");
  MapNetwork network;
  addInput(network, "in", 3);
  addPopulation(network, "a", 10);
  addPopulation(network, "b", 4);
  dense(network, true, 0, 0);  // 3 lists of 10: 90 bits, 2 words each
  dense(network, false, 0, 1); // 10 lists of 4: 1 word each
  network.populations[0].decayProfile.assign(10, 0);
  network.populations[0].decayProfile[3] = 1;
  network.populations[1].decayProfile.assign(4, 1);
  network.hostOutput = {1};
  std::vector<Slice> slices = {{0, 0, 10, 2, 0}, {1, 0, 4, 2, 10}};
  std::vector<FitRow> fit = measure(network, target, slices);
  struct Expected {
    const char *resource, *unit;
    uint64_t used, limit;
    uint32_t core;
    const char *population;
  };
  std::vector<Expected> expected = {
      {"neurons", "neurons", 14, 16, 2, "a"},
      {"synapse memory", "words", 6 + 10, 64, 2, "b"},
      {"in-axons", "entries", 3 + 10, 32, 2, "b"},
      {"out-axons", "entries", 10 + 10, 32, 2, "a"},
      {"decay profiles", "profiles", 2, 4, 2, "a"},
      {"threshold profiles", "profiles", 2, 4, 2, "a"},
      {"synapse formats", "formats", 1, 4, 2, "a"},
      {"cores", "cores", 1, 4, 0, "a"}};
  ASSERT_EQ(fit.size(), expected.size());
  for (size_t i = 0; i < fit.size(); ++i) {
    EXPECT_EQ(fit[i].resource, expected[i].resource);
    EXPECT_EQ(fit[i].unit, expected[i].unit) << fit[i].resource;
    EXPECT_EQ(fit[i].used, expected[i].used) << fit[i].resource;
    EXPECT_EQ(fit[i].limit, expected[i].limit) << fit[i].resource;
    EXPECT_EQ(fit[i].worstCore, expected[i].core) << fit[i].resource;
    EXPECT_EQ(fit[i].population, expected[i].population) << fit[i].resource;
  }
}

TEST(Mapping, VerifyRefusesCorruptedMappings) {
  Target target = Target::load("tiny");
  MapNetwork network;
  addPopulation(network, "a", 12);
  addPopulation(network, "b", 6);
  std::vector<Slice> good = {{0, 0, 6, 0, 0}, {1, 0, 6, 0, 6}, {0, 6, 6, 1, 0}};
  EXPECT_NO_THROW(solved(verify(network, target, good)));
  auto refused = [&](size_t slice, auto change) {
    std::vector<Slice> bad = good;
    change(bad[slice]);
    return errorOf([&] { solved(verify(network, target, bad)); });
  };
  EXPECT_HAS(refused(2, [](Slice &s) { s.first = 7, s.count = 5; }),
             "expected neuron 6 next, found a slice from 7");
  EXPECT_HAS(refused(2, [](Slice &s) { s.first = 5, s.count = 7; }),
             "expected neuron 6 next, found a slice from 5");
  EXPECT_HAS(refused(2, [](Slice &s) { s.count = 5; }),
             "population 'a': neurons 11 to 11 are placed on no core");
  EXPECT_HAS(refused(2, [](Slice &s) { s.count = 7; }),
             "population 'a' has 12 neurons, a slice ends at 13");
  EXPECT_HAS(refused(1, [](Slice &s) { s.count = 0; }), "empty slice");
  EXPECT_HAS(refused(1, [](Slice &s) { s.population = 2; }),
             "a slice of population 2");
  EXPECT_HAS(refused(1, [](Slice &s) { s.base = 5; }),
             "starts at accumulator 5, the slice before it ends at 6");
  EXPECT_HAS(refused(1, [](Slice &s) { s.base = 11; }),
             "core 0: needs 17 neurons, a core of 'tiny' has 16");
  EXPECT_HAS(refused(2, [](Slice &s) { s.core = 4; }), "is on core 4");
  EXPECT_HAS(refused(2, [](Slice &s) { s.core = 0, s.base = 12; }),
             "core 0: needs 18 neurons");
}

TEST(Mapping, IdealIsOneCore) {
  MapNetwork network = randomNetwork(7);
  Mapping mapping = mapped(network, Target::load("ideal"));
  EXPECT_EQ(mapping.slices.size(), network.populations.size());
  for (const Slice &slice : mapping.slices)
    EXPECT_EQ(slice.core, 0u);
  EXPECT_EQ(row(mapping, "cores").used, 1u);
  EXPECT_EQ(row(mapping, "synapse memory").limit, 0u);
}

TEST(Mapping, NothingAndEmptyPopulations) {
  MapNetwork network;
  EXPECT_TRUE(mapped(network, Target::load("tiny")).slices.empty());
  addPopulation(network, "none", 0);
  addPopulation(network, "one", 1);
  Mapping mapping = mapped(network, Target::load("tiny"));
  ASSERT_EQ(mapping.slices.size(), 1u);
  EXPECT_EQ(mapping.slices[0].population, 1u);
}

TEST(Mapping, RefusesBadNetworksAndSolvers) {
  MapNetwork network;
  addPopulation(network, "a", 4);
  dense(network, false, 0, 0);
  Target target = Target::load("tiny");
  EXPECT_HAS(errorOf([&] { mapWith(network, target, "best"); }),
             "no mapping solver 'best', expected 'default', "
             "'round-robin', 'packed' or 'iterative-split'");
  MapNetwork bad = network;
  bad.projections[0].accumulator[1] = 0;
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "projection 0: source 0: expected rising target accumulators");
  bad = network;
  bad.projections[0].begin[1] = 99;
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "the row of source 1 ends before it starts");
  bad = network;
  bad.projections[0].target = 3;
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "expected a target below 1, found 3");
  bad = network;
  bad.populationRate = {{1, 1, -1, 1}};
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }), "found -1");
}

/// A ring of neurons in which each drives `reach` near ones: 100,000 neurons
/// and 3.2 million synapses over several populations.
MapNetwork ring(uint32_t populations, uint32_t size, uint32_t reach) {
  MapNetwork network;
  for (uint32_t p = 0; p < populations; ++p)
    addPopulation(network, "r" + std::to_string(p), size);
  for (uint32_t p = 0; p < populations; ++p)
    for (uint32_t to : {p, (p + 1) % populations}) {
      MapProjection projection;
      projection.source = p;
      projection.target = to;
      projection.begin.push_back(0);
      for (uint32_t n = 0; n < size; ++n) {
        for (uint32_t k = 0; k < reach; ++k) {
          uint64_t target = uint64_t(n) + 2 * k;
          if (target >= size)
            break;
          projection.accumulator.push_back(uint32_t(target));
          projection.weight.push_back(int16_t(1 + k));
        }
        projection.begin.push_back(projection.accumulator.size());
      }
      network.projections.push_back(std::move(projection));
    }
  return network;
}

TEST(Mapping, AHundredThousandLocalNeuronsInSeconds) {
  MapNetwork network = ring(10, 10000, 16);
  Target target = Target::load("loihi1");
  auto start = std::chrono::steady_clock::now();
  Mapping mapping = mapped(network, target);
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 20);
  EXPECT_LT(mapping.cost, mapping.baselineCost);
  EXPECT_LE(row(mapping, "cores").used, 128u);
  RecordProperty("seconds", std::to_string(taken.count()));
}

} // namespace
