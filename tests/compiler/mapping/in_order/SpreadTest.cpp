// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network over at least so many cores.

#include "compiler/mapping/in_order/Spread.h"
#include "compiler/mapping/constraints/PlacementFile.h"
#include "tests/compiler/mapping/Networks.h"

#include <set>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

Mapping mapOver(const MapNetwork &network, const Target &target,
                uint32_t minCores) {
  MappingOptions options;
  options.solver = "packed";
  options.minCores = minCores;
  return mapped(network, target, options);
}

/// On as few cores as it takes.
Mapping packed(const MapNetwork &network, const Target &target) {
  return mapWith(network, target, "packed");
}

/// Populations by core.
std::map<uint32_t, std::set<uint32_t>> held(const Mapping &mapping) {
  std::map<uint32_t, std::set<uint32_t>> cores;
  for (const Slice &slice : mapping.slices)
    cores[slice.core].insert(slice.population);
  return cores;
}

/// in -> a -> b -> c, small enough for one core of 'tiny'.
MapNetwork chain() {
  MapNetwork network;
  for (const char *name : {"a", "b", "c"})
    addPopulation(network, name, 4);
  oneToOne(network, false, 0, 1);
  oneToOne(network, false, 1, 2);
  return network;
}

TEST(Spread, APopulationPerCoreAsFarAsAskedFor) {
  Target target = Target::load("tiny");
  EXPECT_EQ(held(packed(chain(), target)).size(), 1u);
  MappingOptions two;
  two.solver = "packed";
  two.minCores = 2;
  EXPECT_EQ(held(mapped(chain(), target, two)).size(), 2u);
  Mapping three = mapOver(chain(), target, 3);
  EXPECT_EQ(held(three).size(), 3u);
  for (const auto &[core, populations] : held(three))
    EXPECT_EQ(populations.size(), 1u) << core;
  EXPECT_EQ(three.slices.size(), 3u); // none is split
}

TEST(Spread, BeyondThePopulationsTheLargestIsSplit) {
  Target target = Target::load("tiny");
  MapNetwork network = chain();
  addPopulation(network, "large", 9);
  network.populations.erase(network.populations.begin());
  network.projections.clear(); // b, c of 4 and one of 9
  Mapping mapping = mapOver(network, target, 4);
  EXPECT_EQ(held(mapping).size(), 4u);
  std::map<uint32_t, std::multiset<uint32_t>> counts;
  for (const Slice &slice : mapping.slices)
    counts[slice.population].insert(slice.count);
  EXPECT_EQ(counts[0], (std::multiset<uint32_t>{4}));
  EXPECT_EQ(counts[1], (std::multiset<uint32_t>{4}));
  EXPECT_EQ(counts[2], (std::multiset<uint32_t>{4, 5}));
}

TEST(Spread, PartsOfASliceAreEqual) {
  Split split;
  split.starts = {{0, 60, 100}, {0, 7}};
  split.packing = {0, 1, 1};
  splitFurther(split, 6);
  // 60 and 40 become 20 each but one of 20 and 20: 60/3, 40/2.
  EXPECT_EQ(split.starts[0], (std::vector<uint32_t>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(split.starts[1], (std::vector<uint32_t>{0, 7}));
  EXPECT_EQ(split.packing, (std::vector<uint32_t>{0, 0, 0, 1, 1, 1}));
}

TEST(Spread, RandomNetworksStayMappings) {
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  for (uint32_t seed = 300; seed < 310; ++seed) {
    MapNetwork network = randomNetwork(seed);
    Mapping few = packed(network, target);
    EXPECT_NO_THROW(solved(verify(network, target, few.slices))) << seed;
    uint32_t least = uint32_t(held(few).size());
    EXPECT_LE(least, held(fewest(network, target)).size()) << seed;
    for (uint32_t more : {1u, 3u, 20u}) {
      Mapping mapping = mapOver(network, target, least + more);
      EXPECT_GE(held(mapping).size(), least + more) << seed;
      EXPECT_NO_THROW(solved(verify(network, target, mapping.slices))) << seed;
      EXPECT_EQ(
          formatPlacement(network, mapping),
          formatPlacement(network, mapOver(network, target, least + more)))
          << seed;
    }
  }
}

TEST(Spread, MoreThanThereIsIsRefused) {
  EXPECT_HAS(errorOf([] { mapOver(chain(), Target::load("tiny"), 5); }),
             "at least 5 cores are asked for, target 'tiny' has 4");
  EXPECT_HAS(errorOf([] { mapOver(chain(), Target::load("loihi1"), 13); }),
             "the network has 12 neurons to put on them");
  EXPECT_HAS(errorOf([] {
               MappingOptions options;
               options.minCores = 2;
               options.placementFile = "here.yaml";
               mapped(chain(), Target::load("tiny"), options);
             }),
             "at least 2 cores are asked for, but 'here.yaml' says");
}

TEST(Spread, AxonsThatASplitNeedsMayBeTooMany) {
  // 8 sources with 4 out-axons to hand out each; every part of the target
  // takes one of each source, and one source is as far as that is divided.
  Target target = Target::load("loihi1");
  target.limits.outAxons = 3;
  MapNetwork network;
  addPopulation(network, "from", 1);
  addPopulation(network, "to", 8);
  dense(network, false, 0, 1);
  EXPECT_EQ(held(mapOver(network, target, 4)).size(), 4u);
  EXPECT_HAS(errorOf([&] { mapOver(network, target, 5); }),
             "no mapping onto at least 5 cores");
}

} // namespace
