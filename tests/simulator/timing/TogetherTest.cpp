// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/RunCycle.cpp, RunCycleTogether.cpp.
// Do several processes give every count and picosecond of one, as bytes?

#include "simulator/timing/workers/Transfer.h"
#include "tests/simulator/ThreadRanks.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

/// Ranks, none of which has the synapses of others, give the first these bytes.
static void expectOnRanks(unsigned count, const test::RandomProgram &random,
                          const Target &target, const RunOptions &options,
                          const std::string &bytes) {
  test::onRanks(count, [&](Ranks &ranks) {
    RunOptions mine = options;
    mine.ranks = &ranks;
    mine.rankCores = test::dealt(random.program, target, count);
    const RunResult many = runCycle(
        test::partOf(random.program, target, mine.rankCores[ranks.rank()]),
        target, random.inputs, mine);
    if (ranks.first())
      EXPECT_TRUE(toBytes(many) == bytes) << count;
    else
      EXPECT_TRUE(many.stepTimes.empty()) << count;
  });
}

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
      expectOnRanks(count, random, target, options, bytes);
  }
  EXPECT_GT(several, 40u);
  EXPECT_GT(stalls, 100000u);
}

TEST(Together, LegsOfOneSampleGiveTheTimesOfTheWhole) {
  uint64_t several = 0, legs = 0, stalls = 0;
  for (uint32_t seed = 3300; seed < 3400; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random =
        seed % 2 ? test::randomBoard(seed, /*multicast=*/seed % 4 == 3)
                 : test::randomProgram(seed, /*multicast=*/seed % 8 == 6);
    for (auto &[name, samples] : random.inputs) {
      std::vector<double> longer;
      for (uint64_t i = 0; i < 5 * samples.steps * samples.width(); ++i)
        longer.push_back(samples.values[samples.begin(0, 0) +
                                        i % (samples.steps * samples.width())]);
      samples.samples = 1;
      samples.steps *= 5;
      samples.values = std::move(longer);
    }
    TimingSet timing = randomTiming(seed);
    timing.noc.grid = 0;
    timing.barrier.base = 200000; // for slots that are on their way back
    const Target target = withTiming(random.target, timing);
    RunOptions options = tracingAll(random.program);
    options.spikes = true;
    const RunResult one =
        runCycle(random.program, target, random.inputs, options);
    stalls += one.counts.total()[Counter::Stalls];
    const std::string bytes = toBytes(one);
    for (options.threads = 2; options.threads <= 4; ++options.threads)
      EXPECT_TRUE(toBytes(runCycle(random.program, target, random.inputs,
                                   options)) == bytes)
          << options.threads;
    options.threads = 1;
    const auto cores = unsigned(random.program.cores_size());
    for (unsigned count = 2; count <= std::min(cores, 3u); ++count, ++legs)
      expectOnRanks(count, random, target, options, bytes);
    several += one.steps > 3;
  }
  EXPECT_GT(several, 50u);
  EXPECT_GT(legs, 50u);
  EXPECT_GT(stalls, 10000u);
}

// Four tiles in a row. What `a` sends passes the second one, from which `b`
// sends: in the last step but one both want its link to the east at once. The
// turn is that of `b` if `a` has sent long before.
TEST(Together, ATurnOfLongAgoCountsInALaterLeg) {
  using namespace dendrolith::test;
  ProgramBuilder builder(/*period=*/1, /*depth=*/3);
  builder.population("a", 1, 1).population("b", 2, 1);
  builder.population("c", 1, 2).population("d", 1, 2);
  builder.binaryInput("in", 2, 0);
  builder.group(0, "a", 0, 1, cuba(60)).group(1, "b", 0, 2, cuba(60));
  builder.group(2, "c", 0, 1, cuba(60)).group(3, "d", 0, 1, cuba(60));
  builder.output("out", "d", "s");
  builder.connect("in", 0, 0, builder.axon(0, 0, {100}, {}, 0, 0, 1));
  builder.connect("in", 1, 1, builder.axon(1, 0, {0, 100}, {}, 0, 0, 1));
  builder.connect("a", 0, 2, builder.axon(2, 0, {50}, {}, 0, 0, 1));
  builder.connect("b", 1, 3, builder.axon(3, 0, {50}, {}, 0, 0, 1));
  const image::Program program = builder.build();
  TimingSet timing = instantTiming();
  timing.updateActive = timing.updateInactive = 4000;
  timing.noc.east.forward = timing.noc.west.forward = 4000;
  timing.noc.east.interval = timing.noc.west.interval = 3000;
  timing.noc.local.inject = timing.noc.local.interval = 1000;
  timing.barrier.base = 100000;
  const Target target = withTiming(mesh(4, 1), timing);
  const auto run = [&](bool early, unsigned threads, Ranks *ranks = nullptr) {
    std::vector<std::vector<double>> ticks(40, {0, 0});
    ticks[0] = {double(early), 0};
    ticks[38] = {1, 1};
    RunOptions options;
    options.threads = threads;
    options.ranks = ranks;
    if (ranks)
      options.rankCores = dealt(program, target, ranks->size());
    return runCycle(program, target, {{"in", samples({ticks})}}, options);
  };
  const RunResult one = run(true, 1);
  EXPECT_NE(one.stepTimes[0][39].noc, run(false, 1).stepTimes[0][39].noc);
  EXPECT_TRUE(toBytes(run(true, 2)) == toBytes(one));
  test::onRanks(2, [&](Ranks &ranks) {
    const RunResult many = run(true, 1, &ranks);
    EXPECT_TRUE(!ranks.first() || toBytes(many) == toBytes(one));
  });
}

} // namespace
} // namespace dendrolith::sim
