// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/CycleEngine.cpp, simulator/timing/RunCycle.cpp,
// simulator/timing/workers/Transfer.cpp.
// Timing never changes a result: the cycle engine under random timing sets
// against the functional engine, with values accumulated on arrival and
// compared at every barrier.

#include "tests/simulator/timing/Agreement.h"
#include "simulator/timing/workers/Transfer.h"
#include "tests/simulator/NaiveCounter.h"
#include "tests/simulator/RandomProgram.h"
#include "tests/simulator/TraceFiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace dendrolith::sim {
namespace {

void expectAgreement(bool multicast = false, bool board = false) {
  uint64_t messages = 0, stalls = 0, crossings = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = board ? test::randomBoard(seed, multicast)
                                       : test::randomProgram(seed, multicast);
    // Payloads wider than a flit travel in several.
    if (seed % 3 == 0)
      random.target.mesh.flitBits = 1 + seed % 7;
    RunOptions options = tracingAll(random.program);
    RunResult plain =
        runFunctional(random.program, random.target, random.inputs, options);
    options.verify = true;
    Target target = withTiming(random.target, randomTiming(seed));
    RunResult cycle = runCycle(random.program, target, random.inputs, options);
    expectSame(cycle, plain);

    Counts naive = test::countNaively(random.program, target, random.inputs,
                                      test::recordsOf(random.program, cycle));
    ASSERT_EQ(cycle.counts.difference(naive), "");

    uint64_t sum = 0;
    ASSERT_EQ(cycle.stepTimes.size(), cycle.samples);
    for (size_t s = 0; s < cycle.samples; ++s) {
      uint64_t sample = 0;
      ASSERT_EQ(cycle.stepTimes[s].size(), cycle.steps);
      for (const StepTime &t : cycle.stepTimes[s])
        sample += t.length();
      ASSERT_EQ(cycle.sampleLatencyPs[s], sample);
      sum += sample + target.timing().reset;
      // The next one begins with the mesh's clock.
      if (const uint64_t grid = target.timing().noc.grid)
        sum = (sum + grid - 1) / grid * grid;
    }
    ASSERT_EQ(cycle.timePs, sum);
    messages += cycle.counts.total()[Counter::Messages];
    stalls += cycle.counts.total()[Counter::Stalls];
    crossings += cycle.counts.total()[Counter::Crossings];
  }
  EXPECT_EQ(crossings > 1000, board);
  // The programs are not all silent, nor the ports all free.
  EXPECT_GT(messages, 1000u);
  EXPECT_GT(stalls, 1000000u);
}

TEST(Agreement, CycleEngineEqualsFunctionalEngineWhateverTheTiming) {
  expectAgreement();
}

TEST(Agreement, AndWithMulticast) { expectAgreement(/*multicast=*/true); }

TEST(Agreement, AndOnBoardsOfChips) {
  expectAgreement(/*multicast=*/false, /*board=*/true);
  expectAgreement(/*multicast=*/true, /*board=*/true);
}

// The worker writes what its caller reads.
TEST(Agreement, LongOutputsAndTracesLieInFiles) {
  uint64_t values = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random = test::randomProgram(seed);
    for (auto &[name, samples] : random.inputs) {
      const uint64_t each = samples.steps * samples.width();
      std::vector<double> longer; // more ticks than a block of a file has
      for (uint64_t s = 0; s < samples.samples; ++s)
        for (uint64_t i = 0; i < 20 * each; ++i)
          longer.push_back(samples.values[samples.begin(s, 0) + i % each]);
      samples.steps *= 20;
      samples.values = std::move(longer);
    }
    const Target target = withTiming(random.target, randomTiming(seed));
    RunOptions options = tracingAll(random.program);
    const RunResult plain =
        runCycle(random.program, target, random.inputs, options);
    options.threads = 1 + seed % 2;
    options.stores.traces = test::tracesInFiles();
    options.stores.outputs = [&](const OutputData &output,
                                 uint64_t size) -> std::shared_ptr<ValueFile> {
      if (output.name == "out0") // one in memory beside others in files
        return nullptr;
      return std::make_shared<ValueFile>(
          std::filesystem::temp_directory_path().string(), size);
    };
    const RunResult stored =
        runCycle(random.program, target, random.inputs, options);
    ASSERT_EQ(plain.timePs, stored.timePs);
    for (size_t t = 0; t < plain.traces.size(); ++t)
      ASSERT_EQ(test::readOf(stored.traces[t]), plain.traces[t].values);
    ASSERT_EQ(plain.outputs.size(), stored.outputs.size());
    for (size_t o = 0; o < plain.outputs.size(); ++o) {
      const OutputData &output = stored.outputs[o];
      ASSERT_EQ(output.file != nullptr, output.name != "out0");
      ASSERT_EQ(output.values.empty(), output.file != nullptr);
      EXPECT_TRUE(sameValues(plain.outputs[o], output));
      values +=
          output.file
              ? size_t(std::count_if(plain.outputs[o].values.begin(),
                                     plain.outputs[o].values.end(),
                                     [](double value) { return value != 0; }))
              : 0;
    }
  }
  EXPECT_GT(values, 10000u);
}

TEST(Agreement, SameInputGivesTheSameBytes) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    test::RandomProgram random =
        seed % 4 < 2 ? test::randomProgram(seed, /*multicast=*/seed >= 10)
                     : test::randomBoard(seed, /*multicast=*/seed >= 10);
    Target target = withTiming(random.target, randomTiming(seed));
    RunOptions options = tracingAll(random.program);
    std::string first =
        toBytes(runCycle(random.program, target, random.inputs, options));
    for (int again = 0; again < 2; ++again)
      ASSERT_EQ(
          toBytes(runCycle(random.program, target, random.inputs, options)),
          first);
    // Checking changes nothing.
    options.verify = true;
    ASSERT_EQ(toBytes(runCycle(random.program, target, random.inputs, options)),
              first);
  }
}

// The order in which cores run and routers are visited inside an instant.
TEST(Agreement, OrderInsideAnInstantDoesNotShow) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgram random =
        test::randomProgram(seed, /*multicast=*/seed >= 30);
    Target target = withTiming(random.target, randomTiming(seed));
    RunOptions options = tracingAll(random.program);
    options.timeline.rows = 100000;
    std::string plain =
        toBytes(runCycle(random.program, target, random.inputs, options));
    for (uint64_t shuffle : {1, 2, 3}) {
      options.shuffle = shuffle;
      for (bool verify : {false, true}) {
        options.verify = verify;
        ASSERT_EQ(
            toBytes(runCycle(random.program, target, random.inputs, options)),
            plain);
      }
    }
  }
}

TEST(Agreement, ShippedTimingSetsRun) {
  for (const char *name : {"tiny", "loihi1", "ideal"}) {
    Target shipped = Target::load(name);
    for (const TimingSet &timing : shipped.timings) {
      test::RandomProgram random = test::randomProgram(3);
      Target target = withTiming(random.target, timing);
      RunOptions options;
      options.verify = true;
      options.timing = timing.name;
      RunResult cycle =
          runCycle(random.program, target, random.inputs, options);
      RunResult plain =
          runFunctional(random.program, target, random.inputs, options);
      EXPECT_EQ(cycle.counts.difference(plain.counts), "") << timing.name;
    }
  }
}

} // namespace
} // namespace dendrolith::sim
