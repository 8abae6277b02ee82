// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Tiles.h"
#include "tests/compiler/mapping/Networks.h"

#include <numeric>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Tiles, AllChannelsOfATileLieTogether) {
  Tiles tiles = tilesOf({2, 4, 4}, 4);
  EXPECT_EQ(tiles.starts, (std::vector<uint32_t>{0, 8, 16, 24, 32}));
  std::vector<uint32_t> first(tiles.order.begin(), tiles.order.begin() + 8);
  EXPECT_EQ(first, (std::vector<uint32_t>{0, 1, 4, 5, 16, 17, 20, 21}));
}

TEST(Tiles, EachNeuronOnceForAnyNumberOfParts) {
  for (uint32_t parts = 1; parts < 50; ++parts) {
    Tiles tiles = tilesOf({3, 5, 7}, parts);
    std::vector<uint32_t> sorted = tiles.order, all(105);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
    EXPECT_GE(tiles.starts.size() - 1, std::min(parts, 35u));
    for (size_t k = 1; k < tiles.starts.size(); ++k)
      EXPECT_LT(tiles.starts[k - 1], tiles.starts[k]);
  }
}

TEST(Tiles, BordersAreShort) {
  // Four tiles of 2 x 2 rather than four rows.
  Tiles tiles = tilesOf({1, 4, 4}, 4);
  EXPECT_EQ(tiles.order[2], 4u);
  // Where rows are long, they are cut.
  EXPECT_EQ(tilesOf({1, 2, 8}, 2).order[4], 8u);
}

TEST(Tiles, OnlyFeatureMapsOfMoreThanOnePart) {
  MapNetwork network;
  addPopulation(network, "maps", 8);
  addPopulation(network, "dense", 8);
  addPopulation(network, "whole", 8);
  network.populations[0].grid = network.populations[2].grid = {2, 2, 2};
  EXPECT_TRUE(hasFeatureMaps(network));
  SliceStarts starts{{0, 4, 8}, {0, 4, 8}, {0, 8}};
  NeuronOrder order = orderInTiles(network, starts);
  EXPECT_EQ(order[0].size(), 8u);
  EXPECT_TRUE(order[1].empty());
  EXPECT_TRUE(order[2].empty());
  EXPECT_EQ(starts[1], (std::vector<uint32_t>{0, 4, 8}));
}

/// Maps of 12 x 12 in which each place hears its neighbours of as many maps.
MapNetwork convolved(uint32_t channels, uint32_t inputs) {
  MapNetwork network;
  addInput(network, "in", inputs * 144);
  addPopulation(network, "maps", channels * 144);
  network.populations[0].grid = {channels, 12, 12};
  connect(network, true, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            const int y = int(s / 12 % 12) - int(t / 12 % 12);
            const int x = int(s % 12) - int(t % 12);
            if (std::abs(y) <= 1 && std::abs(x) <= 1)
              return 1;
            return std::nullopt;
          });
  return network;
}

TEST(Tiles, AsFewAsCoresHaveSlotsAndAxonsFor) {
  MapNetwork network = convolved(4, 3);
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 4 * 36;
  SliceStarts cuts;
  NeuronOrder order = orderInFewestTiles(network, target, cuts);
  EXPECT_EQ(cuts,
            (SliceStarts{{0, 96, 192, 288, 384, 480}})); // of 4 x 6 places
  // A tile of 4 x 6 places in the middle of a side hears 6 x 7 of each input
  // map, one of 3 x 6 places 5 x 7.
  target.limits.inAxons = 3 * 36;
  order = orderInFewestTiles(network, target, cuts);
  EXPECT_EQ(cuts[0].size(), 8u);
  EXPECT_EQ(order[0].size(), network.populations[0].size);
  network.populations[0].grid = {};
  EXPECT_TRUE(orderInFewestTiles(network, target, cuts)[0].empty());
}

TEST(Tiles, AreToldFromSlicesThatAreNoTiles) {
  MapNetwork network = convolved(2, 1);
  const Tiles tiles = tilesOf(network.populations[0].grid, 4);
  std::vector<Slice> slices;
  for (uint32_t k = 0; k + 1 < tiles.starts.size(); ++k)
    slices.push_back(
        {0, tiles.starts[k], tiles.starts[k + 1] - tiles.starts[k], k, 0});
  EXPECT_EQ(tilesAmong(network, {tiles.order}, slices),
            "maps: 6 tiles of up to 4 x 6 of 12 x 12");
  EXPECT_EQ(tilesAmong(network, {{}}, slices), "");
  --slices[0].count, --slices[1].first, ++slices[1].count;
  EXPECT_EQ(tilesAmong(network, {tiles.order}, slices), "");
}

/// Rows of all maps are more sources than a core has in-axons, tiles are not.
TEST(Tiles, SolversThatDoNotSearchHaveThemToo) {
  const MapNetwork network = convolved(4, 3);
  Target target = Target::load("loihi1");
  target.mesh.tilesX = 9, target.mesh.tilesY = target.mesh.coresPerTile = 1;
  target.limits.compartmentsPerCore = 100;
  target.limits.inAxons = 3 * 36;
  for (const char *solver : {"round-robin", "packed", "iterative-split"}) {
    MappingOptions options;
    options.solver = solver;
    Fit<Mapping> mapping = mapNetwork(network, target, options);
    ASSERT_TRUE(mapping) << solver << ": " << mapping.misfit().message;
    EXPECT_EQ(tilesAmong(network, mapping->order, mapping->slices),
              "maps: 8 tiles of up to 3 x 6 of 12 x 12");
    target.limits.inAxons = 3 * 20;
    Fit<Mapping> none = mapNetwork(network, target, options);
    ASSERT_FALSE(none);
    EXPECT_HAS(none.misfit().message, "; with feature maps in tiles: ");
    target.limits.inAxons = 3 * 36;
  }
}

} // namespace
