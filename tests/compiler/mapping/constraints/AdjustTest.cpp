// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/constraints/: Adjust.cpp, Moves.cpp,
// by way of mapNetwork().

#include "compiler/mapping/constraints/PlacementFile.h"
#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/constraints/ConstraintsFile.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// A file that lives as long as this.
class File {
public:
  File(const std::string &name, const std::string &text)
      : path((std::filesystem::temp_directory_path() /
              ("dendrolith-" + name +
               testing::UnitTest::GetInstance()->current_test_info()->name()))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~File() { std::filesystem::remove(path); }
  const std::string path;
};

MapNetwork drivenThree(uint32_t sizeOfA = 20) {
  MapNetwork network;
  addInput(network, "in", 4);
  addPopulation(network, "a", sizeOfA);
  addPopulation(network, "b", 8);
  addPopulation(network, "c", 4);
  connect(network, true, 0, 0, [](uint32_t s, uint32_t t) {
    return t % 4 == s ? std::optional<int>(1) : std::nullopt;
  });
  oneToOne(network, false, 0, 1);
  oneToOne(network, false, 1, 2);
  return network;
}

Mapping under(const std::string &text, MappingOptions options = {},
              const MapNetwork &network = drivenThree()) {
  File file("constraints", text);
  options.constraintsFile = file.path;
  return mapped(network, fourTiles(), options);
}

NeuronCores coresIn(const Mapping &mapping,
                    const MapNetwork &network = drivenThree()) {
  return coresOf(network, mapping.slices, mapping.order);
}

std::set<uint32_t> distinct(const std::vector<uint32_t> &cores) {
  return {cores.begin(), cores.end()};
}

TEST(Adjust, PartialPins) {
  for (const char *goal : {"", "cores", "time"}) {
    MappingOptions options;
    options.goal = goal;
    NeuronCores cores =
        coresIn(under("pin:\n"
                      "  - {population: a, first: 3, count: 9, core: 5}\n"
                      "  - {population: b, tile: 1}\n",
                      options));
    for (uint32_t n = 3; n < 12; ++n)
      EXPECT_EQ(cores[0][n], 5u);
    for (uint32_t core : cores[1])
      EXPECT_EQ(core / 2, 1u);
  }
}

TEST(Adjust, TogetherAndApart) {
  NeuronCores cores =
      coresIn(under("together: [{of: [c, {population: a, count: 9}]}]\n"
                    "apart: [{of: [b, c], within: tile}]\n"));
  EXPECT_EQ(distinct(cores[2]).size(), 1u);
  for (uint32_t n = 0; n < 9; ++n)
    EXPECT_EQ(cores[0][n], cores[2][0]);
  for (uint32_t core : cores[1])
    EXPECT_NE(core / 2, cores[2][0] / 2);
  cores = coresIn(under("together: [{of: [b, c], within: tile}]\n"));
  for (uint32_t p : {1, 2})
    for (uint32_t core : cores[p])
      EXPECT_EQ(core / 2, cores[1][0] / 2);
}

TEST(Adjust, DeadCoresAndRoomThatStaysFree) {
  Mapping mapping = under("forbid: [{tile: 0}, {core: 2}]\n"
                          "reserve: [{compartments_per_core: 6},"
                          " {compartments_per_core: 9, core: 3}]\n");
  std::map<uint32_t, uint32_t> held;
  for (const Slice &slice : mapping.slices)
    held[slice.core] += slice.count;
  for (auto [core, neurons] : held) {
    EXPECT_GE(core, 3u);
    EXPECT_LE(neurons, core == 3 ? 1u : 10u);
  }
}

TEST(Adjust, TheSameBytesEachTime) {
  const std::string text = "forbid: [{tile: 0}]\napart: [{of: [a, b]}]\n";
  MappingOptions options;
  Mapping one = under(text, options);
  options.threads = 3;
  Mapping other = under(text, options);
  EXPECT_EQ(formatPlacement(drivenThree(), one),
            formatPlacement(drivenThree(), other));
}

TEST(Adjust, NumbersAreThoseOfTheModel) {
  MappingOptions options;
  options.numbers.resize(3);
  for (uint32_t n = 0; n < 20; ++n)
    options.numbers[0].push_back(19 - n);
  Mapping mapping =
      under("pin: [{population: a, first: 0, count: 5, core: 6}]\n", options);
  NeuronCores cores = coresIn(mapping);
  for (uint32_t n = 15; n < 20; ++n)
    EXPECT_EQ(cores[0][n], 6u);
}

TEST(Adjust, WhatOthersSayIsVerified) {
  MappingOptions options;
  options.solver = "round-robin";
  EXPECT_HAS(
      errorOf([&] { under("pin: [{population: c, core: 7}]\n", options); }),
      "pin of 'c' to core 7 is not kept");
}

TEST(Adjust, WhatCannotBeKept) {
  // 20 neurons of three in-axons' room: the chip has it, the tile has not.
  const std::string error = errorOf([] {
    under("pin: [{population: a, tile: 0}]\n"
          "apart: [{of: [a, {population: b, first: 0, count: 4}, {population: "
          "b, first: 4}, c], within: tile}]\n"
          "forbid: [{tile: 3}]\n");
  });
  EXPECT_HAS(error, "apart");
}

TEST(Adjust, FromAnEarlierMapping) {
  MappingOptions options;
  options.goal = "cores";
  const MapNetwork network = drivenThree();
  Mapping before = mapped(network, fourTiles(), options);
  File file("placement", formatPlacement(network, before));
  options.mapFrom = file.path;
  options.maxMoves = 1;
  Mapping after = mapped(network, fourTiles(), options);
  EXPECT_HAS(after.objective, "of 32 neurons moved, 0 new");
  const NeuronCores was = coresIn(before), is = coresIn(after);
  uint32_t moved = 0;
  for (uint32_t p = 0; p < was.size(); ++p)
    for (uint32_t n = 0; n < was[p].size(); ++n)
      moved += was[p][n] != is[p][n];
  EXPECT_LE(moved, 1u);

  // Four new neurons, and none of the others has to move.
  const MapNetwork larger = drivenThree(24);
  after = mapped(larger, fourTiles(), options);
  EXPECT_HAS(after.objective, "of 32 neurons moved, 4 new");
}

TEST(Adjust, WhatNoLongerFitsMovesFirst) {
  File file("placement", "- {population: a, first: 0, count: 20, core: 1}\n"
                         "- {population: b, first: 0, count: 8, core: 2}\n"
                         "- {population: c, first: 0, count: 4, core: 2}\n");
  MappingOptions options;
  options.mapFrom = file.path;
  options.maxMoves = 3;
  EXPECT_HAS(errorOf([&] { mapped(drivenThree(), fourTiles(), options); }),
             "4 neurons cannot stay on their cores of");
  options.maxMoves = 4;
  EXPECT_HAS(mapped(drivenThree(), fourTiles(), options).objective,
             ", 4 of 32 neurons moved");
  options.solver = "packed";
  EXPECT_HAS(errorOf([&] { mapped(drivenThree(), fourTiles(), options); }),
             "solver 'packed' does not search");
}

TEST(Adjust, OnlyADeadCoresNeuronsMove) {
  File file("placement", "- {population: a, first: 0, count: 10, core: 1}\n"
                         "- {population: a, first: 10, count: 10, core: 4}\n"
                         "- {population: b, first: 0, count: 8, core: 2}\n"
                         "- {population: c, first: 0, count: 4, core: 2}\n");
  MappingOptions options;
  options.mapFrom = file.path;
  options.maxMoves = 12;
  NeuronCores cores = coresIn(under("forbid: [{core: 2}]\n", options));
  for (uint32_t n = 0; n < 20; ++n)
    EXPECT_EQ(cores[0][n], n < 10 ? 1u : 4u);
  for (uint32_t p : {1, 2})
    EXPECT_EQ(distinct(cores[p]).count(2), 0u);
}

TEST(Adjust, NumbersOfCores) {
  MappingOptions options;
  options.maxCores = 9;
  EXPECT_HAS(errorOf([&] { mapped(drivenThree(), fourTiles(), options); }),
             "at most 9 cores are allowed, target 'tiny");
  options.maxCores = 1;
  EXPECT_HAS(errorOf([&] { mapped(drivenThree(), fourTiles(), options); }),
             "no mapping takes fewer than 2: the network needs 32 "
             "neurons, 20 of them for population 'a'");
}

/// Pins, groups and dead cores drawn at random from a network.
std::string constraintsFor(const MapNetwork &network, uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](size_t n) { return uint32_t(random() % n); };
  std::string text = "pin:\n";
  const size_t populations = network.populations.size();
  for (uint32_t p = 0; p < populations; p += 2)
    text += "  - {population: p" + std::to_string(p) +
            ", first: " + std::to_string(below(4)) +
            ", count: 4, core: " + std::to_string(8 + below(100)) + "}\n";
  text += "together: [{of: [{population: p1, count: 5}, {population: p0, "
          "first: 5, count: 3}]}]\n"
          "apart: [{of: [{population: p1, count: 5}, {population: p1, first: "
          "5}], within: tile}]\n"
          "forbid: [{core: 1}, {tile: 1}]\n"
          "reserve: [{compartments_per_core: " +
          std::to_string(1 + below(8)) + "}, {in_axons: 50, core: 2}]\n";
  return text;
}

/// mapNetwork() verifies each result, limits and constraints.
TEST(Adjust, RandomNetworksUnderRandomConstraints) {
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  for (uint32_t seed = 800; seed < 806; ++seed) {
    const MapNetwork network = randomNetwork(seed);
    File file("constraints", constraintsFor(network, seed));
    MappingOptions options;
    options.constraintsFile = file.path;
    options.goal = "cores";
    Mapping mapping = mapped(network, target, options);
    File before("placement", formatPlacement(network, mapping));
    options.mapFrom = before.path;
    options.maxMoves = 7;
    EXPECT_HAS(mapped(network, target, options).objective, " moved, 0 new")
        << seed;
  }
}

TEST(Adjust, SharedListsStayInRanges) {
  MapNetwork network;
  addPopulation(network, "from", 2 * 64);
  addPopulation(network, "to", 2 * 64);
  network.populations[1].grid = {2, 8, 8};
  connect(network, false, 0, 1, [](uint32_t s, uint32_t t) {
    int dy = int(s / 8 % 8) - int(t / 8 % 8), dx = int(s % 8) - int(t % 8);
    return dy * dy > 1 || dx * dx > 1 ? std::nullopt : std::optional<int>(1);
  }).shared = true;
  File file("constraints", "pin: [{population: to, first: 10, count: 30, core: "
                           "5}]\nforbid: [{core: 0}]\n");
  MappingOptions options;
  options.constraintsFile = file.path;
  Mapping mapping = mapped(network, Target::load("loihi1"), options);
  NeuronCores cores = coresIn(mapping, network);
  for (uint32_t n = 10; n < 40; ++n)
    EXPECT_EQ(cores[1][n], 5u);
}

} // namespace
