// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/read/TimingReader.cpp.
// Phases of a step one after the other, as chip files say them.

#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

std::string flag(bool value) {
  return std::string("{value: ") + (value ? "true" : "false") +
         ", kind: assumed, source: dendrolith}";
}

const std::string serial = "phases: {serial: {all_slots: " + flag(true) +
                           ", host_lists: " + flag(false) +
                           ", per_spike: " + ps(3) + ", per_due: " + ps(4);

/// The chip `tiny` with further keys in its timing set.
std::string with(const std::string &keys) {
  return edit(Target::load("tiny").yamlText, "    barrier:\n",
              "    " + keys + "\n    barrier:\n");
}

TEST(Phases, OverlapWhereNothingOrTheWordSaysSo) {
  EXPECT_FALSE(Target::load("tiny").timing().serial);
  EXPECT_FALSE(
      Target::parse(with("phases: overlapped"), "chip.yaml").timing().serial);
}

TEST(Phases, SerialHasItsTimesAndASequencerOnlyWhereGiven) {
  TimingSet without = Target::parse(with(serial + "}}"), "c.yaml").timing();
  ASSERT_TRUE(without.serial);
  EXPECT_TRUE(without.serial->allSlots);
  EXPECT_FALSE(without.serial->hostLists);
  EXPECT_EQ(without.serial->perSpike, 3u);
  EXPECT_EQ(without.serial->perDue, 4u);
  EXPECT_FALSE(without.serial->sequencer);
  std::string sequencer = ", sequencer: {per_core: " + ps(5) +
                          ", per_spike: " + ps(6) + ", idle: " + ps(7) +
                          ", busy: " + ps(8) + ", per_entry: " + ps(9) + "}";
  TimingSet whole =
      Target::parse(with(serial + sequencer + "}}"), "c.yaml").timing();
  ASSERT_TRUE(whole.serial && whole.serial->sequencer);
  EXPECT_EQ(whole.serial->sequencer->perCore, 5u);
  EXPECT_EQ(whole.serial->sequencer->perSpike, 6u);
  EXPECT_EQ(whole.serial->sequencer->idle, 7u);
  EXPECT_EQ(whole.serial->sequencer->busy, 8u);
  EXPECT_EQ(whole.serial->sequencer->perEntry, 9u);
  // Another order of phases is another run.
  EXPECT_NE(whole.hash, without.hash);
  EXPECT_NE(without.hash, Target::load("tiny").timing().hash);
}

TEST(Phases, AFirstEntryIsReadByKindOfList) {
  TimingSet set =
      Target::parse(with("first_entry: {dense: " + ps(1) +
                         ", sparse: " + ps(2) + ", conv: " + ps(3) + "}"),
                    "c.yaml")
          .timing();
  EXPECT_EQ(set.firstEntry.dense, 1u);
  EXPECT_EQ(set.firstEntry.sparse, 2u);
  EXPECT_EQ(set.firstEntry.conv, 3u);
}

TEST(Phases, SlowCoresAreSlowerInSerialPhasesToo) {
  std::string scale = "time_scale: {core_3: {value: 2000, unit: permille, "
                      "kind: assumed, source: dendrolith}}";
  TimingSet set =
      Target::parse(with(serial + "}}\n    " + scale), "c.yaml").timing();
  EXPECT_EQ(set.forCore(3).serial->perSpike, 6u);
  EXPECT_EQ(set.forCore(3).serial->perDue, 8u);
  EXPECT_EQ(set.forCore(2).serial->perDue, 4u);
}

TEST(Phases, WhatIsNotMeantIsRefused) {
  EXPECT_NE(parseTarget(with("phases: parallel"))
                .find("expected the word 'overlapped' or a map 'serial' for "
                      "'phases', found 'parallel'"),
            std::string::npos);
  EXPECT_NE(
      parseTarget(with("phases: {serial: {all_slots: " + flag(true) + "}}"))
          .find("missing key 'host_lists' in 'serial'"),
      std::string::npos);
}

TEST(Phases, AllSlotsNeedANumberOfSlots) {
  std::string text = edit(with(serial + "}}"),
                          "  compartments_per_core: {value: 16, unit: "
                          "compartments, kind: assumed, source: dendrolith}",
                          "  compartments_per_core: unlimited");
  EXPECT_NE(
      parseTarget(text).find("expected a number for "
                             "'limits.compartments_per_core' in a chip whose "
                             "cores visit all slots, found 'unlimited'"),
      std::string::npos);
}

} // namespace
