// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/workers/Part.cpp, simulator/timing/workers/Worker.cpp,
// simulator/timing/RunCycle.cpp.
// Do several workers give, as bytes, what one gives? And does a sample take as
// long after others as it does alone?

#include "simulator/timing/workers/Part.h"
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

/// Two workers of a relay, whose turns are these; what became of both: the end
/// of the first one's steps, and whether the second one counts.
std::pair<uint64_t, bool> relayed(uint32_t turns, uint32_t found, bool fails) {
  Relay relay(100, 2);
  std::pair<uint64_t, bool> became;
  inWorkers(
      2,
      [&](size_t worker, const Progress &, const ByteSink &sink) {
        relay.start(worker);
        uint64_t said = 0;
        if (worker == 1) {
          if (fails)
            relay.giveUp();
          else
            relay.begin({turns});
          said = relay.taken();
        } else {
          relay.handsOver({found});
          said = relay.end();
        }
        sink({reinterpret_cast<const char *>(&said), sizeof said});
      },
      [&](size_t worker, const ByteSource &source) {
        uint64_t said = 0;
        source(reinterpret_cast<char *>(&said), sizeof said);
        if (worker == 0)
          became.first = said;
        else
          became.second = said;
      },
      {});
  return became;
}

TEST(Relay, ALegCountsIfItBeganAsTheOneBeforeEnds) {
  const Relay relay(100, 2);
  EXPECT_EQ(relay.first(0), 0u);
  EXPECT_EQ(relay.behind(0), relay.first(1));
  EXPECT_EQ(relay.behind(1), 100u);
  EXPECT_EQ(relayed(7, 7, false), std::make_pair(relay.first(1), true));
  EXPECT_EQ(relayed(7, 8, false), std::make_pair(uint64_t(100), false));
  EXPECT_EQ(relayed(7, 7, true), std::make_pair(uint64_t(100), false));
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
