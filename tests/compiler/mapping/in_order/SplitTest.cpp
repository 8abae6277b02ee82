// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting at its edges, and the message for each limit.

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/in_order/SliceMeter.h"
#include "compiler/mapping/in_order/Split.h"
#include "compiler/mapping/result/SliceGraph.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

Target tiny() { return Target::load("tiny"); }

TEST(Split, ExactlyFullIsOneSliceAndOneOverIsTwo) {
  for (uint32_t size : {16u, 17u}) {
    MapNetwork network;
    addPopulation(network, "a", size);
    Mapping mapping = fewest(network, tiny());
    EXPECT_EQ(mapping.slices.size(), size - 15);
    EXPECT_EQ(row(mapping, "neurons").used, size == 16 ? 16u : 9u);
  }
}

TEST(Split, SlicesStartAtCutsWhereTheyCan) {
  MapNetwork network;
  addPopulation(network, "a", 40);
  network.populations[0].cuts = {0, 6, 12, 32};
  using Starts = std::vector<uint32_t>;
  // 16 neurons reach over 12, and from there no cut lies within 16.
  EXPECT_EQ(solved(split(network, tiny(), SplitStyle::Balanced)).starts[0],
            (Starts{0, 12, 28, 40}));
}

TEST(Split, FullSlicesWhereEqualOnesDoNotPack) {
  // 17 + 47 = 64 neurons: two slices 9 + 8 and three of 15..16 would need
  // five cores.
  MapNetwork network;
  addPopulation(network, "a", 17);
  addPopulation(network, "b", 47);
  Mapping mapping = mapped(network, tiny());
  EXPECT_EQ(row(mapping, "cores").used, 4u);
  EXPECT_EQ(row(mapping, "neurons").used, 16u);
}

TEST(Split, TightWhereOnlyCutAtCoresItPacks) {
  // Six of 10 on four cores of 16: no two whole ones share a core.
  MapNetwork network;
  for (int i = 0; i < 6; ++i)
    addPopulation(network, "p" + std::to_string(i), 10);
  for (const char *solver : {"default", "round-robin"}) {
    Mapping mapping = mapWith(network, tiny(), solver);
    EXPECT_EQ(row(mapping, "cores").used, 4u);
    EXPECT_LE(mapping.cost, mapping.baselineCost);
  }
}

TEST(Split, OutAxonsFollowTheTargetsSplit) {
  // 16 neurons to all of 48 in three or more slices: 3 rows each, 48 > 32, so
  // the sources must be cut although their neurons fit.
  Target target = tiny();
  target.overrideLimit("synapse_memory_words");
  MapNetwork network;
  addPopulation(network, "a", 16);
  addPopulation(network, "b", 44);
  dense(network, false, 0, 1);
  Split slices = solved(split(network, target, SplitStyle::Balanced));
  EXPECT_EQ(slices.starts[0].size(), 3u);
  EXPECT_EQ(slices.starts[1].size(), 4u);
  EXPECT_EQ(slices.sender, "; neuron 0 of 'a' alone needs 3 of them");
}

TEST(Split, MeterAgreesWithTheLists) {
  // Every style, on random networks: the demand counted list by list fits.
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  target.limits.synapseMemoryWords = 1500;
  target.limits.outAxons = 700;
  target.limits.inAxons = 900;
  Capacity capacity(target);
  for (uint32_t seed = 0; seed < 6; ++seed) {
    MapNetwork network = randomNetwork(seed);
    for (SplitStyle style :
         {SplitStyle::Balanced, SplitStyle::Full, SplitStyle::Tight}) {
      Split slices = solved(split(network, target, style));
      SliceGraph graph =
          buildSliceGraph(network, target.synapses, slices.starts);
      std::map<uint32_t, Demand> cores;
      for (size_t s = 0; s < graph.slices.size(); ++s)
        cores[style == SplitStyle::Tight ? slices.packing[s] : s].add(
            graph.demand[s]);
      for (const auto &core : cores)
        EXPECT_EQ(exceeded(core.second, Demand(), capacity), numResources);
    }
  }
}

/// Slices of a population from its beginning on, as full as possible, and the
/// demand of each that the population's end does not cut short.
std::vector<std::pair<uint32_t, Demand>>
slicesBy(SliceMeter &meter, const MapNetwork &network, uint32_t population) {
  const uint32_t size = network.populations[population].size;
  const std::vector<uint32_t> rows(size, 1);
  std::vector<std::pair<uint32_t, Demand>> found;
  for (uint32_t first = 0; first < size;) {
    const uint32_t count = meter.grow(population, first, size, rows, {});
    EXPECT_GT(count, 0u);
    if (count == 0 || first + count == size)
      EXPECT_EQ(count, size - first);
    else
      EXPECT_EQ(meter.refusedResource(), NeuronSlots);
    EXPECT_EQ(meter.grow(population, first, first + count, rows, {}), count);
    found.push_back({count, meter.demand()});
    first += std::max(count, 1u);
  }
  return found;
}

TEST(Split, SlicesMeasuredWholeAreThoseThatGrow) {
  // Only neurons are limited, so that each slice fits as a whole; but for the
  // second meter, to which one too full has come before.
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 30;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    MapNetwork network = randomNetwork(seed);
    for (MapProjection &projection : network.projections)
      projection.shared = false;
    Capacity capacity(target);
    capacity.of[SynapseWords] = capacity.of[InAxons] = unlimited;
    capacity.of[SynapseFormats] = unlimited;
    SliceMeter whole(network, target.synapses, capacity);
    SliceMeter growing(network, target.synapses, capacity);
    for (uint32_t p = 0; p < network.populations.size(); ++p) {
      capacity.of[OutAxons] = 0;
      EXPECT_EQ(growing.grow(p, 0, 1, {1}, {}), 0u);
      capacity.of[OutAxons] = unlimited;
      const auto expected = slicesBy(growing, network, p),
                 found = slicesBy(whole, network, p);
      ASSERT_EQ(found.size(), expected.size());
      for (size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].first, expected[k].first);
        EXPECT_EQ(found[k].second.sums, expected[k].second.sums);
        EXPECT_EQ(found[k].second.sets, expected[k].second.sets);
      }
    }
  }
}

TEST(Split, TheFirstNeuronLeftOutWouldNotFit) {
  Target target = tiny();
  MapNetwork network;
  addInput(network, "in", 4);
  addPopulation(network, "a", 40);
  dense(network, true, 0, 0);
  target.limits.synapseMemoryWords = 8; // 4 lists of 2 words: up to 14 of 8 bit
  Split slices = solved(split(network, target, SplitStyle::Full));
  EXPECT_EQ(slices.starts[0], (std::vector<uint32_t>{0, 14, 28, 40}));
}

// One neuron too large, by each limit in turn.
struct Atom {
  const char *limit, *resource;
  uint64_t needs, has;
};

TEST(Split, ANeuronIsNeverSplit) {
  for (Atom atom : {Atom{"compartments_per_core", "neurons", 1, 0},
                    Atom{"synapse_memory_words", "synapse memory", 40, 39},
                    Atom{"in_axons", "in-axons", 40, 39},
                    Atom{"out_axons", "out-axons", 3, 2},
                    Atom{"decay_profiles", "decay profiles", 1, 0},
                    Atom{"threshold_profiles", "threshold profiles", 1, 0},
                    Atom{"synapse_formats", "synapse formats", 1, 0}}) {
    Target target = Target::load("loihi1");
    MapNetwork network;
    addInput(network, "in", 40);
    addPopulation(network, "big", 1);
    dense(network, true, 0, 0);
    dense(network, false, 0, 0);
    network.projections[1].weight[0] = 0; // no list, no axon
    network.hostOutput = {3};
    auto limit = [&]() -> std::optional<uint64_t> & {
      std::string name = atom.limit;
      if (name == "compartments_per_core")
        return target.limits.compartmentsPerCore;
      if (name == "synapse_memory_words")
        return target.limits.synapseMemoryWords;
      if (name == "in_axons")
        return target.limits.inAxons;
      if (name == "out_axons")
        return target.limits.outAxons;
      if (name == "decay_profiles")
        return target.limits.decayProfiles;
      if (name == "threshold_profiles")
        return target.limits.thresholdProfiles;
      return target.limits.synapseFormats;
    };
    limit() = atom.needs;
    EXPECT_NO_THROW(mapped(network, target)) << atom.limit;
    limit() = atom.has;
    std::string error = errorOf([&] { mapped(network, target); });
    EXPECT_HAS(error, "population 'big': neuron 0 alone needs " +
                          std::to_string(atom.needs));
    EXPECT_HAS(error, std::string(atom.resource) + ", a core of 'loihi1'");
    EXPECT_HAS(error, "has " + std::to_string(atom.has));
    EXPECT_HAS(error, std::string("--override-limit ") + atom.limit);
    target.overrideLimit(atom.limit);
    Mapping mapping = mapped(network, target);
    EXPECT_EQ(row(mapping, atom.resource).used, atom.needs);
    EXPECT_EQ(row(mapping, atom.resource).limit, 0u);
  }
}

TEST(Split, ChipTooSmallNamesWhatRunsOut) {
  MapNetwork network;
  addPopulation(network, "small", 5);
  addPopulation(network, "big", 70);
  std::string error = errorOf([&] { mapped(network, tiny()); });
  EXPECT_HAS(error, "population 'big' does not fit target 'tiny'");
  EXPECT_HAS(error, "needs 75 neurons, 70 of them");
  EXPECT_HAS(error, "no mapping takes fewer than 5 cores");
  EXPECT_HAS(error, "--override-limit compartments_per_core");
}

TEST(Split, FarTooManyFullSlicesEndAfterOneCut) {
  // Each neuron hears 20 of 30 inputs in a ring, two on from the last one, and
  // cores have room for 24, so that three fit a core: 66 of these are full.
  MapNetwork network;
  addInput(network, "in", 30);
  addPopulation(network, "row", 200);
  connect(network, true, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if ((s + 600 - 2 * t) % 30 >= 20)
              return std::nullopt;
            return 1;
          });
  for (const char *chip : {"tiny", "loihi1"}) { // 4 and 128 cores
    Target target = Target::load(chip);
    target.limits.compartmentsPerCore = 1000;
    target.limits.synapseMemoryWords = 1000;
    target.limits.inAxons = 24;
    for (SplitStyle style :
         {SplitStyle::Balanced, SplitStyle::Full, SplitStyle::Tight}) {
      Fit<Split> found = split(network, target, style);
      ASSERT_EQ(bool(found), target.numCores() == 128);
      if (found) {
        EXPECT_EQ(found->starts[0].size(), 68u);
        continue;
      }
      EXPECT_TRUE(found.misfit().found.orMore);
      EXPECT_TRUE(found.misfit().found.noneInOrder);
      EXPECT_HAS(found.misfit().message, "or more in the given order");
      EXPECT_HAS(found.misfit().message, "24 in-axons per core is what runs");
    }
  }
}

TEST(Split, TooManyOutAxonsInSumEnds) {
  Target target = tiny();
  target.overrideLimit("synapse_memory_words");
  target.overrideLimit("in_axons");
  MapNetwork network;
  addPopulation(network, "r", 60);
  dense(network, false, 0, 0); // 60 x 4 slices, 128 there
  std::string error = errorOf([&] { mapped(network, target); });
  EXPECT_HAS(error, "out-axons, ");
  EXPECT_HAS(error, "--override-limit out_axons");
}

TEST(Split, DelayBeyondTheTarget) {
  MapNetwork network;
  addPopulation(network, "a", 2);
  addPopulation(network, "b", 2);
  oneToOne(network, false, 0, 1).delay = 7;
  EXPECT_NO_THROW(mapped(network, tiny()));
  network.projections[0].delay = 8;
  std::string error = errorOf([&] { mapped(network, tiny()); });
  EXPECT_HAS(error, "population 'b': a projection from 'a' has a delay of 8 "
                    "steps, 'tiny' has at most 7");
}

TEST(Split, ProfilesCutASlice) {
  MapNetwork network;
  addPopulation(network, "a", 10);
  for (uint32_t n = 0; n < 10; ++n)
    network.populations[0].thresholdProfile.push_back(n / 2); // 5 of 4
  Mapping mapping = mapped(network, tiny());
  EXPECT_EQ(mapping.slices.size(), 2u);
  EXPECT_LE(row(mapping, "threshold profiles").used, 4u);
  EXPECT_EQ(row(mapping, "decay profiles").used, 1u);
}

TEST(Split, ADenseLayerOf1024NeedsNineCoresOfSynapseMemory) {
  MapNetwork network;
  addInput(network, "in", 1024);
  addPopulation(network, "layer", 1024);
  dense(network, true, 0, 0);
  Mapping mapping = fewest(network, Target::load("loihi1"));
  uint64_t cores = row(mapping, "cores").used;
  // 1024 x 144 words are 9 cores; lists of cut slices round up to words, and
  // 113 or 114 neurons take 16 words: 1024 x 16 = 16384, exactly a core.
  EXPECT_EQ(cores, 9u);
  EXPECT_EQ(row(mapping, "synapse memory").used, 16384u);
  EXPECT_EQ(row(mapping, "synapse memory").limit, 16384u);
  EXPECT_EQ(row(mapping, "in-axons").used, 1024u);
}

} // namespace
