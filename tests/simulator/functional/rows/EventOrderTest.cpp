// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/functional/rows/EventOrder.cpp: the queue alone.

#include "simulator/functional/rows/EventOrder.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace dendrolith::sim {
namespace {

using Sources = std::vector<uint32_t>;

struct Played {
  Sources taken, lost;
  bool ended = false;
};

/// Plays inputs on a chip where each event of a source makes others fire.
Played play(uint64_t places, bool closed,
            const std::vector<EventQueue::Event> &inputs,
            std::map<uint32_t, Sources> fires, uint64_t most = 1000) {
  Played played;
  EventQueue queue(places, closed);
  played.ended = queue.play(
      inputs,
      [&](const EventQueue::Event &event) -> const Sources & {
        played.taken.push_back(event.source);
        return fires[event.source];
      },
      most, played.lost);
  return played;
}

Sources upTo(uint32_t first, uint32_t end) {
  Sources all;
  for (; first < end; ++first)
    all.push_back(first);
  return all;
}

TEST(EventQueue, WhatIsTakenKeepsItsPlace) {
  const Played played = play(32, true, {{200}}, {{200, upTo(0, 40)}});
  Sources want = upTo(0, 31);
  want.insert(want.begin(), 200);
  EXPECT_TRUE(played.ended);
  EXPECT_EQ(played.taken, want);
  EXPECT_EQ(played.lost, upTo(31, 40));
}

TEST(EventQueue, AReferenceOfTimePassesWhatWaits) {
  const Played played =
      play(32, true, {{200}, {300, 1, true}, {201}}, {{200, {0, 1, 2}}});
  EXPECT_EQ(played.taken, (Sources{200, 300, 0, 1, 2, 201}));
}

TEST(EventQueue, BehindAnInputOneThatWaitsIsTaken) {
  const Played played =
      play(32, true, {{200}, {201}}, {{200, {0}}, {0, {1}}, {1, {2}}});
  EXPECT_EQ(played.taken, (Sources{200, 0, 201, 1, 2}));
}

TEST(EventQueue, SpikesThatReachNobodyMakeNoEvents) {
  const Played played =
      play(1, false, {{200}, {201}}, {{200, {0, 1}}, {201, {0}}});
  EXPECT_EQ(played.taken, (Sources{200, 201}));
  EXPECT_TRUE(played.lost.empty());
}

TEST(EventQueue, SaysThatItDoesNotEnd) {
  EXPECT_FALSE(play(4, true, {{7}}, {{7, {0}}, {0, {0}}}).ended);
  EXPECT_TRUE(play(4, true, {{7}}, {{7, {0}}}, 2).ended);
}

} // namespace
} // namespace dendrolith::sim
