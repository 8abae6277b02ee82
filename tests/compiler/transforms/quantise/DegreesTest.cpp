// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/quantise/Degrees.cpp.
// With which power of a port's factor do the values of a body scale, and which
// bodies have no such freedom?

#include "compiler/transforms/quantise/Degrees.h"

#include "tests/dialects/dend/reference/Support.h"

namespace dendrolith {
namespace {

/// A model by its head and ops; `yield` is what stands behind dend.yield.
dend::test::Loaded model(const std::string &head, const std::string &ops,
                         const std::string &yield) {
  return dend::test::Loaded("dend.clock @t dend.neuron @m " + head + " { " +
                            ops + " dend.yield " + yield + " }");
}

/// The degrees of all arguments in their order, or "none".
std::string degreesOf(const dend::test::Loaded &loaded, const char *port) {
  EXPECT_TRUE(loaded.network) << loaded.errors;
  dend::NetworkOp network = loaded.network;
  dend::NeuronOp neuron = *network.getOps<dend::NeuronOp>().begin();
  auto degrees = Degrees::of(neuron, port);
  if (!degrees)
    return "none";
  std::string text;
  for (mlir::BlockArgument argument : neuron.getBlock().getArguments())
    text += (text.empty() ? "" : " ") + std::to_string(degrees->of(argument));
  return text;
}

const char *kLif = "ports(%I) params(%keep, %theta) states(%v) outputs(s)";
const char *kLifOps = "%a = dend.mul %v, %keep %w = dend.add %a, %I "
                      "%s = dend.cmp gt %w, %theta %r = dend.sub %w, %theta "
                      "%n = dend.select %s, %r, %w";

// I, keep, theta, v.
TEST(Degrees, AThresholdScalesWithItsPotential) {
  EXPECT_EQ(degreesOf(model(kLif, kLifOps, "states(%n) emit(%s)"), "I"),
            "1 0 1 1");
}

// a, y, alpha, gamma, u: with a key of f the state is 1 / f, and the rate
// 1 / f^2, such that the prediction keeps its unit.
TEST(Degrees, TheRateOfADeltaRuleScalesWithTheInverseSquareOfItsKey) {
  auto loaded = model("ports(%a : tensor<2xf64>, %y) params(%alpha, %gamma) "
                      "states(%u : tensor<2xf64>) outputs(o[2])",
                      "%p = dend.dot %u, %a %e = dend.sub %y, %p "
                      "%k = dend.mul %gamma, %e %d = dend.mul %k, %a "
                      "%l = dend.mul %alpha, %u %n = dend.add %l, %d",
                      "states(%n) emit(%u)");
  EXPECT_EQ(degreesOf(loaded, "a"), "1 0 0 -2 -1");
}

// I, keep, v.
TEST(Degrees, ATraceOfASquareHasDegreeTwo) {
  EXPECT_EQ(degreesOf(model("ports(%I) params(%keep) states(%v) outputs(o)",
                            "%q = dend.mul %I, %I %a = dend.mul %v, %keep "
                            "%w = dend.add %a, %q",
                            "states(%w) emit(%w)"),
                      "I"),
            "1 0 2");
}

// I, b, keep, v: the state keeps its unit where a parameter can take it up.
TEST(Degrees, AnInputGainTakesUpTheUnit) {
  EXPECT_EQ(degreesOf(model("ports(%I) params(%b, %keep) states(%v) outputs(o)",
                            "%i = dend.mul %b, %I %a = dend.mul %v, %keep "
                            "%w = dend.add %a, %i",
                            "states(%w) emit(%w)"),
                      "I"),
            "1 -1 0 0");
}

// I, v.
TEST(Degrees, ZeroHasEveryDegree) {
  auto body = [](const char *number) {
    return model("ports(%I) states(%v) outputs(o)",
                 "%z = dend.literal " + std::string(number) +
                     " %m = dend.max %I, %z %w = dend.add %v, %m "
                     "%q = dend.mul %w, %w %p = dend.max %q, %z",
                 "states(%w) emit(%p)");
  };
  EXPECT_EQ(degreesOf(body("0.0"), "I"), "1 1");
  EXPECT_EQ(degreesOf(body("0.5"), "I"), "none");
}

TEST(Degrees, AFunctionNeedsANumber) {
  auto body = [](const char *with) {
    return model("ports(%I) params(%g) outputs(o)",
                 "%x = dend.mul %I, %" + std::string(with) +
                     " %e = dend.math exp %x",
                 "emit(%e)");
  };
  EXPECT_EQ(degreesOf(body("g"), "I"), "1 -1");
  EXPECT_EQ(degreesOf(body("I"), "I"), "none");
}

} // namespace
} // namespace dendrolith
