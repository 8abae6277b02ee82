// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/events/StepLimits.cpp: what fills queues of a chip in a step,
// on a network whose spikes can be counted by hand, in both engines.

#include "simulator/events/StepLimits.h"
#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;

/// Neurons a0 and a1 on core 0 spike where their input does. Each has two
/// synapses to b on core 1, one step late, and one to c on core 0.
image::Program network() {
  ProgramBuilder builder(1, 3);
  builder.binaryInput("in", 2, 0);
  builder.population("a", 2, 1).population("b", 2, 2).population("c", 1, 2);
  builder.group(0, "a", 0, 2, cuba(9)).group(0, "c", 0, 1, cuba(1000));
  builder.group(1, "b", 0, 2, cuba(1000));
  builder.project("in", "a", {{10, 0}, {0, 10}});
  builder.project("a", "b", {{1, 2}, {3, 4}}, 1);
  builder.project("a", "c", {{1, 1}});
  builder.output("y", "a", "s");
  return builder.build();
}

/// In ticks 0, 1 and 2 nobody, a0, and both spike. They are visited one step
/// later than their input comes.
const std::map<std::string, Samples> &values() {
  static const std::map<std::string, Samples> all = {
      {"in", samples({{{0, 0}, {1, 0}, {1, 1}, {0, 0}}})}};
  return all;
}

Warnings warned(void (*limit)(Limits &), bool cycle) {
  Target target = cycle ? withTiming(mesh(2, 1), instantTiming()) : mesh(2, 1);
  limit(target.limits);
  return cycle ? runCycle(network(), target, values(), RunOptions()).warnings
               : runFunctional(network(), target, values(), RunOptions())
                     .warnings;
}

struct Expected {
  void (*limit)(Limits &);
  std::string where, text; // none: no warning
};

TEST(StepLimits, NameTheFirstStepTheCoreAndTheNumber) {
  const Expected all[] = {
      {[](Limits &l) { l.spikesPerStep = 2; }, "", ""},
      {[](Limits &l) { l.spikesPerStep = 1; }, "core 0",
       "step 3 of sample 0 has 2 spikes, a chip 'test' takes 1 "
       "(spikes_per_step)"},
      {[](Limits &l) { l.delayedPerStep = 4; }, "", ""},
      {[](Limits &l) { l.delayedPerStep = 3; }, "core 1",
       "step 3 of sample 0 has 4 synapses that wait for step 5, "},
      {[](Limits &l) { l.injectionsPerStep = 1; }, "the chip",
       "step 2 of sample 0 has 2 synapses between cores, "},
      {[](Limits &l) { l.injectionsPerNeuron = 1; }, "core 1",
       "step 3 of sample 0 has 2 contributions from elsewhere to one neuron, "},
  };
  for (const Expected &expected : all)
    for (bool cycle : {false, true}) {
      const Warnings found = warned(expected.limit, cycle);
      ASSERT_EQ(found.size(), expected.text.empty() ? 0u : 1u);
      if (found.empty())
        continue;
      EXPECT_EQ(found[0].code, "step-limit");
      EXPECT_EQ(found[0].where, expected.where);
      EXPECT_NE(found[0].text.find(expected.text), std::string::npos)
          << found[0].text;
    }
}

TEST(StepLimits, TheEarliestSampleCountsHoweverThreadsShareThem) {
  Target target = mesh(2, 1);
  target.limits.spikesPerStep = 1;
  const std::map<std::string, Samples> both = {
      {"in", samples({{{0, 0}, {1, 0}}, {{1, 1}, {0, 0}}, {{1, 1}, {1, 1}}})}};
  for (unsigned threads : {1u, 3u}) {
    RunOptions options;
    options.threads = threads;
    const Warnings found =
        runFunctional(network(), target, both, options).warnings;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].text.find("step 1 of sample 1 has 2 spikes"),
              std::string::npos);
    EXPECT_NE(found[0].text.find("; 3 such steps in the run"),
              std::string::npos);
  }
}

} // namespace
} // namespace dendrolith::sim
