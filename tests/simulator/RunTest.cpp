// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/Run.h, simulator/FunctionalProgram.cpp,
// simulator/FunctionalEngine.cpp.
// Whole runs: draining and reset, inputs, outputs, traces, refusals.

#include "simulator/Run.h"
#include "targets/support/Error.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;
using C = Counter;

/// What the run refuses to do, or "" if it does not.
std::string runRefusal(const image::Program &program, const Target &target,
                       const std::map<std::string, Samples> &inputs,
                       const RunOptions &options = {}) {
  try {
    runFunctional(program, target, inputs, options);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

/// in (1) -> a (1), delay as given; outputs all of a.
image::Program chain(uint16_t delay = 0, double scale = 1) {
  ProgramBuilder b(1, 2 + delay);
  b.population("a", 1, 1 + delay, scale).binaryInput("in", 1, 0);
  b.group(0, "a", 0, 1, cuba(10, 0, 0)).project("in", "a", {{8}}, delay);
  b.output("s", "a", "s");
  b.output("v", "a", "v");
  b.output("u", "a", "u");
  return b.build();
}

TEST(Run, EachSampleStartsFromTheInitialState) {
  // u keeps what came: it reaches 8, then 15, ... so state would carry over.
  auto result = runFunctional(
      chain(), mesh(1, 1),
      {{"in", samples({{{1}, {1}, {1}}, {{1}, {1}, {1}}, {{0}, {0}, {0}}})}},
      {});
  const std::vector<double> &u = result.outputs[2].values;
  EXPECT_EQ(u, (std::vector<double>{8, 15, 22, 8, 15, 22, 0, 0, 0}));
  EXPECT_EQ(result.counts.chip[C::Resets], 3u);
  EXPECT_EQ(result.counts.chip[C::Tokens], 9u);
  EXPECT_EQ(result.counts.chip[C::Steps], 3 * (2 + 2u));
}

TEST(Run, InputStillOnItsWayDoesNotReachTheNextSample) {
  // The population sits out its due steps: depth 1, delay 3.
  ProgramBuilder b(1, 1);
  b.population("a", 1, 0).binaryInput("in", 1, 0);
  b.group(0, "a", 0, 1, cuba(10)).project("in", "a", {{80}}, 3);
  b.output("s", "a", "s");
  auto result = runFunctional(b.build(), mesh(1, 1),
                              {{"in", samples({{{1}, {1}}, {{0}, {0}}})}}, {});
  EXPECT_EQ(result.outputs[0].values, std::vector<double>(4, 0));
  // Delivered and counted all the same.
  EXPECT_EQ(result.counts.total()[C::SynopsDense], 2u);
  EXPECT_EQ(result.counts.total()[C::UpdatesInactive], 4u);
}

TEST(Run, SpikesOfTheLastStepAreDeliveredAndCounted) {
  ProgramBuilder b(1, 1);
  b.population("a", 1, 0).binaryInput("in", 1, 0);
  b.group(0, "a", 0, 1, cuba(10, 4095, 0, 50)); // fires at every tick
  b.project("a", "a", {{1}}).project("in", "a", {{1}});
  auto result = runFunctional(b.build(), mesh(1, 1),
                              {{"in", samples({{{0}, {0}, {0}}})}}, {});
  EXPECT_EQ(result.counts.total()[C::SpikesBinary], 3u);
  EXPECT_EQ(result.counts.total()[C::SynopsDense], 3u);
}

TEST(Run, AVisitHappensOncePerTickAndNotWhileDraining) {
  // `a` could be visited in all 1 + 5 steps; it is visited for its two ticks.
  ProgramBuilder b(1, 5);
  b.population("a", 1, 0).population("z", 1, 4).binaryInput("in", 1, 0);
  b.group(0, "a", 0, 1, cuba(10, 4095, 0, 50)).group(0, "z", 0, 1, cuba(10));
  b.project("in", "a", {{1}});
  auto result =
      runFunctional(b.build(), mesh(1, 1), {{"in", samples({{{0}, {0}}})}}, {});
  CoreCounts total = result.counts.total();
  EXPECT_EQ(total[C::Steps], 6u);
  EXPECT_EQ(total[C::SpikesBinary], 2u);
  EXPECT_EQ(total[C::UpdatesActive] + total[C::UpdatesInactive], 4u);
}

TEST(Run, OutputsAndTracesAreIndexedByTick) {
  RunOptions options;
  options.traces = {{"a", ""}, {"a", "u"}, {"a", "v"}};
  auto result = runFunctional(chain(2, 4.0), mesh(1, 1),
                              {{"in", samples({{{1}, {0}, {1}}})}}, options);
  EXPECT_EQ(result.outputs[1].name, "v");
  // v: 8, then 8 + 7 fires, then 6 + 8 fires; divided by the scale.
  EXPECT_EQ(result.outputs[0].values, (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(result.outputs[1].values, (std::vector<double>{2, 0, 0}));
  EXPECT_EQ(result.outputs[2].values, (std::vector<double>{2, 1.75, 3.5}));
  ASSERT_EQ(result.traces.size(), 3u);
  EXPECT_EQ(result.traces[0].name, "a");
  EXPECT_EQ(result.traces[0].values, (std::vector<int64_t>{0, 1, 1}));
  EXPECT_EQ(result.traces[1].name, "a:u");
  EXPECT_EQ(result.traces[1].values, (std::vector<int64_t>{8, 7, 14}));
  EXPECT_EQ(result.traces[2].name, "a:v");
  EXPECT_EQ(result.traces[2].values, (std::vector<int64_t>{8, 0, 0}));
}

TEST(Run, GradedInputsRoundHalfToEvenSaturateAndCount) {
  ProgramBuilder b(1, 2);
  b.population("a", 1, 1).integerInput("in", 1, 0, -7, 20, 2);
  b.group(0, "a", 0, 1, cuba(1000000)).project("in", "a", {{3}});
  b.output("u", "a", "u");
  Target target = mesh(1, 1);
  target.mesh.flitBits = 4; // -7..20 takes 6 bits: two flits
  auto result = runFunctional(
      b.build(), target,
      {{"in", samples({{{0.25}, {0.75}, {1.25}, {-1.25}, {50}, {-50}, {0}}})}},
      {});
  // 0.5 -> 0, 1.5 -> 2, 2.5 -> 2, -2.5 -> -2, 100 -> 20, -100 -> -7.
  EXPECT_EQ(result.outputs[0].values,
            (std::vector<double>{0, 6, 6, -6, 60, -21, 0}));
  EXPECT_EQ(result.saturations.inputs, 2u);
  CoreCounts total = result.counts.total();
  EXPECT_EQ(total[C::Inputs], 5u);
  EXPECT_EQ(result.counts.host[C::Flits], 10u);
  EXPECT_EQ(total[C::SynopsDense], 5u);
  EXPECT_EQ(total[C::SynopsGradedDense], 5u);
}

TEST(Run, SaturationsOfStatesAreReported) {
  ProgramBuilder b(1, 2);
  b.population("a", 1, 1).integerInput("in", 1, 0, 0, 1 << 20, 1);
  image::Cuba neuron = cuba(2147483647, 4095, 4096);
  neuron.set_vmax(1000);
  b.group(0, "a", 0, 1, neuron).project("in", "a", {{255}}, 0, 0);
  auto result = runFunctional(b.build(), mesh(1, 1),
                              {{"in", samples({{{1}, {100}, {1000000}}})}}, {});
  EXPECT_EQ(result.saturations.clipped.at("a"), 2u); // 25500, and the last
  EXPECT_EQ(result.saturations.wrapped.at("a"), 1u);
}

TEST(Run, ProgressEndsWithAllSteps) {
  RunOptions options;
  uint64_t last = 0, all = 0, calls = 0;
  options.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_GT(done, last);
    last = done;
    all = total;
    ++calls;
  };
  std::vector<std::vector<double>> sample(200, {1});
  runFunctional(chain(), mesh(1, 1), {{"in", samples({sample, sample})}},
                options);
  EXPECT_EQ(last, 402u);
  EXPECT_EQ(all, 402u);
  EXPECT_GT(calls, 2u);
}

TEST(Run, BadInputsAreRefusedByName) {
  image::Program p = chain();
  Target t = mesh(1, 1);
  auto in = [](std::vector<std::vector<std::vector<double>>> values) {
    return std::map<std::string, Samples>{{"in", samples(values)}};
  };
  auto says = [&](const std::string &message, const std::string &part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(runRefusal(p, t, {}), "input 'in': expected an array");
  says(runRefusal(p, t, {{"x", samples({{{1}}})}}), "input 'x'");
  says(runRefusal(p, t, in({{{1, 0}}})),
       "expected steps of shape (1,), found (2,)");
  says(runRefusal(p, t, in({{{0}, {2}}})),
       "input 'in': expected only 0 and 1, found 2 at sample 0, step 1, "
       "element 0");
  says(runRefusal(p, t, in({{{std::nan("")}}})), "found nan");
  auto more = in({{{0}}});
  more["in"].values = {};
  says(runRefusal(p, t, more), "expected 1 values");
  RunOptions options;
  options.traces = {{"b", ""}};
  says(runRefusal(p, t, in({{{1}}}), options),
       "trace 'b': expected one of 'a'");
  options.traces = {{"a", "w"}};
  says(runRefusal(p, t, in({{{1}}}), options), "trace 'a:w'");
}

TEST(Run, InputsMustAgreeInLength) {
  ProgramBuilder b(1, 2);
  b.population("a", 1, 1).binaryInput("in", 1, 0);
  b.integerInput("more", 1, 0, -8, 8, 1);
  b.group(0, "a", 0, 1, cuba(10)).project("in", "a", {{1}});
  std::string message =
      runRefusal(b.build(), mesh(1, 1),
                 {{"in", samples({{{1}, {1}}})}, {"more", samples({{{1}}})}});
  EXPECT_NE(message.find("expected 1 samples of 2 steps as in input 'in'"),
            std::string::npos)
      << message;
  Samples infinite = samples({{{1}, {1}}});
  infinite.values = {1, std::numeric_limits<double>::infinity()};
  message = runRefusal(b.build(), mesh(1, 1),
                       {{"in", samples({{{1}, {1}}})}, {"more", infinite}});
  EXPECT_NE(message.find("input 'more': expected finite values, found inf"),
            std::string::npos)
      << message;
}

TEST(Run, ACoreBeyondTheTargetIsRefused) {
  ProgramBuilder b(1, 2);
  b.population("a", 1, 1).binaryInput("in", 1, 0);
  b.group(4, "a", 0, 1, cuba(10)).project("in", "a", {{1}});
  std::string message =
      runRefusal(b.build(), mesh(2, 2), {{"in", samples({{{1}}})}});
  EXPECT_NE(message.find("core ids below 4"), std::string::npos) << message;
  Target target = mesh(2, 2);
  target.mesh.place = "chip.yaml:7:12";
  message = runRefusal(b.build(), target, {{"in", samples({{{1}}})}});
  EXPECT_NE(message.find(" (chip.yaml:7:12)"), std::string::npos) << message;
}

} // namespace
} // namespace dendrolith::sim
