// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/network/Demand.cpp.
// Neurons of several accumulators and sources: where they lie, what they take,
// and what the mapper refuses.

#include "compiler/mapping/result/Measure.h"
#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/constraints/PlacementFile.h"
#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/result/Gather.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

Target cores(uint64_t neurons) {
  Target target = Target::load("loihi2");
  target.limits.compartmentsPerCore = neurons;
  return target;
}

uint32_t addVector(MapNetwork &network, const std::string &name, uint32_t size,
                   uint32_t accumulators, uint32_t sources) {
  uint32_t at = addPopulation(network, name, size);
  network.populations[at].accumulators = accumulators;
  network.populations[at].sources = sources;
  return at;
}

TEST(VectorNeurons, AccumulatorsLieBehindEachOther) {
  MapNetwork network;
  addVector(network, "a", 4, 3, 1);
  addVector(network, "none", 7, 0, 2);
  addVector(network, "b", 5, 2, 1);
  Mapping mapping = mapped(network, Target::load("ideal"));
  ASSERT_EQ(mapping.slices.size(), 3u);
  std::vector<uint32_t> bases;
  for (const Slice &slice : mapping.slices)
    bases.push_back(slice.base);
  EXPECT_EQ(bases, (std::vector<uint32_t>{0, 12, 12}));
}

TEST(VectorNeurons, ANeuronStaysWholeAndTakesOneCompartment) {
  MapNetwork network;
  addInput(network, "in", 2);
  addVector(network, "v", 25, 4, 1);
  dense(network, true, 0, 0);
  Target target = cores(10);
  Mapping mapping = mapWith(network, target, "round-robin");
  ASSERT_EQ(mapping.slices.size(), 3u);
  EXPECT_EQ(row(mapping, "neurons").used, 9u);
  // Each input has one list per slice, over all accumulators of its neurons.
  EXPECT_EQ(row(mapping, "in-axons").used, 2u);
  EXPECT_EQ(row(mapping, "synapse memory").used,
            2 * target.synapses.listWords(ListFormat::Dense, 9 * 4, 8));
}

TEST(VectorNeurons, ListsMayBeginAndEndInsideANeuron) {
  // From element 2 of neuron 1 to element 1 of neuron 5; cut at neuron 2.
  MapNetwork network;
  addInput(network, "in", 1);
  addVector(network, "v", 6, 3, 1);
  connect(network, true, 0, 0, [](uint32_t, uint32_t t) -> std::optional<int> {
    if (t >= 5 && t <= 16)
      return 1;
    return std::nullopt;
  });
  std::vector<Slice> slices = {{0, 0, 2, 0, 0}, {0, 2, 4, 1, 0}};
  Target target = cores(10);
  EXPECT_NO_THROW(solved(verify(network, target, slices)));
  std::vector<FitRow> fit = measure(network, target, slices);
  EXPECT_EQ(fit[InAxons].used, 1u);
  EXPECT_EQ(fit[SynapseWords].used,
            target.synapses.listWords(ListFormat::Dense, 11, 8));
  EXPECT_EQ(fit[SynapseWords].worstCore, 1u);
}

TEST(VectorNeurons, EachSourceHasItsOutAxons) {
  // 4 neurons of 3 sources; the middle one of each reaches both slices of the
  // target, the last one only the second, the first one none.
  MapNetwork network;
  addVector(network, "a", 4, 1, 3);
  addVector(network, "b", 8, 2, 1);
  connect(network, false, 0, 1,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if (s % 3 == 1 || (s % 3 == 2 && t >= 8))
              return 1;
            return std::nullopt;
          });
  network.hostOutput = {2};
  std::vector<Slice> slices = {
      {0, 0, 1, 0, 0}, {0, 1, 3, 1, 0}, {1, 0, 4, 2, 0}, {1, 4, 4, 3, 0}};
  std::vector<FitRow> fit = measure(network, cores(4), slices);
  EXPECT_EQ(fit[OutAxons].used, 3u * (3 + 2));
  EXPECT_EQ(fit[OutAxons].worstCore, 1u);
  EXPECT_EQ(fit[OutAxons].population, "a");
  EXPECT_EQ(fit[InAxons].used, 8u);
  EXPECT_EQ(fit[InAxons].worstCore, 3u);
}

TEST(VectorNeurons, RatesAreThoseOfSources) {
  // Two full cores; 4 neurons with sources of rates 1/4 and 1/2, each reaching
  // all 4 neurons of 2 accumulators.
  MapNetwork network;
  addVector(network, "a", 4, 1, 2);
  addVector(network, "b", 4, 2, 1);
  dense(network, false, 0, 1);
  network.populationRate = {{0.25, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5}};
  Target target = cores(4);
  target.mesh.tilesX = 2;
  target.mesh.tilesY = target.mesh.coresPerTile = 1;
  Mapping mapping = mapWith(network, target, "packed");
  // 4 sources of 1/4 and 4 of 1/2 give 3 messages, all over one hop.
  EXPECT_DOUBLE_EQ(termOf(mapping, "messages"), 3);
  EXPECT_DOUBLE_EQ(mapping.busiestLink, 3);
}

TEST(VectorNeurons, HostOutputsBeyondAByte) {
  MapNetwork network;
  addVector(network, "a", 2, 1, 400);
  network.hostOutput = {400};
  Mapping mapping = mapped(network, Target::load("ideal"));
  EXPECT_EQ(row(mapping, "out-axons").used, 800u);
}

TEST(VectorNeurons, PlacementFileGivesTheSameBases) {
  MapNetwork network;
  addVector(network, "a", 20, 3, 2);
  addVector(network, "b", 20, 2, 1);
  Target target = cores(8);
  target.mesh.tilesX = 5;
  target.mesh.tilesY = target.mesh.coresPerTile = 1;
  Mapping mapping = mapped(network, target);
  std::vector<Slice> read =
      gather(network,
             parsePlacement(network, target, formatPlacement(network, mapping),
                            "placement.yaml"))
          .slices;
  ASSERT_EQ(read.size(), mapping.slices.size());
  std::vector<uint64_t> end(5, 0);
  size_t second = 0; // a slice that is not the first on its core
  for (size_t i = 0; i < read.size(); ++i) {
    const Slice &slice = mapping.slices[i];
    EXPECT_EQ(read[i].core, slice.core);
    EXPECT_EQ(read[i].first, slice.first);
    EXPECT_EQ(read[i].base, slice.base);
    EXPECT_EQ(slice.base, end[slice.core]);
    if (end[slice.core] > 0)
      second = i;
    end[slice.core] += slice.count * (slice.population == 0 ? 3 : 2);
  }
  EXPECT_NO_THROW(solved(verify(network, target, read)));
  ASSERT_GT(second, 0u); // 40 neurons in five cores of 8 fill each
  --read[second].base;   // into the last accumulator before it
  EXPECT_HAS(errorOf([&] { solved(verify(network, target, read)); }),
             "starts at accumulator");
}

TEST(VectorNeurons, RefusesWhatCannotBeNumbered) {
  Target target = Target::load("ideal");
  MapNetwork network;
  addInput(network, "in", 1);
  addVector(network, "none", 4, 0, 0);
  EXPECT_NO_THROW(mapped(network, target));
  MapNetwork bad = network;
  dense(bad, true, 0, 0);
  EXPECT_NO_THROW(mapped(bad, target)); // no accumulator, no synapse
  bad.projections[0].begin = {0, 1};
  bad.projections[0].accumulator = {0};
  bad.projections[0].weight = {1};
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "expected target accumulators below 0, found 0");
  bad = network;
  addVector(bad, "wide", 1 << 16, 1 << 16, 1); // 2^32, 0 in 32 bits
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "population 'wide': expected at most 2147483647 accumulators in a "
             "network, found 4294967296");
  bad = network;
  addVector(bad, "loud", 1 << 16, 1, 1 << 16);
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "population 'loud': expected at most 2147483647 sources, found "
             "65536 neurons with 65536 each");
  bad = network;
  addVector(bad, "few", 2, 1, 2);
  bad.populationRate = {{}, {1, 1}};
  EXPECT_HAS(errorOf([&] { mapped(bad, target); }),
             "'few': expected no or 4 rates, found 2");
}

} // namespace
