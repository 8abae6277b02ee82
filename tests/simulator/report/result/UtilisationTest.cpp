// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Utilisation.h"

#include "simulator/report/result/Result.h"
#include "simulator/report/text/Lines.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// One sample of two steps: of the first, 20 ns are update and 100 waiting.
sim::RunResult waitingRun(uint64_t management) {
  sim::StepTime waits, works;
  waits.update = 20000;
  waits.waiting = 100000;
  waits.barrier = works.barrier = 10000;
  works.update = 60000;
  waits.updateCore = works.updateCore = 3;
  waits.management = works.management = management;
  sim::RunResult run;
  run.samples = 1;
  run.steps = 2;
  run.stepTimes = {{waits, works}};
  run.timePs = 200000;
  run.sampleLatencyPs = {200000};
  sim::CoreActivity core;
  core.core = 3;
  core.updating = 180000;
  core.stalled = 100000;
  run.coreActivity = {core};
  return run;
}

Json timesOf(const sim::RunResult &run) {
  Result result = emptyResult();
  addTimes(result, run);
  result.json["steps"] = run.steps;
  result.json["timing"] = {{"name", "t"}};
  return result.json;
}

// A core that cannot hand over is not at work, whatever stands in the way.
TEST(Utilisation, WaitingForAFullReceiverIsNoUpdate) {
  const Json json = timesOf(waitingRun(0));
  EXPECT_EQ(json["latency"]["critical"]["update_ns"], 80.0);
  EXPECT_EQ(json["latency"]["critical"]["waiting_ns"], 100.0);
  EXPECT_EQ(json["latency"]["closed_by"].dump(),
            R"({"core 3 update":1,"core 3 waiting":1})");
  EXPECT_EQ(json["utilisation"]["busiest_core"]["part"], "stalled");
  EXPECT_EQ(latencyLine(json),
            "Latency: 200 ns per sample (mean; 200 ns to 200 ns), 2 steps; "
            "critical path: update 40 %, waiting for a full receiver 50 %, "
            "network 0 %, receive 0 %, barrier 10 %; timing set 't'\n");
}

// Who ends a step by a moment of what all waited for is no reason.
TEST(Utilisation, AStepIsClosedByAPartOfItsWork) {
  sim::RunResult run = waitingRun(0);
  sim::StepTime moment, part;
  moment.update = part.update = 10000;
  moment.updateCore = part.updateCore = 1;
  moment.receive = 100;
  part.receive = 300;
  moment.receiveCore = part.receiveCore = 2;
  run.stepTimes = {{moment, part}};
  EXPECT_EQ(timesOf(run)["latency"]["closed_by"].dump(),
            R"({"core 1 update":1,"core 2 receive":1})");
}

// The line says which of the two times is which.
TEST(Utilisation, TellsTheTimeOnTheSystemAndThatOfCoresAndMesh) {
  const Json json = timesOf(waitingRun(900000));
  EXPECT_EQ(json["latency"]["per_sample_ns"]["mean"], 200.0);
  EXPECT_EQ(json["latency"]["system"]["per_sample_ns"]["mean"], 2000.0);
  EXPECT_EQ(json["latency"]["system"]["per_step_ns"], 900.0);
  EXPECT_EQ(json["times"]["system_ps"], 2000000);
  EXPECT_EQ(latencyLine(json).rfind(
                "Latency: 2 us per sample on its system, which adds 900 ns to "
                "each step; cores and mesh alone: 200 ns per sample (mean; ",
                0),
            0u);
}

} // namespace
} // namespace dendrolith::report
