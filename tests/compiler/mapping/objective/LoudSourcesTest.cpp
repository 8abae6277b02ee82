// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/objective/: the source that keeps a core or a link busiest.

#include "compiler/mapping/objective/LoudSources.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Neurons 0 and 1 of "a" go to all of "b"; neuron 1 is three times as loud.
MapNetwork twoSources() {
  MapNetwork network;
  addInput(network, "in", 1);
  addPopulation(network, "a", 2);
  addPopulation(network, "b", 4);
  dense(network, true, 0, 0);
  dense(network, false, 0, 1);
  network.inputRate = {{0.5}};
  network.populationRate = {{0.25, 0.75}, {0, 0, 0, 0}};
  return network;
}

TEST(LoudSources, AreNamedWithTheirShare) {
  const Target target = Target::load("tiny");
  const MapNetwork network = twoSources();
  const std::vector<MeshLink> links = {{0, 1, Direction::East},
                                       {1, 0, Direction::West}};
  const LoudSources found =
      loudSources(network, target, ChipModel(target), {{0, 2}, {0, 4}}, {0, 1},
                  {1, 0}, links);
  ASSERT_EQ(found.cores.size(), 2u);
  EXPECT_FALSE(found.cores[0].fromInput);
  EXPECT_EQ(found.cores[0].index, 0u);
  EXPECT_EQ(found.cores[0].element, 1u);
  EXPECT_DOUBLE_EQ(found.cores[0].share, 0.75);
  EXPECT_TRUE(found.cores[1].fromInput);
  EXPECT_DOUBLE_EQ(found.cores[1].share, 1);
  ASSERT_EQ(found.links.size(), 2u);
  EXPECT_EQ(found.links[0].element, 1u);
  EXPECT_DOUBLE_EQ(found.links[0].share, 0.75);
  EXPECT_DOUBLE_EQ(found.links[1].share, 0); // nothing goes to the west
}

TEST(LoudSources, ValuesForTheHostLoadLinksToo) {
  MapNetwork network = twoSources();
  network.populationRate[1] = {0, 0, 1, 0.25};
  network.hostOutput = {0, 1};
  const Target target = Target::load("tiny");
  const std::vector<MeshLink> west = {{1, 0, Direction::West}};
  const LoudSources found =
      loudSources(network, target, ChipModel(target), {{0, 2}, {0, 1, 4}},
                  {0, 0, 1}, {}, west);
  EXPECT_EQ(found.links[0].index, 1u);
  EXPECT_EQ(found.links[0].element, 2u);
  EXPECT_DOUBLE_EQ(found.links[0].share, 0.8);
}

} // namespace
