// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepCloser.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith {
namespace {

struct End {
  uint64_t now;
  uint32_t tile, core;
  double at;
};

// The plain twin: one end after the other, in order.
TEST(StepCloser, TheOrderWithinASpanChangesNothing) {
  std::mt19937 random(1);
  for (uint32_t round = 0; round < 200; ++round) {
    std::vector<End> ends;
    for (uint64_t now = 0; now < 60; ++now)
      for (uint32_t tile = 0; tile < 4; ++tile)
        if (random() % 3 == 0)
          ends.push_back({now, tile, random() % 4 ? tile : StepCloser::nobody,
                          double(random() % 40 + now)});
    double last = 0;
    uint32_t by = 0;
    for (const End &end : ends)
      if (end.at > last) {
        last = end.at;
        by = end.core == StepCloser::nobody ? by : end.core;
      }
    StepCloser closer;
    closer.reset();
    for (uint64_t span = 0; span < 60; span += 6) {
      // One tile after the other, each in order of time.
      for (uint32_t tile : {2u, 0u, 3u, 1u})
        for (const End &end : ends)
          if (end.tile == tile && end.now >= span && end.now < span + 6)
            closer.end(end.now, end.tile, end.at, end.core);
      closer.closeSpan(false);
    }
    ASSERT_EQ(closer.served(), last);
    ASSERT_EQ(closer.core(), by);
  }
}

TEST(StepCloser, WithinAnInstantTheFirstOfEqualsCounts) {
  StepCloser closer;
  closer.reset();
  closer.end(5, 3, 100, 7);
  closer.end(5, 1, 100, 8);
  closer.closeSpan(true);
  EXPECT_EQ(closer.core(), 7u);
}

} // namespace
} // namespace dendrolith
