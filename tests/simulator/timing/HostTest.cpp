// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/timing/systemc/CoreModel.cpp.
// A chain of two chips of one core, each of whose neurons listens to an element
// of the input and is an output: times by hand on Loihi's numbers.

#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

// Times of `loihi1`: from a core or host into the mesh and out of it, and from
// chip to chip (50000 and 7 more phits of 582). Then a synapse, an update, the
// host's time between two messages, and the barrier of a tile and of two chips.
constexpr uint64_t local = 1050, crossing = 54074, synapse = 3500,
                   update = 8400, interval = 582, barrier = 113000 + 748000;

image::Program oneNeuronOnEach() {
  using namespace dendrolith::test;
  ProgramBuilder builder(/*period=*/1, /*depth=*/2);
  builder.population("a", 1, 1).population("b", 1, 1).binaryInput("in", 2, 0);
  builder.group(0, "a", 0, 1, cuba(60)).group(1, "b", 0, 1, cuba(60));
  builder.output("x", "a", "s").output("y", "b", "s");
  builder.connect("in", 0, 0, builder.axon(0, 0, {100}, {}, 0, 0, 1));
  builder.connect("in", 1, 1, builder.axon(1, 0, {100}, {}, 0, 0, 1));
  return builder.build();
}

RunResult runOnTwoChips(bool verify) {
  RunOptions options;
  options.verify = verify;
  const Target target =
      Target::load("loihi1,mesh.tiles_x=1,mesh.tiles_y=1,mesh.cores_per_tile=1,"
                   "board.chips_x=2");
  return runCycle(oneNeuronOnEach(), target,
                  {{"in", test::samples({{{1, 1}}})}}, options);
}

void expectHostStep(const StepTime &step, uint64_t updates, uint64_t noc,
                    uint64_t receive) {
  EXPECT_EQ(step.update, updates);
  EXPECT_EQ(step.noc, noc);
  EXPECT_EQ(step.receive, receive);
  EXPECT_EQ(step.barrier, barrier);
}

TEST(Host, OnTheFirstChipSendsOverTheEdge) {
  for (bool verify : {false, true}) {
    const RunResult result = runOnTwoChips(verify);
    const std::vector<StepTime> &steps = result.stepTimes.at(0);
    // The second message leaves an interval after the first.
    expectHostStep(steps.at(0), 0, interval + local + crossing + local,
                   synapse);
    expectHostStep(steps.at(1), update, local + crossing + local, 0);
    EXPECT_EQ(result.sampleLatencyPs.at(0),
              60256u + 64574 + 2 * barrier); // 1,846,830 ps
    const CoreCounts total = result.counts.total();
    EXPECT_EQ(total[Counter::Crossings], 2u);
    EXPECT_EQ(total[Counter::HostCrossings], 2u);
    EXPECT_EQ(total[Counter::HostMessages], 4u);
    EXPECT_EQ(result.counts.chips, 2u);
    EXPECT_EQ(result.outputs.at(1).values, std::vector<double>{1});
  }
}

} // namespace
} // namespace dendrolith::sim
