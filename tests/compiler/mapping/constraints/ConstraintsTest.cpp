// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests Constraints.cpp, CheckConstraints.cpp, VerifyConstraints.cpp.

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/constraints/CheckConstraints.h"
#include "compiler/mapping/constraints/ConstraintsFile.h"
#include "compiler/mapping/constraints/VerifyConstraints.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

MapNetwork linkedThree() {
  MapNetwork network;
  addPopulation(network, "a", 20);
  addPopulation(network, "b", 8);
  addPopulation(network, "c", 4);
  oneToOne(network, false, 0, 1);
  return network;
}

Constraints constraintsOf(const std::string &text) {
  return parseConstraints(linkedThree(), fourTiles(), text, "c.yaml");
}

/// What check() says.
std::string checked(const std::string &text) {
  return errorOf(
      [&] { check(constraintsOf(text), linkedThree(), fourTiles()); });
}

const std::string pinBTo3 = "pin:\n  - {population: b, core: 3}\n";

TEST(Constraints, WhatAgreesIsAccepted) {
  EXPECT_EQ(checked("{}"), "");
  EXPECT_EQ(checked(pinBTo3 + "  - {population: b, first: 2, tile: 1}\n"
                              "  - {population: b, chip: 0}\n"
                              "  - {population: c, core: 0}\n"
                              "together: [{of: [c, {population: a, count: 9}]},"
                              " {of: [a, c], within: tile}]\n"
                              "apart: [{of: [b, c]}, {of: [b, a], within: "
                              "tile}]\n"
                              "forbid: [{core: 2}, {tile: 3}]\n"
                              "reserve: [{compartments_per_core: 2}]\n"),
            "");
}

TEST(Constraints, TwoPinsOfOneNeuron) {
  EXPECT_HAS(checked(pinBTo3 + "  - {population: b, first: 7, core: 2}\n"),
             "c.yaml:3:5: pin of 'b' 7 to 7 to core 2 contradicts the pin of "
             "'b' to core 3 in line 2");
  EXPECT_HAS(checked(pinBTo3 + "  - {population: b, tile: 0}\n"),
             "c.yaml:3:5: pin of 'b' to tile 0 contradicts the pin of 'b'");
}

TEST(Constraints, APinToAForbiddenCore) {
  EXPECT_HAS(checked(pinBTo3 + "forbid:\n  - {tile: 1}\n"),
             "c.yaml:2:5: pin of 'b' to core 3 contradicts forbidden tile 1 in "
             "line 4");
  EXPECT_EQ(checked("pin: [{population: b, tile: 1}]\nforbid: [{core: 3}]\n"),
            "");
}

TEST(Constraints, PinsOfAGroup) {
  const std::string both = pinBTo3 + "  - {population: c, core: 2}\n";
  EXPECT_HAS(checked(both + "together:\n  - {of: [b, c]}\n"),
             "c.yaml:3:5: pin of 'c' to core 2 contradicts the pin of 'b' to "
             "core 3 in line 2: together: 'b', 'c' in line 5 keeps them on one "
             "core");
  EXPECT_EQ(checked(both + "together: [{of: [b, c], within: tile}]\n"), "");
  EXPECT_HAS(checked(pinBTo3 + "  - {population: c, tile: 0}\n"
                               "together: [{of: [b, c], within: tile}]\n"),
             "c.yaml:3:5: pin of 'c' to tile 0 contradicts the pin of 'b' to "
             "core 3 in line 2: together: 'b', 'c' in line 4 keeps them on one "
             "tile");
  // Groups with a neuron in common are one.
  EXPECT_HAS(checked(both + "together: [{of: [b, {population: a, count: 2}]},\n"
                            "  {of: [c, {population: a, count: 1}]}]\n"),
             "contradicts the pin of 'b' to core 3");
}

TEST(Constraints, ApartAndTogether) {
  const std::string apart = "apart:\n  - {of: [b, c]}\n";
  EXPECT_HAS(checked(apart + "together:\n  - {of: [c, b]}\n"),
             "c.yaml:2:5: apart: 'b', 'c' contradicts together: 'c', 'b' in "
             "line 4");
  EXPECT_EQ(checked(apart + "together: [{of: [c, b], within: tile}]\n"), "");
  EXPECT_HAS(checked("apart: [{of: [b, c], within: tile}]\n"
                     "together: [{of: [c, b], within: tile}]\n"),
             "c.yaml:1:9: apart: 'b', 'c' contradicts together");
  EXPECT_HAS(checked(apart + pinBTo3 + "  - {population: c, core: 3}\n"),
             "c.yaml:2:5: apart: 'b', 'c' contradicts the pin of 'c' to core 3 "
             "in line 5: two members are on core 3 then");
  EXPECT_HAS(checked("apart: [{of: [b, c], within: tile}]\n" + pinBTo3 +
                     "  - {population: c, core: 2}\n"),
             "two members are on tile 1 then");
  EXPECT_HAS(checked("apart: [{of: [a, b, c], within: tile}]\n"
                     "forbid: [{tile: 1}, {tile: 2}]\n"),
             "is too much: 3 members, and 2 tiles to keep them apart");
}

TEST(Constraints, TooMuchOnACore) {
  EXPECT_HAS(checked("pin:\n  - {population: a, core: 1}\n"),
             "c.yaml:2:5: pin of 'a' to core 1 is too much: it needs 20 "
             "neurons on core 1, which has 16");
  EXPECT_HAS(checked(pinBTo3 + "  - {population: a, count: 9, core: 3}\n"),
             "is too much: it needs 17 neurons on core 3, which has 16; "
             "others are there by the pin of");
  EXPECT_HAS(checked("pin: [{population: a, tile: 1}]\n"
                     "reserve: [{compartments_per_core: 7}]\n"),
             "it needs 20 neurons on tile 1, which has 18");
  EXPECT_HAS(checked("together: [{of: [a]}]\n"),
             "c.yaml:1:12: together: 'a' is too much: 20 neurons on one "
             "core, which has 16");
  EXPECT_HAS(checked("together: [{of: [a, b, c], within: tile}]\n"
                     "reserve: [{compartments_per_core: 1}]\n"),
             "is too much: 32 neurons on one tile, which has 30");
  EXPECT_EQ(checked("together: [{of: [a, b, c], within: tile}]\n"
                    "forbid: [{core: 1}, {core: 3}, {core: 5}]\n"),
            "");
}

TEST(Constraints, TooLittleIsLeft) {
  EXPECT_HAS(checked("forbid: [{tile: 0}, {tile: 1}, {tile: 2}, {core: 7}]\n"),
             "c.yaml:1:43: forbidden core 7 leaves too little: 1 cores have 16 "
             "neurons then, the network needs 32");
  EXPECT_HAS(checked("forbid: [{tile: 0}, {tile: 1}, {tile: 2}, {tile: 3}]\n"),
             "forbidden tile 3 leaves no core");
  EXPECT_HAS(checked("reserve:\n  - {compartments_per_core: 13}\n"),
             "c.yaml:2:5: reserve of 13 neurons leaves too little: ");
  EXPECT_HAS(checked("reserve:\n  - {compartments_per_core: 10}\n"
                     "forbid: [{tile: 0}, {tile: 1}]\n"),
             "c.yaml:3:21: forbidden tile 1 leaves too little beside the "
             "reserve of 10 neurons in line 2: 4 cores have 24 "
             "neurons then, the network needs 32");
}

TEST(Constraints, AtomsSayWhereNeuronsMayLie) {
  Constraints all = constraintsOf(
      pinBTo3 + "together: [{of: [b, {population: a, first: 5, count: "
                "2}]}, {of: [c, b], within: tile}]\n"
                "forbid: [{core: 2}]\n");
  std::vector<Atom> atoms = atomsOf(all, linkedThree(), fourTiles());
  ASSERT_EQ(atoms.size(), 5u); // a before, in and behind the group; b; c
  EXPECT_EQ(atoms[0].cores.count, 8u);
  EXPECT_FALSE(atoms[0].oneCore);
  EXPECT_TRUE(atoms[1].oneCore);
  EXPECT_FALSE(atoms[4].oneCore);
  EXPECT_TRUE(atoms[4].oneTile);
  EXPECT_EQ(atoms[1].neurons.first, 5u);
  EXPECT_EQ(atoms[1].cores.first, 3u);
  EXPECT_EQ(atoms[1].cores.count, 1u);
  EXPECT_EQ(atoms[3].coreMate, 1u);
  EXPECT_EQ(atoms[4].coreMate, 4u);
  EXPECT_EQ(atoms[4].tileMate, 1u);
  EXPECT_EQ(atoms[4].cores.first, 2u);
  EXPECT_EQ(atoms[4].cores.count, 2u);
  EXPECT_EQ(all.allowedCores(fourTiles(), {1, 0, 8}), std::vector<uint32_t>{3});
  EXPECT_EQ(all.allowedCores(fourTiles(), {2, 0, 4}).size(), 7u);
}

/// What verify() says of a on cores 0 and 1, b on 3 and c on 5; `order` is that
/// of population a.
std::string verified(const std::string &text,
                     const std::vector<uint32_t> &order = {}) {
  std::vector<Slice> slices = {
      {0, 0, 12, 0, 0}, {0, 12, 8, 1, 0}, {1, 0, 8, 3, 0}, {2, 0, 4, 5, 0}};
  return errorOf([&] {
    verify(constraintsOf(text), linkedThree(), fourTiles(), slices, {order});
  });
}

TEST(Constraints, AMappingKeepsThem) {
  EXPECT_EQ(verified("{}"), "");
  EXPECT_EQ(verified(pinBTo3 + "together: [{of: [a], within: tile}]\n"
                               "apart: [{of: [a, b, c], within: tile}]\n"
                               "forbid: [{core: 2}]\n"
                               "reserve: [{compartments_per_core: 4}]\n"),
            "");
  EXPECT_HAS(verified("pin: [{population: a, core: 0}]\n"),
             "c.yaml:1:7: pin of 'a' to core 0 is not kept: neuron 12 of 'a' "
             "lies on core 1");
  EXPECT_HAS(verified("together: [{of: [a]}]\n"),
             "together: 'a' is not kept: neuron 12 of 'a' lies on core 1, "
             "others on core 0");
  EXPECT_HAS(verified("apart: [{of: [{population: a, count: 4}, {population: "
                      "a, first: 8, count: 1}]}]\n"),
             "is not kept: neuron 8 of 'a' lies on core 0, as 'a' does");
  EXPECT_HAS(verified("forbid: [{tile: 2}]\n"),
             "forbidden tile 2 is not kept: population 'c' lies on core 5");
  EXPECT_HAS(verified("reserve: [{compartments_per_core: 5}]\n"),
             "reserve of 5 neurons is not kept: core 0 has 4 neurons "
             "free");
  EXPECT_EQ(verified("reserve: [{compartments_per_core: 5, core: 1}]\n"), "");
}

TEST(Constraints, NeuronsAreThoseOfTheModel) {
  std::vector<uint32_t> reversed(20);
  for (uint32_t n = 0; n < 20; ++n)
    reversed[n] = 19 - n;
  const std::string pin = "pin: [{population: a, count: 8, core: 1}]\n";
  EXPECT_HAS(verified(pin), "neuron 0 of 'a' lies on core 0");
  EXPECT_EQ(verified(pin, reversed), "");
}

} // namespace
