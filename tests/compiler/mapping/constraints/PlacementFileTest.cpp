// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/constraints/PlacementFile.h"
#include "compiler/mapping/result/Gather.h"

#include <filesystem>
#include <fstream>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

MapNetwork hiddenAndOut() {
  MapNetwork network;
  addPopulation(network, "hidden", 20);
  addPopulation(network, "out \"1\"", 4);
  return network;
}

std::vector<PlacedRange> placementOf(const std::string &text) {
  return parsePlacement(hiddenAndOut(), Target::load("tiny"), text, "p.yaml");
}

std::string refusedPlacement(const std::string &text) {
  return errorOf([&] { placementOf(text); });
}

TEST(PlacementFile, BasesFollowTheFile) {
  std::vector<Slice> slices =
      gather(
          hiddenAndOut(),
          placementOf("- {population: hidden, first: 12, count: 8, core: 3}\n"
                      "- population: 'out \"1\"'\n"
                      "  first: 0\n"
                      "  count: 4\n"
                      "  core: 3\n"
                      "- {population: hidden, first: 0, count: 12, core: 1}\n"))
          .slices;
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0].core, 1u);
  EXPECT_EQ(slices[0].count, 12u);
  EXPECT_EQ(slices[1].population, 0u);
  EXPECT_EQ(slices[1].base, 0u);
  EXPECT_EQ(slices[2].population, 1u);
  EXPECT_EQ(slices[2].base, 8u);
}

TEST(PlacementFile, JsonIsReadToo) {
  EXPECT_EQ(
      placementOf("[{\"population\": \"hidden\", \"first\": 0, \"count\": 16, "
                  "\"core\": 0},\n"
                  " {\"population\": \"hidden\", \"first\": 16, \"count\": 4, "
                  "\"core\": 1},\n"
                  " {\"population\": \"out \\\"1\\\"\", \"first\": 0, "
                  "\"count\": 4, \"core\": 1}]\n")
          .size(),
      3u);
}

TEST(PlacementFile, ErrorsNameThePlace) {
  const std::string out =
      "- {population: 'out \"1\"', first: 0, count: 4, core: 1}\n";
  EXPECT_HAS(refusedPlacement("population: hidden\n"),
             "p.yaml:1:1: expected a list of slices");
  EXPECT_HAS(
      refusedPlacement("- {population: hiden, first: 0, count: 20, core: 0}\n"),
      "p.yaml:1:16: the network has no population 'hiden', did you mean "
      "'hidden'?");
  EXPECT_HAS(refusedPlacement("- {population: hidden, first: 0, count: 20}\n"),
             "p.yaml:1:3: ");
  EXPECT_HAS(
      refusedPlacement(
          "- {population: hidden, first: 0, count: 20, core: 0, at: 1}\n"),
      "p.yaml:1:54: ");
  EXPECT_HAS(refusedPlacement(
                 "- {population: hidden, first: 0, count: 20, core: 4}\n"),
             "p.yaml:1:51: ");
  EXPECT_HAS(refusedPlacement(
                 "- {population: hidden, first: 8, count: 13, core: 0}\n"),
             "p.yaml:1:41: ");
  EXPECT_HAS(
      refusedPlacement("- {population: hidden, first: 0, count: 0, core: 0}\n"),
      "p.yaml:1:41: ");
  EXPECT_HAS(refusedPlacement(
                 "- {population: hidden, first: 0, count: 9, core: 0}\n" + out),
             "p.yaml:1:1: population 'hidden': neurons 9 to 19 are placed on "
             "no core");
  EXPECT_HAS(refusedPlacement(
                 "- {population: hidden, first: 0, count: 9, core: 0}\n"
                 "- {population: hidden, first: 10, count: 10, core: 2}\n" +
                 out),
             "p.yaml:2:3: population 'hidden': neurons 9 to 9 are placed");
  EXPECT_HAS(
      refusedPlacement("- {population: hidden, first: 8, count: 12, core: 0}\n"
                       "- {population: hidden, first: 0, count: 9, core: 2}\n" +
                       out),
      "p.yaml:1:3: population 'hidden': neuron 8 is placed already in "
      "line 2");
}

/// Writes the text and maps with it.
Mapping mapFrom(const MapNetwork &network, const Target &target,
                const std::string &text) {
  std::string path =
      (std::filesystem::temp_directory_path() /
       ("dendrolith-placement-" +
        std::string(
            testing::UnitTest::GetInstance()->current_test_info()->name()) +
        ".yaml"))
          .string();
  std::ofstream(path) << text;
  MappingOptions options;
  options.placementFile = path;
  Mapping mapping;
  std::string error =
      errorOf([&] { mapping = mapped(network, target, options); });
  std::filesystem::remove(path);
  if (!error.empty())
    throw Error(error);
  return mapping;
}

TEST(PlacementFile, SavedAndReadAgain) {
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  MapNetwork network = randomNetwork(11);
  network.populations[0].name = "odd: \"name\" #\\1\n";
  Mapping mapping = mapped(network, target);
  std::string text = formatPlacement(network, mapping);
  Mapping again = mapFrom(network, target, text);
  EXPECT_EQ(formatPlacement(network, again), text);
  ASSERT_EQ(again.slices.size(), mapping.slices.size());
  for (size_t i = 0; i < again.slices.size(); ++i) {
    EXPECT_EQ(again.slices[i].core, mapping.slices[i].core);
    EXPECT_EQ(again.slices[i].base, mapping.slices[i].base);
  }
  EXPECT_EQ(again.solver, "placement file");
  // The file says nothing of the order in which slices of different cores are
  // summed up, or dealt out for the baseline.
  EXPECT_NEAR(again.cost, mapping.cost, 1e-12 * mapping.cost);
}

TEST(PlacementFile, LimitsHoldThereToo) {
  std::string error = errorOf([] {
    mapFrom(hiddenAndOut(), Target::load("tiny"),
            "- {population: hidden, first: 0, count: 20, core: 2}\n"
            "- {population: 'out \"1\"', first: 0, count: 4, core: 1}\n");
  });
  EXPECT_HAS(error, ".yaml: core 2: needs 20 neurons, a core of 'tiny' "
                    "has 16; population 'hidden' takes most");
}

/// Neuron n on core n % cores, each in an entry of its own.
std::string inTurn(uint32_t neurons, uint32_t cores, const char *more = "") {
  std::string text;
  for (uint32_t n = 0; n < neurons; ++n)
    text += "- {population: a, first: " + std::to_string(n) +
            ", count: 1, core: " + std::to_string(n % cores) + more + "}\n";
  return text;
}

TEST(PlacementFile, RangesOfACoreAreOneSlice) {
  MapNetwork network;
  addPopulation(network, "a", 1500);
  Target target = Target::load("loihi1");
  Mapping mapping = mapFrom(network, target, inTurn(1500, 128));
  ASSERT_EQ(mapping.slices.size(), 128u);
  for (const Slice &slice : mapping.slices)
    for (uint32_t i = 0; i < slice.count; ++i)
      EXPECT_EQ(mapping.order[0][slice.first + i], slice.core + 128 * i);
}

TEST(PlacementFile, MoreThanAMegabyte) {
  MapNetwork network;
  addPopulation(network, "a", 30000);
  std::string text = inTurn(30000, 128);
  ASSERT_GT(text.size(), size_t(1) << 20);
  EXPECT_EQ(mapFrom(network, Target::load("loihi1"), text).slices.size(), 128u);
}

TEST(PlacementFile, OrderedMappingsAreSavedAndReadAgain) {
  Target target = Target::load("loihi1");
  MapNetwork network = randomNetwork(11);
  network.populations[1].name = "a";
  std::mt19937 random(3);
  std::vector<PlacedRange> ranges;
  for (uint32_t p = 0; p < network.populations.size(); ++p)
    for (uint32_t n = 0; n < network.populations[p].size; ++n)
      ranges.push_back(
          {p, n, 1, uint32_t(random() % 20), uint32_t(random() % 2)});
  std::shuffle(ranges.begin(), ranges.end(), random);
  Placement placement = gather(network, ranges);
  Mapping mapping;
  mapping.slices = placement.slices;
  mapping.order = placement.order;
  std::string text = formatPlacement(network, mapping);
  EXPECT_HAS(text, ", slice: 1}");
  Mapping again = mapFrom(network, target, text);
  EXPECT_EQ(formatPlacement(network, again), text);
  EXPECT_EQ(again.order, mapping.order);
}

TEST(PlacementFile, AMissingFileIsNamed) {
  MappingOptions options;
  options.placementFile = "no/such/placement.yaml";
  EXPECT_HAS(
      errorOf([&] { mapped(hiddenAndOut(), Target::load("tiny"), options); }),
      "no/such/placement.yaml: cannot open: No such file or directory");
}

} // namespace
