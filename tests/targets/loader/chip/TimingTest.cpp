// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of a barrier, and cores that are slower or faster than the others.

#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

BarrierTiming barrierOf(const std::string &form) {
  std::string text =
      edit(Target::load("tiny").yamlText, tinyFormula, "      " + form + "\n");
  return Target::parse(text, "chip.yaml").timing().barrier;
}

TEST(Barrier, FixedTakesTheSameForAllSizes) {
  BarrierTiming barrier = barrierOf("fixed: {time: " + ps(700) + "}");
  for (uint64_t tiles : {0, 1, 5, 1000})
    EXPECT_EQ(barrier.time(tiles), 700u);
}

TEST(Barrier, FormulaRisesWithTheTiles) {
  BarrierTiming barrier = Target::load("tiny").timing().barrier;
  EXPECT_EQ(barrier.time(0), 100000u);
  EXPECT_EQ(barrier.time(1), 100000u);
  EXPECT_EQ(barrier.time(4), 130000u);
}

TEST(Barrier, TableStepsToTheNextEntry) {
  BarrierTiming barrier = barrierOf("table: [{tiles: 1, time: " + ps(600) +
                                    "}, {tiles: 4, time: " + ps(1400) + "}]");
  const uint64_t expected[] = {600, 600, 1400, 1400, 1400, 1400};
  for (uint64_t tiles = 0; tiles < 6; ++tiles)
    EXPECT_EQ(barrier.time(tiles), expected[tiles]) << tiles;
}

// Up to the root and down again: 2 levels of arity 4 hold up to 16 tiles.
TEST(Barrier, TreeTakesItsLevelsTwice) {
  BarrierTiming barrier = barrierOf(
      "tree: {base: " + ps(50) + ", level: " + ps(7) +
      ", arity: {value: 4, unit: tiles, kind: assumed, source: dendrolith}}");
  EXPECT_EQ(barrier.time(1), 50u);
  EXPECT_EQ(barrier.time(2), 50u + 14);
  EXPECT_EQ(barrier.time(4), 50u + 14);
  EXPECT_EQ(barrier.time(5), 50u + 28);
  EXPECT_EQ(barrier.time(16), 50u + 28);
  EXPECT_EQ(barrier.time(17), 50u + 42);
}

TEST(TimeScale, ChangesTheEnginesOfOneCore) {
  std::string text = edit(Target::load("tiny").yamlText, "    noc:\n",
                          "    time_scale: {core_3: {value: 1500, unit: "
                          "permille, kind: assumed, source: dendrolith}}\n"
                          "    noc:\n");
  const Target chip = Target::parse(text, "chip.yaml");
  const TimingSet &all = chip.timing();
  TimingSet slow = all.forCore(3), other = all.forCore(2);
  EXPECT_EQ(slow.updateActive, all.updateActive * 3 / 2);
  EXPECT_EQ(slow.messageIn, all.messageIn * 3 / 2);
  EXPECT_EQ(slow.perSynapse.sparse, all.perSynapse.sparse * 3 / 2);
  EXPECT_EQ(slow.noc.local.inject, all.noc.local.inject);
  EXPECT_EQ(other.updateActive, all.updateActive);
  EXPECT_NE(all.hash, Target::load("tiny").timing().hash);
  // It is a record as every other number is.
  Target changed = chip;
  changed.set("timing.round.time_scale.core_3", "500");
  EXPECT_EQ(changed.timing().forCore(3).updateActive, all.updateActive / 2);
}

} // namespace
