// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worked example of NeuroBench's documentation, and each metric by hand.

#include "simulator/record/Collect.h"
#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;

/// W = [[1.3, 0, -3.2], [0, 1.2, -5.1], [-1.1, 2.7, 0]], in tenths, on a layer
/// that does not fire.
image::Program documentationExample() {
  ProgramBuilder b(1, 2);
  b.population("a", 3, 1).integerInput("x", 3, 0, -100, 100, 10);
  b.group(0, "a", 0, 3, cuba(2147483647));
  b.project("x", "a", {{13, 0, -32}, {0, 12, -51}, {-11, 27, 0}});
  image::ModelStatistics &model = *b.program.mutable_statistics();
  model.set_parameters(9);
  model.set_parameter_bytes(36);
  model.set_connection_weights(9);
  model.set_zero_weights(3);
  model.set_dense_synops_per_tick(9);
  return b.build();
}

NeuroBench runWith(const std::vector<std::vector<std::vector<double>>> &x) {
  return runFunctional(documentationExample(), mesh(1, 1), {{"x", samples(x)}},
                       {})
      .neuroBench;
}

TEST(NeuroBench, DocumentationExample) {
  NeuroBench metrics = runWith({{{0, 1.3, -1}}});
  EXPECT_EQ(metrics.effectiveMacs, 4);
  EXPECT_EQ(metrics.effectiveAcs, 0);
  EXPECT_EQ(metrics.dense, 9);
  EXPECT_EQ(metrics.footprint, 36u);
  EXPECT_EQ(metrics.parameterCount, 9u);
  EXPECT_EQ(metrics.connectionSparsity.value(), 0.333);
  EXPECT_EQ(metrics.activationSparsity.value(), 1.0);
  EXPECT_EQ(metrics.membraneUpdates, 3);
}

TEST(NeuroBench, OneElementMakesTheWholeCallMultiplyAccumulates) {
  // Tick 0 has only -1, 0, 1; tick 1 has a 2.
  NeuroBench metrics = runWith({{{0, 1, -1}, {1, 2, 0}}});
  EXPECT_EQ(metrics.effectiveAcs, 4);
  EXPECT_EQ(metrics.effectiveMacs, 4);
  EXPECT_EQ(metrics.dense, 18);
}

TEST(NeuroBench, PerSample) {
  NeuroBench metrics = runWith({{{0, 1, -1}}, {{1, 0, 0}}});
  EXPECT_EQ(metrics.effectiveAcs, 3); // (4 + 2) / 2
  EXPECT_EQ(metrics.dense, 9);
}

TEST(NeuroBench, SpikesAreAccumulatesAndReadOutsAreNoActivations) {
  ProgramBuilder b(1, 3);
  b.population("a", 2, 1).population("out", 1, 2).binaryInput("in", 1, 0);
  image::Cuba readOut = cuba(1, 0, 0);
  readOut.set_silent(true);
  b.group(0, "a", 0, 2, cuba(10)).group(1, "out", 0, 1, readOut);
  b.project("in", "a", {{20}, {5}}).project("a", "out", {{1, 1}});
  auto metrics = runFunctional(b.build(), mesh(2, 1),
                               {{"in", samples({{{1}, {0}, {0}, {1}}})}}, {})
                     .neuroBench;
  // a0 fires at ticks 0 and 3; a1 reaches 5 and 10, which is not above 10.
  EXPECT_EQ(metrics.activationSparsity.value(), 6.0 / 8);
  EXPECT_EQ(metrics.effectiveAcs, 2 * 2 + 2 * 1);
  EXPECT_EQ(metrics.effectiveMacs, 0);
  EXPECT_FALSE(metrics.connectionSparsity); // the image states no weights
  // 3 neurons at tick 0; then a1 and, with the second spike of a0, out at tick
  // 3. Nothing changes between: v does not decay.
  EXPECT_EQ(metrics.membraneUpdates, 3 + 1 + 1);
}

} // namespace
} // namespace dendrolith::sim
