// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/chip/AreaData.cpp: the law of the supply.

#include "targets/loader/chip/AreaData.h"
#include "targets/loader/Target.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

TEST(Voltage, ALowerSupplyIsSlowerAndCheaper) {
  VoltageData voltage{1000, 1000, 400, 2};
  EXPECT_EQ(voltage.speed(), 1);
  EXPECT_EQ(voltage.energy(), 1);
  voltage.supply = 700;
  EXPECT_NEAR(voltage.speed(), (0.3 * 0.3 / 0.7) / (0.6 * 0.6 / 1.0), 1e-12);
  EXPECT_NEAR(voltage.energy(), 0.49, 1e-12);
  EXPECT_NEAR(voltage.leak(), 0.343, 1e-12);
}

TEST(Voltage, ScalesAllTimesOfAChipButTheTick) {
  Target chip = Target::load("tiny,timing.round.tick=5000000");
  Target slow = Target::load("tiny,timing.round.tick=5000000,"
                             "voltage.supply=700,voltage.alpha=2");
  // (0.3^2 / 0.7) / (0.6^2 / 1) = 0.357: 2.8 times as long.
  EXPECT_EQ(slow.timing().updateActive, 5600u);
  EXPECT_EQ(slow.timing().barrier.base, 280000u);
  EXPECT_EQ(slow.timing().noc.east.forward, 11200u);
  EXPECT_EQ(slow.timing().noc.east.buffer, chip.timing().noc.east.buffer);
  EXPECT_EQ(slow.timing().tick, 5000000u);
  EXPECT_NE(slow.timing().hash, chip.timing().hash);
  EXPECT_EQ(shapeDifference(chip, slow), "");
}

TEST(Clock, ScalesTheEnginesOfAllCoresAlone) {
  Target fast = Target::load("tiny,clock=4000");
  EXPECT_EQ(fast.timing().updateActive, 500u);
  EXPECT_EQ(fast.timing().messageIn, 175u);
  EXPECT_EQ(fast.timing().perWord, 13u); // 12.5, to the nearest
  EXPECT_EQ(fast.timing().barrier.base, 100000u);
  EXPECT_EQ(fast.timing().noc.east.forward, 4000u);
  EXPECT_EQ(fast.timing().reset, 1000000u);
  EXPECT_NE(fast.timing().hash, Target::load("tiny").timing().hash);
  EXPECT_EQ(Target::load("tiny,clock=1000").timing().hash,
            Target::load("tiny").timing().hash);
}

} // namespace
