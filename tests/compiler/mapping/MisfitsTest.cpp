// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mapping that does not fit says in fields, for callers that choose by
// it (compiler/mapping/Fit.h), and what stays an Error.

#include "tests/compiler/mapping/Networks.h"

using namespace neurite;
using namespace neurite::test;

namespace {

Misfit misfitOf(const MapNetwork &network, const Target &target,
                const MappingOptions &options = {}) {
  Fit<Mapping> fit = mapNetwork(network, target, options);
  EXPECT_FALSE(fit);
  return fit ? Misfit() : fit.misfit();
}

TEST(Misfits, OneNeuronIsTooLarge) {
  Target target = Target::load("tiny");
  target.limits.inAxons = 2;
  MapNetwork network;
  addInput(network, "x", 3);
  addPopulation(network, "wide", 1);
  dense(network, true, 0, 0);
  Misfit misfit = misfitOf(network, target);
  EXPECT_EQ(misfit.resource, "in-axons");
  EXPECT_EQ(misfit.population, "wide");
  EXPECT_EQ(misfit.used, 3u);
  EXPECT_EQ(misfit.limit, 2u);
  EXPECT_HAS(misfit.message, "population 'wide': neuron 0 alone needs 3");
}

TEST(Misfits, AllCoresTogetherAreTooSmall) {
  MapNetwork network;
  addPopulation(network, "big", 70);
  Misfit misfit = misfitOf(network, Target::load("tiny"));
  EXPECT_EQ(misfit.resource, "compartments");
  EXPECT_EQ(misfit.population, "big");
  EXPECT_EQ(misfit.used, 70u);
  EXPECT_EQ(misfit.limit, 64u);
}

TEST(Misfits, TooFewCoresToSpreadOver) {
  MapNetwork network;
  addPopulation(network, "a", 70);
  MappingOptions options;
  options.minCores = 5;
  Misfit misfit = misfitOf(network, Target::load("tiny"), options);
  EXPECT_EQ(misfit.resource, "cores");
  EXPECT_EQ(misfit.used, 5u);
  EXPECT_EQ(misfit.limit, 4u);
}

TEST(Misfits, ADelayIsTooLong) {
  MapNetwork network;
  addPopulation(network, "a", 2);
  oneToOne(network, false, 0, 0).delay = 8;
  Misfit misfit = misfitOf(network, Target::load("tiny"));
  EXPECT_EQ(misfit.resource, "delay");
  EXPECT_EQ(misfit.used, 8u);
  EXPECT_EQ(misfit.limit, 7u);
}

/// A caller that tries another form of the network after a misfit must not do
/// so for a mistake in the network itself.
TEST(Misfits, AMalformedNetworkIsAnError) {
  MapNetwork network;
  addPopulation(network, "a", 4);
  dense(network, false, 0, 0).target = 3;
  EXPECT_HAS(
      errorOf([&] { EXPECT_FALSE(mapNetwork(network, Target::load("tiny"))); }),
      "expected a target below 1, found 3");
}

} // namespace
