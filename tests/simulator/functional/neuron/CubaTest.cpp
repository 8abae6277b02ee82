// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/functional/neuron/Cuba.h.
// The functional engine's neuron against worked examples of Lava's LIF process
// in fixed point. `a` is the sum before its shift of 6.

#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

struct Expected {
  std::vector<int64_t> u, v, s;
};

/// One neuron fed with integers; records every tick.
void check(image::Cuba neuron, const std::vector<int> &a,
           const Expected &expected) {
  ProgramBuilder builder(1, 2);
  builder.population("n", 1, 1).integerInput("in", 1, 0, -131072, 131072, 1);
  builder.group(0, "n", 0, 1, std::move(neuron));
  builder.connect("in", 0, 0, builder.axon(0, 0, {1}, {}, 0, 6, 1));
  std::vector<std::vector<double>> ticks;
  for (int value : a)
    ticks.push_back({double(value)});
  sim::RunOptions options;
  for (const char *state : {"", "u", "v"})
    options.traces.push_back({"n", state});
  sim::RunResult result =
      sim::runFunctional(builder.build(), Target::load("ideal"),
                         {{"in", samples({ticks})}}, options);
  EXPECT_EQ(result.traces[0].values, expected.s);
  EXPECT_EQ(result.traces[1].values, expected.u);
  EXPECT_EQ(result.traces[2].values, expected.v);
}

TEST(Cuba, DecaysAndFires) {
  check(cuba(20 << 6, 409, 819, 5 << 4), {10, 0, -7, 20, 0, 30, 0, 0},
        {{640, 575, 69, 1342, 1207, 3006, 2705, 2434},
         {720, 1231, 1133, 0, 0, 0, 0, 0},
         {0, 0, 0, 1, 1, 1, 1, 1}});
}

TEST(Cuba, CurrentWrapsPotentialSaturates) {
  check(cuba(131071 << 6, 0, 0, -1),
        {131071, 131071, 131071, -131072, -131072, -131072, -131072},
        {{8388544, -2176, 8386369, -4287, 8384323, -6332, 8382278},
         {8388543, 8386366, 0, -4288, 8380034, 8373701, 0},
         {0, 0, 1, 0, 0, 0, 1}});
}

TEST(Cuba, UpperEndOfTheCurrentIsKept) {
  check(cuba(131071 << 6, 0, 4096), {131072}, {{8388608}, {0}, {1}});
}

} // namespace
} // namespace dendrolith::test
