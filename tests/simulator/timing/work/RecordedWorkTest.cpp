// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/work/RecordedWork.cpp,
// simulator/timing/work/LiveWork.cpp, simulator/timing/work/WorkRecord.cpp,
// simulator/timing/work/WorkSource.cpp, simulator/timing/RunCycle.h.
// A run recorded under some times and replayed under others against a full run
// under those, as bytes: every time, count, slice and value.

#include "simulator/timing/RunCycle.h"
#include "simulator/timing/workers/Transfer.h"
#include "targets/support/Error.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dendrolith::sim {
namespace {

struct Recorded {
  RunResult result;
  std::string record;
};

Recorded recorded(const test::RandomProgram &random, const Target &target,
                  const RunOptions &options) {
  Recorded run;
  run.result =
      recordCycle(random.program, target, random.inputs, options, run.record);
  return run;
}

void expectReplays(uint32_t first, uint32_t end, bool multicast) {
  uint64_t messages = 0, different = 0;
  for (uint32_t seed = first; seed < end; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed, multicast);
    if (seed % 3 == 0)
      random.target.mesh.flitBits = 1 + seed % 7;
    RunOptions options;
    options.timeline.rows = 100000;
    const Recorded run =
        recorded(random, randomlyTimed(random, seed, seed % 4), options);
    const Target other = randomlyTimed(random, 1000 + seed, seed / 4 % 4);
    const RunResult full =
        runCycle(random.program, other, random.inputs, options);
    RunResult again = run.result;
    putTimes(again, Replay(random.program, run.record).run(other, options));
    ASSERT_EQ(toBytes(again), toBytes(full));
    messages += full.counts.total()[Counter::Messages];
    different += full.timePs != run.result.timePs;
  }
  EXPECT_GT(messages, 1000u);
  EXPECT_GT(different, (end - first) / 2);
}

TEST(RecordedWork, ReplayIsTheFullRunToThePicosecondAndEveryCount) {
  expectReplays(0, 160, /*multicast=*/false);
}

TEST(RecordedWork, AndWithMulticast) {
  expectReplays(160, 220, /*multicast=*/true);
}

TEST(RecordedWork, ToRecordChangesNothingOfTheRun) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    const test::RandomProgram random = test::randomProgram(seed);
    const Target target = randomlyTimed(random, seed, seed % 4);
    const RunOptions options = tracingAll(random.program);
    ASSERT_EQ(
        toBytes(recorded(random, target, options).result),
        toBytes(runCycle(random.program, target, random.inputs, options)));
  }
}

TEST(RecordedWork, ADamagedRecordIsAnErrorAndNoCrash) {
  const test::RandomProgram random = test::randomProgram(3);
  const Target target = randomlyTimed(random, 3, 0);
  const Recorded run = recorded(random, target, {});
  const Replay whole(random.program, run.record);
  whole.run(target, {});
  for (size_t keep :
       {size_t(0), size_t(1), run.record.size() / 2, run.record.size() - 1}) {
    const std::string part = run.record.substr(0, keep);
    EXPECT_THROW(Replay(random.program, part).run(target, {}), Error) << keep;
  }
  std::string wide = run.record;
  std::fill(wide.begin() + 3, wide.end(), char(255));
  EXPECT_THROW(Replay(random.program, wide).run(target, {}), Error);
}

} // namespace
} // namespace dendrolith::sim
