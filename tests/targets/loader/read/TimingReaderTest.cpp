// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a timing set may say of the system around the cores, and between which
// ends a number is known to lie.

#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// The chip `tiny` with a further key in its timing set.
std::string withKey(const std::string &key) {
  return edit(Target::load("tiny").yamlText, "    barrier:\n",
              "    " + key + "\n    barrier:\n");
}

TimingSet setOf(const std::string &text) {
  return Target::parse(text, "chip.yaml").timing();
}

TEST(Timing, TheSystemHasATimeAndARateOfItsOwn) {
  const TimingSet plain = Target::load("tiny").timing();
  EXPECT_EQ(plain.management.time(9), 0u);
  EXPECT_EQ(plain.hostTime(), plain.messageOut);
  const TimingSet more = setOf(withKey(
      "management: {table: [{tiles: 1, time: " + ps(5) +
      "}, {tiles: 4, time: " + ps(9) + "}]}\n    host_message: " + ps(7)));
  EXPECT_EQ(more.management.time(1), 5u);
  EXPECT_EQ(more.management.time(2), 9u);
  EXPECT_EQ(more.hostTime(), 7u);
  EXPECT_NE(more.hash, plain.hash);
  EXPECT_EQ(
      parseTarget(
          withKey("management: {fixed: {time: " + ps(5) + "}, tree: {}}")),
      "chip.yaml:" +
          place(withKey("management: {fixed: {time: " + ps(5) + "}, tree: {}}"),
                "{fixed") +
          ": expected exactly one of fixed, formula, table, tree in "
          "'management'");
}

// Neither is the chip's own, so its clock does not change them.
TEST(Timing, TheClockLeavesTheSystemAsItIs) {
  TimingSet set = setOf(withKey("management: {fixed: {time: " + ps(500) +
                                "}}\n    host_message: " + ps(70)));
  set.hasten(2, 2);
  EXPECT_EQ(set.management.time(1), 500u);
  EXPECT_EQ(set.hostTime(), 70u);
}

std::string banded(const char *value, const char *ends) {
  return withKey(std::string("host_message: {value: ") + value + ends +
                 ", unit: ps, kind: assumed, source: dendrolith}");
}

TEST(Timing, ANumberMaySayBetweenWhichEndsItLies) {
  const TimingSet set = setOf(banded("30", ", low: 24, high: 2000"));
  EXPECT_EQ(set.hostTime(), 30u);
  for (const Record &record : set.records) {
    EXPECT_EQ(record.low, record.name == "host_message" ? "24" : "")
        << record.name;
    EXPECT_EQ(record.high, record.name == "host_message" ? "2000" : "");
  }
  // The ends say what is known, and are no other run.
  EXPECT_EQ(set.hash, setOf(banded("30", "")).hash);
  for (const char *value : {"23", "2001"}) {
    const std::string text = banded(value, ", low: 24, high: 2000");
    EXPECT_EQ(parseTarget(text),
              "chip.yaml:" + place(text, std::string(value) + ", low") + ": '" +
                  value +
                  "' of 'host_message' lies outside its own band of 24 to "
                  "2000; change "
                  "the value, or the ends");
  }
  EXPECT_NE(parseTarget(banded("30", ", low: 24")).find("'high'"),
            std::string::npos);
}

TEST(Timing, WhoeverChangesANumberMayLeaveItsBand) {
  Target chip = Target::load("loihi2,timing.scaled.noc.local.buffer=4");
  EXPECT_EQ(chip.timing().noc.local.buffer, 4u);
}

// A pair of neurons took 1.164 us a step on silicon, and takes 52 ns here.
TEST(Timing, Loihi2HasTheLeastStepThatWasMeasured) {
  const TimingSet set = Target::load("loihi2").timing();
  EXPECT_NEAR(double(set.management.time(1)) / 1e3, 1163.9 - 52, 1);
  EXPECT_EQ(set.noc.local.buffer, 2000u);
}

// Either set of Loihi 1 says what boards take for a barrier on so many tiles.
TEST(Timing, BothSetsOfLoihi1HaveTheBarrierOfBoards) {
  const Target chip = Target::load("loihi1");
  const TimingSet &davies = chip.timing("davies2018"),
                  &fit = chip.timing("silicon-fit-2025");
  for (uint64_t tiles : {1, 2, 4, 29})
    EXPECT_EQ(davies.barrier.time(tiles) + davies.management.time(tiles),
              fit.barrier.time(tiles) + fit.management.time(tiles))
        << tiles;
}

} // namespace
