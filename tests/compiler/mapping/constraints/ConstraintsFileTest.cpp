// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/constraints/ConstraintsFile.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

MapNetwork withEmpty() {
  MapNetwork network;
  addPopulation(network, "a", 20);
  addPopulation(network, "b", 8);
  addPopulation(network, "none", 0);
  return network;
}

Constraints parse(const std::string &text) {
  return parseConstraints(withEmpty(), fourTiles(), text, "c.yaml");
}

std::string refused(const std::string &text) {
  return errorOf([&] { parse(text); });
}

TEST(ConstraintsFile, EverythingIsRead) {
  ASSERT_EQ(fourTiles().numCores(), 8u);
  Constraints all = parse("pin:\n"
                          "  - {population: a, first: 4, count: 3, core: 5}\n"
                          "  - {population: a, first: 12, tile: 3}\n"
                          "  - {population: b, chip: 0}\n"
                          "together:\n"
                          "  - {of: [b, {population: a, count: 2}]}\n"
                          "apart:\n"
                          "  - {of: [a, b], within: tile}\n"
                          "forbid: [{core: 7}, {tile: 0}]\n"
                          "reserve:\n"
                          "  - {compartments_per_core: 4, in_axons: 2}\n"
                          "  - {compartments_per_core: 1, core: 2}\n"
                          "host: {tile: 0}\n");
  ASSERT_EQ(all.pins.size(), 3u);
  EXPECT_EQ(all.pins[0].place, "c.yaml:2:5");
  EXPECT_EQ(all.pins[0].text, "pin of 'a' 4 to 6 to core 5");
  EXPECT_EQ(all.pins[0].cores.first, 5u);
  EXPECT_EQ(all.pins[0].cores.count, 1u);
  EXPECT_EQ(all.pins[1].neurons.count, 8u);
  EXPECT_EQ(all.pins[1].cores.first, 6u);
  EXPECT_EQ(all.pins[1].cores.count, 2u);
  EXPECT_EQ(all.pins[2].text, "pin of 'b' to chip 0");
  EXPECT_EQ(all.pins[2].cores.count, 8u);
  ASSERT_EQ(all.together.size(), 1u);
  EXPECT_EQ(all.together[0].text, "together: 'b', 'a' 0 to 1");
  EXPECT_EQ(all.together[0].within, Within::Core);
  ASSERT_EQ(all.apart.size(), 1u);
  EXPECT_EQ(all.apart[0].within, Within::Tile);
  EXPECT_EQ(all.forbiddenCores(fourTiles()),
            (std::vector<bool>{1, 1, 0, 0, 0, 0, 0, 1}));
  std::vector<Capacity> capacities = all.capacities(fourTiles());
  EXPECT_EQ(capacities[3].of[NeuronSlots], 12u);
  EXPECT_EQ(capacities[2].of[NeuronSlots], 11u);
  EXPECT_EQ(capacities[7].of[NeuronSlots], 0u);
  EXPECT_EQ(capacities[3].of[InAxons], *fourTiles().limits.inAxons - 2);
}

TEST(ConstraintsFile, AnEmptyMapAndJsonAreRead) {
  EXPECT_TRUE(parse("{}").pins.empty());
  EXPECT_EQ(parse("{\"pin\": [{\"population\": \"b\", \"core\": 1}]}")
                .pins[0]
                .neurons.count,
            8u);
}

TEST(ConstraintsFile, ErrorsNameThePlace) {
  EXPECT_HAS(refused("- a\n"), "c.yaml:1:1: expected a map with some of");
  EXPECT_HAS(refused("pins: []\n"),
             "c.yaml:1:1: unknown key 'pins' in 'constraints'");
  EXPECT_HAS(refused("pin: {population: a}\n"),
             "c.yaml:1:6: expected a list for 'pin', found a map");
  EXPECT_HAS(refused("pin:\n  - {population: c, core: 1}\n"),
             "c.yaml:2:18: the network has no population 'c'");
  EXPECT_HAS(refused("pin:\n  - {population: none, core: 1}\n"),
             "population 'none' has no neurons");
  EXPECT_HAS(refused("pin:\n  - {population: a, first: 20, core: 1}\n"),
             "c.yaml:2:28: ");
  EXPECT_HAS(
      refused("pin:\n  - {population: a, first: 19, count: 2, core: 1}\n"),
      "c.yaml:2:39: ");
  EXPECT_HAS(refused("pin:\n  - {population: a, core: 8}\n"), "c.yaml:2:27: ");
  EXPECT_HAS(refused("pin:\n  - {population: a, tile: 4}\n"), "c.yaml:2:27: ");
  EXPECT_HAS(refused("pin:\n  - {population: a, chip: 1}\n"),
             "c.yaml:2:27: a mapping has one chip, chip 0, found 1");
  EXPECT_HAS(refused("pin:\n  - {population: a}\n"),
             "c.yaml:2:5: expected one of core, tile and chip");
  EXPECT_HAS(refused("pin:\n  - {population: a, core: 1, tile: 0}\n"),
             "c.yaml:2:5: expected one of core, tile and chip");
  EXPECT_HAS(refused("forbid: [{}]\n"), "expected one of core and tile");
  EXPECT_HAS(refused("forbid: [5]\n"),
             "expected a map with the keys core, tile for 'forbid', found '5'");
  EXPECT_HAS(refused("forbid: [{core: -1}]\n"), "c.yaml:1:17: ");
  EXPECT_HAS(refused("apart: [{of: [a]}]\n"),
             "c.yaml:1:9: expected at least 2 members of 'apart', found 1");
  EXPECT_HAS(refused("together: [{of: []}]\n"), "expected at least 1 members");
  EXPECT_HAS(refused("together: [{of: a}]\n"), "expected a list for 'of'");
  EXPECT_HAS(refused("together: [{of: [a], within: row}]\n"), "c.yaml:1:30: ");
  EXPECT_HAS(
      refused("apart: [{of: [a, {population: a, first: 3, count: 1}]}]\n"),
      "c.yaml:1:18: 'a' and 'a' 3 to 3 of one group overlap");
  EXPECT_HAS(refused("reserve: [{core: 1}]\n"),
             "c.yaml:1:11: expected an amount of a limit of the chip");
  EXPECT_HAS(refused("reserve: [{compartments_per_core: 17}]\n"),
             "c.yaml:1:35: ");
  EXPECT_HAS(refused("reserve: [{compartments_per_core: 0}]\n"),
             "c.yaml:1:35: ");
  EXPECT_HAS(refused("reserve: [{core_memory_bytes: 5}]\n"),
             "a core of 'tiny' has no limit 'core_memory_bytes'");
  EXPECT_HAS(refused("reserve: [{neurons: 5}]\n"), "unknown key 'neurons'");
  EXPECT_HAS(refused("host: {tile: 2}\n"),
             "c.yaml:1:14: the host is attached to tile 0, found 2");
}

} // namespace
