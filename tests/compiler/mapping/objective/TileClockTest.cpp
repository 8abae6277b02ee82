// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/TileClock.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace dendrolith {
namespace {

// The plain twin: times and tiles in order, of which the first one is next.
TEST(TileClock, SaysWhatASetOfTimesAndTilesSays) {
  std::mt19937 random(1);
  TileClock clock;
  for (uint32_t tiles : {1u, 2u, 5u, 32u, 33u}) {
    SCOPED_TRACE(tiles);
    clock.reset(tiles);
    std::vector<uint64_t> due(tiles, never);
    std::set<std::pair<uint64_t, uint32_t>> plain;
    for (uint32_t i = 0; i < 5000; ++i) {
      const uint32_t tile = random() % tiles;
      // Few different times, so that many are equal.
      const uint64_t when = random() % 4 ? random() % 8 : never;
      plain.erase({due[tile], tile});
      if (when != never)
        plain.insert({when, tile});
      due[tile] = when;
      clock.set(tile, when);
      ASSERT_EQ(clock.at(tile), when);
      if (plain.empty()) {
        ASSERT_EQ(clock.first().when, never);
        continue;
      }
      ASSERT_EQ(clock.first().when, plain.begin()->first);
      ASSERT_EQ(clock.first().tile, plain.begin()->second);
    }
  }
}

} // namespace
} // namespace dendrolith
