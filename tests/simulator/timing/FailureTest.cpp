// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/workers/Worker.cpp,
// simulator/timing/work/LiveWork.cpp, simulator/timing/workers/Transfer.cpp.
// What goes wrong is one clear error: in the worker process, in the engine, and
// when --verify finds a difference.

#include "simulator/timing/work/LiveWork.h"
#include "simulator/timing/workers/Transfer.h"
#include "simulator/timing/workers/Worker.h"
#include "targets/support/Error.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace dendrolith::sim {
namespace {

template <typename Body> std::string errorOf(Body body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST(Worker, ReturnsBytesAndReportsProgress) {
  std::vector<std::pair<uint64_t, uint64_t>> seen;
  std::string big(3000000, 'x');
  std::string bytes = inWorker(
      [&](const Progress &progress) {
        progress(1, 3);
        progress(2, 3);
        return big + std::to_string(getppid());
      },
      [&](uint64_t done, uint64_t total) { seen.push_back({done, total}); });
  EXPECT_EQ(bytes, big + std::to_string(getpid()));
  EXPECT_EQ(seen, (std::vector<std::pair<uint64_t, uint64_t>>{{1, 3}, {2, 3}}));
}

TEST(Worker, ErrorsAndDeathsAreErrorsOfTheCaller) {
  auto run = [](void (*body)()) {
    return errorOf([&] {
      inWorker(
          [&](const Progress &) {
            body();
            return std::string();
          },
          {});
    });
  };
  EXPECT_EQ(run([] { throw Error("model.dlp: core 3: too hot"); }),
            "model.dlp: core 3: too hot");
  EXPECT_EQ(run([] { throw std::runtime_error("plain"); }), "plain");
  EXPECT_EQ(run([] { raise(SIGKILL); }),
            "cycle engine: the worker process ended by signal 9 (Killed) "
            "before it had a result");
  EXPECT_NE(run([] { std::abort(); }).find("signal 6"), std::string::npos);
  EXPECT_EQ(run([] { _exit(3); }), "cycle engine: the worker process ended by "
                                   "exit status 3 before it had a result");
}

TEST(Worker, ListenerThatThrowsLeavesNoWorkerBehind) {
  EXPECT_EQ(errorOf([] {
              inWorker(
                  [](const Progress &progress) {
                    while (true)
                      progress(0, 1);
                    return std::string();
                  },
                  [](uint64_t, uint64_t) { throw Error("stop"); });
            }),
            "stop");
}

TEST(Worker, ResultThatIsCutOffIsRefused) {
  std::string bytes = toBytes(runTwoCores(instantTiming()));
  EXPECT_EQ(toBytes(fromBytes(bytes)), bytes);
  for (size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_THROW(fromBytes(bytes.substr(0, length)), Error);
  EXPECT_THROW(fromBytes(bytes + "x"), Error);
}

TEST(Engine, RunsOneAfterTheOtherInOneProcess) {
  uint64_t first = runTwoCores(instantTiming()).counts.total()[Counter::Flits];
  EXPECT_EQ(first, 4u);
  EXPECT_EQ(runTwoCores(instantTiming()).counts.total()[Counter::Flits], first);
}

TEST(Engine, StepThatCannotEndNamesThePort) {
  // No chip file can say this: the loader wants at least one slot.
  TimingSet timing = instantTiming();
  timing.noc.local.buffer = 0;
  EXPECT_EQ(errorOf([&] { runTwoCores(timing); }),
            "deadlock in step 0 of sample 0: router (0, 0), injection port: "
            "the host waits; nothing is left that could free a slot");
  timing = instantTiming();
  timing.noc.east.buffer = 0;
  EXPECT_EQ(errorOf([&] { runTwoCores(timing); }),
            "deadlock in step 1 of sample 0: router (0, 0), local buffer: 1 "
            "flits wait for the east port, the first from core 0 to core 3; "
            "nothing is left that could free a slot");
}

TEST(Engine, BadRequestsAreRefusedBeforeAWorkerStarts) {
  Target target = withTiming(test::mesh(2, 2), instantTiming());
  RunOptions options;
  options.timing = "fast";
  EXPECT_NE(errorOf([&] {
              runCycle(twoCores(), target, bothInputs(), options);
            }).find("no timing set 'fast'"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              runCycle(twoCores(),
                       withTiming(test::mesh(1, 1), instantTiming()),
                       bothInputs(), RunOptions());
            }).find("core"),
            std::string::npos);
  options = RunOptions();
  options.traces = {{"nobody", ""}};
  EXPECT_NE(errorOf([&] {
              runCycle(twoCores(), target, bothInputs(), options);
            }).find("trace 'nobody'"),
            std::string::npos);
}

TEST(Engine, ReportsProgress) {
  Target target = withTiming(test::mesh(2, 2), instantTiming());
  std::vector<std::vector<double>> ticks(200, {1, 0});
  uint64_t last = 0, total = 0;
  RunOptions options;
  options.progress = [&](uint64_t done, uint64_t all) {
    EXPECT_GT(done, last);
    last = done;
    total = all;
  };
  runCycle(twoCores(), target, {{"in", test::samples({ticks})}}, options);
  EXPECT_EQ(total, 202u);
  EXPECT_EQ(last, total);
}

TEST(Verify, FindsAnAccumulatorThatDiffers) {
  Machine machine(twoCores());
  Shadow shadow(machine);
  State state(machine, layoutOf(machine));
  shadow.compare(state, 0, 0);
  shadow.inject({{0, 1}}, 0);
  EXPECT_EQ(errorOf([&] { shadow.compare(state, 2, 0); }),
            "verify: core 0, accumulator 0, step 0 of sample 2: expected a "
            "sum of 100, found 0 after all messages were served");
  state.accumulators.deliver(machine.messages(0)[0].axon, 1, 0);
  shadow.compare(state, 2, 0);
  state.v[2] = 5; // `b`, neuron slot 0 of core 3
  EXPECT_EQ(errorOf([&] { shadow.compare(state, 2, 7); }),
            "verify: core 3, accumulator 0, step 7 of sample 2: expected v = "
            "0, found 5");
}

TEST(Verify, FindsAnEmissionThatDiffers) {
  Machine machine(twoCores());
  Shadow shadow(machine);
  State state(machine, layoutOf(machine));
  shadow.inject({{0, 1}}, 0); // the engine's message never arrives
  GroupUpdate update;
  updateGroup(state, 0, 0, 1, update);
  EXPECT_EQ(errorOf([&] { shadow.visit(0, 0, 1, update); }),
            "verify: core 0, accumulator 0, step 1: expected emission 1, found "
            "0; the timing of messages changed a result");
}

} // namespace
} // namespace dendrolith::sim
