// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/SliceGraph.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// What all slices take together, in a random division of each population.
Demand divided(const MapNetwork &network, const Target &target,
               std::mt19937 &random) {
  std::vector<std::vector<uint32_t>> starts;
  for (const MapPopulation &population : network.populations) {
    starts.push_back({0});
    while (starts.back().back() < population.size)
      starts.back().push_back(std::min<uint32_t>(
          population.size, starts.back().back() + 1 + uint32_t(random() % 90)));
  }
  SliceGraph graph =
      buildSliceGraph(network, target.synapses, starts, EntryBytes(target));
  Demand all;
  for (const Demand &demand : graph.demand)
    all.add(demand);
  return all;
}

TEST(Bounds, NoDivisionTakesLess) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    MapNetwork network = randomNetwork(seed);
    for (MapProjection &projection : network.projections)
      if (random() % 3 == 0)
        projection.shared = true;
    for (MapPopulation &population : network.populations) {
      population.neuronBytes = random() % 20;
      population.programWords = random() % 50;
    }
    for (const char *name : {"loihi1", "loihi2"}) {
      Target target = Target::load(name);
      LowerBounds bounds = lowerBounds(network, target);
      for (int division = 0; division < 4; ++division) {
        Demand all = divided(network, target, random);
        for (int r = 0; r < numResources; ++r)
          EXPECT_LE(bounds.of[r].total, all.used(r))
              << describe(Resource(r)).name << ", seed " << seed;
      }
      EXPECT_LE(bounds.cores(), row(mapped(network, target), "cores").used);
    }
  }
}

TEST(Bounds, EachResourceCountsByItself) {
  Target target = Target::load("loihi1");
  target.limits.inAxons = 10;
  target.limits.outAxons = 7;
  MapNetwork network;
  addInput(network, "x", 30);
  addPopulation(network, "a", 40);
  addPopulation(network, "b", 20);
  network.hostOutput = {0, 1};
  dense(network, true, 0, 0);
  oneToOne(network, false, 0, 1);
  // Neuron i of a sends to i of b, and b has but 20.
  LowerBounds bounds = lowerBounds(network, target);
  EXPECT_EQ(bounds.of[NeuronSlots].total, 60u);
  EXPECT_EQ(bounds.of[InAxons].total, 50u);
  EXPECT_EQ(bounds.of[InAxons].cores, 5u);
  EXPECT_EQ(bounds.of[InAxons].most, 30u);
  EXPECT_EQ(bounds.of[OutAxons].total, 40u);
  EXPECT_EQ(bounds.of[OutAxons].cores, 6u);
  EXPECT_EQ(bounds.binding, OutAxons);
  EXPECT_EQ(bounds.cores(), 6u);
  // 40 weights of 8 bits and a header of 10 make 6 words of 64; one makes 1.
  EXPECT_EQ(bounds.of[SynapseWords].total, 30u * 6 + 20);
  EXPECT_EQ(bounds.of[DecayProfiles].total, 2u);
}

TEST(Bounds, AListHasPartsWhereItsTargetsNeedCores) {
  Target target = Target::load("loihi1");
  MapNetwork network;
  addPopulation(network, "a", 1024);
  addPopulation(network, "b", 1024);
  dense(network, false, 0, 1);
  LowerBounds bounds = lowerBounds(network, target);
  // 128 neurons have the weights that a core has room for.
  EXPECT_EQ(bounds.of[InAxons].total, 8u * 1024);
  EXPECT_EQ(bounds.of[OutAxons].total, 8u * 1024);
  EXPECT_EQ(bounds.of[SynapseWords].cores, 9u);
  EXPECT_EQ(bounds.binding, SynapseWords);
  target.overrideLimit("synapse_memory_words");
  EXPECT_EQ(lowerBounds(network, target).of[InAxons].total, 1024u);
}

TEST(Bounds, WhatNeuronsShareCountsOnce) {
  Target target = chip(4, 1000);
  MapNetwork network;
  for (const char *name : {"a", "b"}) {
    MapPopulation &p = network.populations[addPopulation(network, name, 10)];
    p.neuronBytes = 3;
    p.programWords = 20;
    p.program = 7;
  }
  LowerBounds bounds = lowerBounds(network, target);
  EXPECT_EQ(bounds.of[ProgramWords].total, 20u);
  EXPECT_EQ(bounds.of[CoreBytes].total,
            60u + 20u * target.memory.instructionBytes);
}

TEST(Bounds, SharedListsCountTheirDistinctWeights) {
  Target target = Target::load("loihi1");
  MapNetwork network;
  addInput(network, "x", 12);
  addPopulation(network, "conv", 12);
  connect(network, true, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if (t + 1 < s || t > s + 1)
              return std::nullopt;
            return int(t + 2 - s);
          })
      .shared = true;
  LowerBounds bounds = lowerBounds(network, target);
  EXPECT_EQ(bounds.of[SynapseWords].total, 1u); // 1, 2 and 3
  EXPECT_EQ(bounds.of[InAxons].total, 4u);      // sources 0, 3, 6 and 9
}

TEST(Bounds, NoNeuronsNeedNoCore) {
  EXPECT_EQ(lowerBounds(MapNetwork(), Target::load("tiny")).cores(), 0u);
  MapNetwork network;
  addPopulation(network, "a", 1);
  EXPECT_EQ(lowerBounds(network, Target::load("ideal")).cores(), 1u);
}

} // namespace
