// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/RunCycle.cpp.
// Do several processes give every count and picosecond of one, as bytes?

#include "simulator/timing/workers/Transfer.h"
#include "tests/simulator/ThreadRanks.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

TEST(Together, GivesTheTimesOfOne) {
  uint64_t several = 0, stalls = 0;
  for (uint32_t seed = 3200; seed < 3240; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomProgram random =
        test::randomBoard(seed, /*multicast=*/seed % 4 == 3);
    const Target target = withTiming(random.target, randomTiming(seed));
    RunOptions options = tracingAll(random.program);
    options.spikes = true;
    options.timeline.rows = seed % 5 == 0 ? 100 : 0;
    const RunResult one =
        runCycle(random.program, target, random.inputs, options);
    stalls += one.counts.total()[Counter::Stalls];
    const std::string bytes = toBytes(one);
    const auto cores = unsigned(random.program.cores_size());
    for (unsigned count = 2; count <= std::min(cores, 4u); ++count, ++several)
      test::onRanks(count, [&](Ranks &ranks) {
        RunOptions mine = options;
        mine.ranks = &ranks;
        mine.rankCores = test::dealt(random.program, target, count);
        const RunResult many =
            runCycle(random.program, target, random.inputs, mine);
        if (ranks.first())
          EXPECT_TRUE(toBytes(many) == bytes) << count;
        else
          EXPECT_TRUE(many.stepTimes.empty()) << count;
      });
  }
  EXPECT_GT(several, 40u);
  EXPECT_GT(stalls, 100000u);
}

} // namespace
} // namespace dendrolith::sim
