// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/ChipModel.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(ChipModel, TakesTheTargetsOwnSetAndTable) {
  ChipModel model(Target::load("tiny"));
  EXPECT_EQ(model.timingName, "round");
  EXPECT_EQ(model.costsName, "round");
  EXPECT_TRUE(model.priced);
  EXPECT_DOUBLE_EQ(model.prices.send, 50);
  // within_tile 3 + axon_reads 7.
  EXPECT_DOUBLE_EQ(model.prices.message, 10);
  EXPECT_DOUBLE_EQ(model.prices.hopEw, 4);
  EXPECT_DOUBLE_EQ(model.prices.hopNs, 6);
  EXPECT_DOUBLE_EQ(model.prices.staticMilliwatts, 10);
}

TEST(ChipModel, WhatAnotherPriceContainsCostsNothing) {
  // davies2018: messages and axon reads are inside within_tile.
  ChipModel model(Target::load("loihi1"));
  EXPECT_DOUBLE_EQ(model.prices.message, 1.7);
  EXPECT_DOUBLE_EQ(model.prices.spike, 0);
}

TEST(ChipModel, ABandCountsByItsMean) {
  Target target = Target::load("loihi2");
  ChipModel band(target), low(target, "", "lower"), high(target, "", "upper");
  EXPECT_TRUE(band.priced);
  EXPECT_DOUBLE_EQ(band.prices.hopEw,
                   (low.prices.hopEw + high.prices.hopEw) / 2);
  EXPECT_EQ(band.costsName, "lower to upper");
}

TEST(ChipModel, AProgramTakesCyclesByClass) {
  ChipModel model(Target::load("loihi2"));
  ProgramWork work;
  EXPECT_DOUBLE_EQ(model.timeOf(work), 0);
  work.instructions = 2;
  work.slots[size_t(MicroClass::Mac)] = 3;
  const MicrocodeTiming &timing = model.timing.microcode;
  EXPECT_DOUBLE_EQ(model.timeOf(work),
                   double(timing.cycle) *
                       double(2 * timing.issue +
                              3 * timing.cycles[size_t(MicroClass::Mac)]));
}

TEST(ChipModel, UnknownNamesAreErrors) {
  Target target = Target::load("tiny");
  EXPECT_HAS(errorOf([&] { ChipModel(target, "fast"); }), "fast");
  EXPECT_HAS(errorOf([&] { ChipModel(target, "", "cheap"); }), "cheap");
}

} // namespace
