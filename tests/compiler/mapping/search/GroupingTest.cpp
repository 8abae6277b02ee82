// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/search/Grouping and Regroup.cpp: which neurons share a core
// where messages alone have a price.

#include "compiler/mapping/search/Grouping.h"
#include "compiler/mapping/search/Search.h"
#include "tests/compiler/mapping/cluster/Groups.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// A chip of so many full cores, on which nothing but messages and hops costs.
struct Chip {
  Chip(uint32_t cores, uint32_t room, double hop = 0)
      : target(Target::load("loihi1-study")), model(target) {
    target.mesh.tilesX = cores;
    target.mesh.tilesY = target.mesh.coresPerTile = 1;
    target.limits.compartmentsPerCore = room;
    model.prices = {};
    model.prices.send = 1;
    model.prices.hopEw = model.prices.hopNs = hop;
  }
  Target target;
  ChipModel model;
  ClusterOptions options;
};

/// Layers of neurons, each of which reaches all of the next one.
MapNetwork chain(const std::vector<uint32_t> &layers) {
  MapNetwork network;
  std::vector<uint32_t> layer;
  for (uint32_t l = 0; l < layers.size(); ++l)
    layer.insert(layer.end(), layers[l], l);
  addPopulation(network, "a", uint32_t(layer.size()));
  connect(network, false, 0, 0,
          [&](uint32_t s, uint32_t t) -> std::optional<int> {
            if (layer[t] == layer[s] + 1)
              return 1;
            return std::nullopt;
          });
  return network;
}

TEST(Grouping, ALineIsCutWhereLeastIsSent) {
  const MapNetwork network = chain({30, 50, 20, 60});
  Chip chip(3, 80, 1);
  const auto cut =
      Grouping(network, chip.target, chip.model, chip.options).inLine(1, 3);
  ASSERT_TRUE(cut);
  EXPECT_EQ(verdict(network, chip.target, *cut), "");
  // The second core is full with ten of the first layer, the second and the
  // third: the other 20 of the first layer send, and the 20 of the third.
  EXPECT_EQ(messagesOf(network, *cut), 40);
  EXPECT_EQ(cut->core[0][19], 0u);
  EXPECT_EQ(cut->core[0][20], 1u);
  EXPECT_EQ(cut->core[0][100], 2u);
}

TEST(Grouping, BlocksAreAnnealedOntoPlaces) {
  const MapNetwork network = chain({60, 70, 60, 70, 60, 70});
  Chip chip(4, 140, 1);
  Grouping grouping(network, chip.target, chip.model, chip.options);
  EXPECT_FALSE(grouping.isTiny());
  const auto made = grouping.annealed(4);
  ASSERT_TRUE(made);
  EXPECT_EQ(verdict(network, chip.target, made->clusters), "");
  // Two layers on a core: two cuts, each of them is crossed by 70 messages.
  EXPECT_EQ(messagesOf(network, made->clusters), 140);
}

TEST(Grouping, SwapsBringGroupsTogether) {
  const MapNetwork network = planted(3, 60);
  Chip chip(3, 60);
  Grouping grouping(network, chip.target, chip.model, chip.options);
  PlacedClusters from;
  from.places = {0, 1, 2};
  from.clusters.cores = 3;
  from.clusters.core.emplace_back();
  for (uint32_t n = 0; n < 180; ++n) // but for one, a group is together
    from.clusters.core[0].push_back(n < 3 ? (n + 1) % 3 : n % 3);
  const Clusters swapped = grouping.swapped(from);
  EXPECT_GT(messagesOf(network, from.clusters), 0);
  EXPECT_EQ(messagesOf(network, swapped), 0);
  EXPECT_EQ(verdict(network, chip.target, swapped), "");
}

/// Messages of the mapping that a search finds for so many full cores.
double searched(const MapNetwork &network, const Chip &chip) {
  MappingOptions options;
  options.goal = "energy";
  auto found = searchMapping(network, chip.target, options, chip.model,
                             Misfit{"cores", "", 0, 0, "not looked for"});
  if (!found)
    return -1;
  double sum = 0;
  for (const TradeOff &row : found->tradeOff)
    sum += row.chosen ? row.stepPj : 0;
  return sum;
}

TEST(Grouping, TinyNetworksAreMappedWithTheFewestMessages) {
  const MapNetwork network = planted(3, 8);
  const Chip chip(3, 8);
  // Each source reaches its own group alone.
  EXPECT_EQ(searched(network, chip), 24);
}

} // namespace
