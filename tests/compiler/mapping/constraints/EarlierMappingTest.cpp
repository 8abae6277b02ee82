// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/constraints/EarlierMapping.h"
#include "tests/runtime/ProgramFixture.h"

#include <filesystem>
#include <fstream>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// As in smallProgram(): a has neurons 0 and 1 on core 0 and 2 on core 2, b
/// lies on core 2.
MapNetwork earlierNetwork() {
  MapNetwork network;
  addPopulation(network, "a", 3);
  addPopulation(network, "b", 2);
  return network;
}

image::Program ofTiny() {
  image::Program program = smallProgram();
  program.set_target_yaml(Target::load("tiny").yamlText);
  return program;
}

/// Writes a file, reads it for the network, and removes it.
EarlierMapping readBack(const std::string &bytes, const MapNetwork &network,
                        const Target &target = Target::load("tiny"),
                        const NeuronOrder &numbers = {}) {
  std::string path =
      (std::filesystem::temp_directory_path() /
       ("dendrolith-earlier-" +
        std::string(
            testing::UnitTest::GetInstance()->current_test_info()->name())))
          .string();
  std::ofstream(path, std::ios::binary) << bytes;
  EarlierMapping earlier;
  std::string error = errorOf(
      [&] { earlier = readEarlierMapping(path, network, target, numbers); });
  std::filesystem::remove(path);
  if (!error.empty())
    throw Error(error);
  return earlier;
}

TEST(EarlierMapping, OfAnImage) {
  EarlierMapping earlier = readBack(serialize(ofTiny()), earlierNetwork());
  EXPECT_EQ(earlier.core, (NeuronCores{{0, 0, 2}, {2, 2}}));
  EXPECT_EQ(earlier.placed, 5u);
  EXPECT_EQ(earlier.unplaced, 0u);
  EXPECT_EQ(earlier.gone, 0u);
}

TEST(EarlierMapping, NumbersAreThoseOfTheModel) {
  image::Program program = ofTiny();
  program.mutable_populations(0)->set_numbers(encodeU32({2, 0, 1}));
  EXPECT_EQ(readBack(serialize(program), earlierNetwork()).core[0],
            (std::vector<uint32_t>{0, 2, 0}));
  // Neurons that the new network has in the image's order lie as there.
  EXPECT_EQ(readBack(serialize(program), earlierNetwork(), Target::load("tiny"),
                     {{2, 0, 1}})
                .core[0],
            (std::vector<uint32_t>{0, 0, 2}));
}

TEST(EarlierMapping, OfAnotherVersionOfTheNetwork) {
  MapNetwork network;
  addPopulation(network, "new", 4);
  addPopulation(network, "a", 2);
  EarlierMapping earlier = readBack(serialize(ofTiny()), network);
  EXPECT_EQ(earlier.core,
            (NeuronCores{{noCore, noCore, noCore, noCore}, {0, 0}}));
  EXPECT_EQ(earlier.placed, 2u);
  EXPECT_EQ(earlier.unplaced, 4u);
  EXPECT_EQ(earlier.gone, 3u); // a's last one and both of b
  EXPECT_EQ(earlier.populationsGone, std::vector<std::string>{"b"});
  EXPECT_EQ(earlier.summary(),
            "of 6 neurons 2 lay somewhere, 4 are new; 3 are gone");
}

TEST(EarlierMapping, OfAPlacementWithGaps) {
  EarlierMapping earlier =
      readBack("- {population: a, first: 1, count: 1, core: 3}\n"
               "- {population: b, first: 1, count: 4000000000, core: 1}\n"
               "- {population: old, first: 0, count: 7, core: 0}\n",
               earlierNetwork());
  EXPECT_EQ(earlier.core, (NeuronCores{{noCore, 3, noCore}, {noCore, 1}}));
  EXPECT_EQ(earlier.placed, 2u);
  EXPECT_EQ(earlier.gone, 3999999999u + 7);
}

TEST(EarlierMapping, MovesAreCounted) {
  MapNetwork network = earlierNetwork();
  EarlierMapping earlier =
      readBack("- {population: a, first: 0, count: 2, core: 3}\n", network);
  EXPECT_EQ(movedNeurons(earlier, coresOf(network, {{0, 0, 3, 3, 0}})), 0u);
  std::vector<Slice> apart = {
      {0, 0, 1, 3, 0}, {0, 1, 2, 1, 0}, {1, 0, 2, 2, 0}};
  EXPECT_EQ(movedNeurons(earlier, coresOf(network, apart)), 1u);
  // The same slices over the order 2, 0, 1: both of the two have moved or not.
  EXPECT_EQ(movedNeurons(earlier, coresOf(network, apart, {{2, 0, 1}})), 2u);
}

TEST(EarlierMapping, WhatIsNoneOfThisNetworkIsRefused) {
  const std::string image = serialize(ofTiny());
  auto refused = [&](const std::string &bytes, const MapNetwork &network,
                     const Target &target = Target::load("tiny")) {
    return errorOf([&] { readBack(bytes, network, target); });
  };
  MapNetwork other;
  addPopulation(other, "lif", 3);
  EXPECT_HAS(refused(image, other),
             "it is no mapping of this network: it has the populations 'a', "
             "'b', the network has 'lif'; ");
  EXPECT_HAS(refused("[]", other), "it has the populations none, the network");
  EXPECT_HAS(
      refused(image, earlierNetwork(), Target::load("loihi1")),
      "it is for target 'tiny', expected 'loihi1'; map the network anew");
  EXPECT_HAS(
      refused(image, earlierNetwork(), Target::load("tiny,mesh.tiles_x=3")),
      "it is for 2 x 2 tiles of 1 cores, target 'tiny' has 3 x 2 of 1");
  EXPECT_HAS(refused("- {population: a, first: 0, count: 1, core: 4}\n",
                     earlierNetwork()),
             ":1:45: ");
  EXPECT_HAS(refused("- {population: a, first: 0, count: 2, core: 1}\n"
                     "- {population: a, first: 1, count: 1, core: 1}\n",
                     earlierNetwork()),
             ":2:3: population 'a': neuron 1 is placed already");
  EXPECT_HAS(refused("population: a\n", earlierNetwork()),
             ":1:1: expected a program image or a list of slices");
  EXPECT_HAS(refused(image.substr(0, image.size() - 9), earlierNetwork()),
             "truncated");
  EXPECT_HAS(errorOf([] {
               readEarlierMapping("no/such.dlp", earlierNetwork(),
                                  Target::load("tiny"));
             }),
             "no/such.dlp: cannot open: No such file or directory");
}

} // namespace
