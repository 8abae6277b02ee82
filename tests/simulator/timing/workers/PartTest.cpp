// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/workers/Part.cpp, simulator/timing/workers/Worker.cpp,
// simulator/timing/RunCycle.cpp.
// Do several workers give, as bytes, what one gives? And does a sample take as
// long after others as it does alone?

#include "simulator/timing/workers/Transfer.h"
#include "simulator/timing/workers/Worker.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace dendrolith::sim {
namespace {

/// So many samples of what the first one holds, each with some values gone.
std::map<std::string, Samples> several(std::map<std::string, Samples> inputs,
                                       uint64_t count) {
  for (auto &[name, input] : inputs) {
    std::vector<double> values;
    for (uint64_t s = 0; s < count; ++s)
      for (uint64_t step = 0; step < input.steps; ++step)
        for (uint64_t i = 0; i < input.width(); ++i)
          values.push_back((step + i + s) % (s + 2) ? input.at(0, step, i) : 0);
    input.samples = count;
    input.values = std::move(values);
  }
  return inputs;
}

TEST(Part, AnyNumberOfWorkersGivesTheSameBytes) {
  uint64_t messages = 0, stalls = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomProgram random = test::randomProgram(seed);
    const Target target = randomlyTimed(random, seed, seed % 4);
    const auto inputs = several(random.inputs, 1 + seed % 6);
    RunOptions options = tracingAll(random.program);
    options.spikes = true;
    options.verify = seed % 5 == 0;
    const RunResult one = runCycle(random.program, target, inputs, options);
    for (unsigned threads : {2u, 3u}) {
      options.threads = threads;
      ASSERT_EQ(toBytes(runCycle(random.program, target, inputs, options)),
                toBytes(one))
          << threads;
    }
    messages += one.counts.total()[Counter::Messages];
    stalls += one.counts.total()[Counter::Stalls];
  }
  EXPECT_GT(messages, 1000u);
  EXPECT_GT(stalls, 1000u);
}

TEST(Worker, TheFirstFailureByNumberIsReported) {
  const auto fail = [](size_t worker, const Progress &, const ByteSink &sink) {
    if (worker == 2)
      throw Error("2");
    if (worker == 1) {
      sink(std::string(1 << 20, 'x'));
      throw Error("1");
    }
  };
  const auto readAll = [](size_t, const ByteSource &source) {
    char piece[1 << 12];
    while (source(piece, sizeof piece)) {
    }
  };
  for (int again = 0; again < 20; ++again)
    try {
      inWorkers(3, fail, readAll, {});
      ADD_FAILURE();
    } catch (const Error &error) {
      EXPECT_STREQ(error.what(), "1");
    }
}

TEST(Worker, StepsOfAllAreAddedUp) {
  uint64_t last = 0;
  inWorkers(
      3,
      [](size_t worker, const Progress &progress, const ByteSink &) {
        for (uint64_t done = 1; done <= 4; ++done)
          progress(done + worker, 10);
      },
      [](size_t, const ByteSource &source) {
        char byte;
        EXPECT_EQ(source(&byte, 1), 0u);
      },
      [&](uint64_t done, uint64_t) {
        EXPECT_GT(done, last);
        last = done;
      });
  EXPECT_EQ(last, 4u + 5u + 6u);
}

} // namespace
} // namespace dendrolith::sim
