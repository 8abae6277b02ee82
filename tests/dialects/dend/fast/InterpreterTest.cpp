// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the fast form of the interpreter has. Its numbers are held to the
// reference's by all tests of tests/dialects/dend/reference.

#include "dialects/dend/fast/Ranges.h"
#include "tests/dialects/dend/reference/Support.h"

namespace dendrolith::dend::test {
namespace {

/// Two neurons that keep what they last received from the input @x.
std::string receiver(const std::string &type, int64_t sources,
                     const std::string &spike, const std::string &projection) {
  return "dend.clock @step\ndend.neuron @relay ports(%x : " + type +
         ") states(%last : " + type +
         " reset sample) {\n  dend.yield states(%x : " + type +
         ")\n}\ndend.input @x on @step : tensor<" + std::to_string(sources) +
         "xf64> as " + spike + "\ndend.population @P : @relay[2] on @step\n" +
         projection;
}

// A copy goes its own way from where the first one stood.
TEST(FastInterpreter, copiesShareSynapsesAlone) {
  Loaded loaded(receiver("!dend.fx<8, -2>", 1, "!dend.spike<int, -4, 4>",
                         constant("V", "tensor<2x1xi8>", "[[1], [2]]") +
                             "\ndend.project @x -> @P[\"x\"] #dend.dense "
                             "weight @V"));
  ASSERT_TRUE(loaded) << loaded.errors;
  const auto &first = loaded->fast;
  first->tick({{"x", {1}}});
  auto copy = first->copy();
  copy->tick({{"x", {3}}});
  EXPECT_EQ(first->state("P", "last").raw, (Ints{1, 2}));
  EXPECT_EQ(copy->state("P", "last").raw, (Ints{3, 6}));
  first->tick({{"x", {-1}}});
  EXPECT_EQ(first->state("P", "last").raw, (Ints{-1, -2}));
  EXPECT_EQ(copy->state("P", "last").raw, (Ints{3, 6}));
}

TEST(FastInterpreter, rangesOfPortsStatesAndValues) {
  Loaded loaded(receiver("f64", 2, "!dend.spike<graded>",
                         constant("b", "tensor<2xf64>", "[0.5, 0.5]") +
                             "\ndend.project @x -> @P[\"x\"] #dend.diagonal "
                             "bias @b\n"));
  ASSERT_TRUE(loaded) << loaded.errors;
  Ranges ranges;
  loaded->fast->observe(ranges.observer());
  loaded->tick({{"x", {1, -3}}});
  loaded->tick({{"x", {2, 0}}});
  loaded->fast->observe({});
  loaded->tick({{"x", {100, -100}}});
  auto population = loaded.network.lookupSymbol<PopulationOp>("P");
  EXPECT_EQ(ranges.port(population, "x").low, -2.5);
  EXPECT_EQ(ranges.port(population, "x").high, 2.5);
  // The initial state counts.
  EXPECT_EQ(ranges.state(population, "last").low, -2.5);
  EXPECT_EQ(ranges.state(population, "last").magnitude(), 2.5);
  EXPECT_FALSE(ranges.port(population, "nothing").seen());
  EXPECT_EQ(ranges.port(population, "nothing").magnitude(), 0);
}

} // namespace
} // namespace dendrolith::dend::test
