// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mapping that does not fit says in fields, for callers that choose by
// it (compiler/mapping/result/Fit.h), and what stays an Error.

#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/result/Misfits.h"

using namespace dendrolith;
using namespace dendrolith::test;

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
  EXPECT_TRUE(misfit.oneNeuron);
  EXPECT_EQ(misfit.clause(), "neuron 0 of 'wide' alone needs 3 in-axons of 2");
}

TEST(Misfits, AllCoresTogetherAreTooSmall) {
  MapNetwork network;
  addPopulation(network, "big", 70);
  Misfit misfit = misfitOf(network, Target::load("tiny"));
  EXPECT_EQ(misfit.resource, "neurons");
  EXPECT_EQ(misfit.population, "big");
  EXPECT_EQ(misfit.used, 70u);
  EXPECT_EQ(misfit.limit, 64u);
  EXPECT_EQ(misfit.bound, 5u);
  EXPECT_FALSE(misfit.oneNeuron);
  EXPECT_HAS(misfit.message, "no mapping takes fewer than 5 cores: ");
  EXPECT_EQ(misfit.clause(),
            "the network needs no fewer than 5 cores of 4 (neurons)");
}

/// Neuron i of `ring` receives from two sources, and neighbours in the given
/// order have none in common.
MapNetwork scatteredRing() {
  MapNetwork network;
  addInput(network, "x", 40);
  addPopulation(network, "ring", 40);
  connect(network, true, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if (s % 20 == t % 20)
              return 1;
            return std::nullopt;
          });
  return network;
}

TEST(Misfits, TheGivenOrderIsNotTheNetworksNeed) {
  Target target = Target::load("tiny");
  target.limits.inAxons = 12;
  target.limits.outAxons.reset();
  // In another order it fits.
  Mapping regrouped = mapped(scatteredRing(), target);
  EXPECT_EQ(row(regrouped, "cores").used, 4u);
  EXPECT_FALSE(regrouped.order.empty());
  expectMapping(scatteredRing(), target, regrouped);
  MappingOptions inOrder;
  inOrder.solver = "packed";
  Misfit misfit = mapNetwork(scatteredRing(), target, inOrder).misfit();
  EXPECT_EQ(misfit.resource, "in-axons");
  EXPECT_EQ(misfit.bound, 4u);
  EXPECT_EQ(misfit.found.inOrder, 7u);
  EXPECT_EQ(misfit.found.regrouped, 0u);
  EXPECT_EQ(misfit.used, 7u);
  EXPECT_HAS(
      misfit.message,
      "population 'ring' does not fit target 'tiny': the network fits no "
      "fewer than 4 cores (in-axons), found 7 in the given order, the "
      "target has 4; 12 in-axons per core is what runs out: what would "
      "make it fit is fewer sources per neuron");
  EXPECT_EQ(misfit.clause(), "found 7 cores of 4 (in-axons)");
}

TEST(Misfits, WhatRegroupingFoundIsSaid) {
  Target target = Target::load("tiny");
  target.limits.inAxons = 12;
  Misfit misfit =
      packingMisfit(scatteredRing(), target, InAxons, "ring", {9, 5, true});
  EXPECT_EQ(misfit.used, 5u);
  EXPECT_HAS(misfit.message,
             "found 9 or more in the given order and 5 by regrouping");
  EXPECT_EQ(misfit.clause(), "found 5 cores of 4 (in-axons)");
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
