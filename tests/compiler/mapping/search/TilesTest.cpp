// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Tiles.h"
#include "tests/compiler/mapping/Networks.h"

#include <numeric>

using namespace neurite;
using namespace neurite::test;

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
  Starts starts{{0, 4, 8}, {0, 4, 8}, {0, 8}};
  NeuronOrder order = orderInTiles(network, starts);
  EXPECT_EQ(order[0].size(), 8u);
  EXPECT_TRUE(order[1].empty());
  EXPECT_TRUE(order[2].empty());
  EXPECT_EQ(starts[1], (std::vector<uint32_t>{0, 4, 8}));
}

} // namespace
