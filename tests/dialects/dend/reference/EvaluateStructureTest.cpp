// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structure ops, against values worked out by hand.

#include "tests/dialects/dend/reference/Support.h"

#include <cmath>

namespace dendrolith::dend::test {
namespace {

TEST(Structure, compartment) {
  std::vector<Argument> arguments = {{"v", "f64", "2.0"},
                                     {"i", "f64", "3.0"},
                                     {"k", "f64", "0.5"},
                                     {"g", "f64", "4.0"},
                                     {"o", "f64", "1.0"}};
  EXPECT_EQ(evalReal("f64", arguments,
                     "%out = dend.compartment %v drive %i keep %k gain %g "
                     "offset %o : (f64, f64, f64, f64, f64) -> f64"),
            (Reals{14}));
  EXPECT_EQ(evalReal("f64", arguments,
                     "%out = dend.compartment %v drive %i keep %k : (f64, f64, "
                     "f64) -> f64"),
            (Reals{4}));
  EXPECT_EQ(evalReal("f64", arguments,
                     "%out = dend.compartment %v drive %i keep %k offset %o : "
                     "(f64, f64, f64, f64) -> f64"),
            (Reals{5}));
}

// V' = (0.5i (1 + i) + 2, 0.5 * 2 + 2i) = (1.5 + 0.5i, 1 + 2i);
// Re(C V') = 1.5 + 3; plus 0.25 * 2 is 5.
class Branch : public testing::Test {
protected:
  const std::string z = "tensor<2xcomplex<f64>>";
  std::vector<Argument> arguments = {{"v", z, "[(1.0, 1.0), (2.0, 0.0)]"},
                                     {"i", "f64", "2.0"},
                                     {"a", z, "[(0.0, 0.5), (0.5, 0.0)]"},
                                     {"g", z, "[(1.0, 0.0), (0.0, 1.0)]"},
                                     {"c", z, "[(1.0, 0.0), (1.0, -1.0)]"},
                                     {"d", "f64", "0.25"}};
  std::string types = z + ", f64, " + z + ", " + z + ", " + z;

  std::string op(const std::string &results, const std::string &options,
                 bool direct) {
    return results + " = dend.branch %v, %i A %a G %g C %c " +
           (direct ? "direct %d " : "") + options + " : (" + types +
           (direct ? ", f64" : "") + ") -> (" + z + ", f64)";
  }
};

TEST_F(Branch, advancesAndReadsOut) {
  EXPECT_EQ(evalReal("f64", arguments, op("%n, %out", "act relu", true)),
            (Reals{5}));
  EXPECT_EQ(evalReal("f64", arguments, op("%n, %out", "act identity", false)),
            (Reals{4.5}));
  EXPECT_EQ(evalReal(z, arguments, op("%out, %n", "act relu", true)),
            (Reals{1.5, 0.5, 1, 2}));
}

TEST_F(Branch, activations) {
  arguments[4].elements = "[(-1.0, 0.0), (-1.0, 1.0)]";
  arguments[5].elements = "-0.25";
  for (auto [activation, value] :
       {std::pair<std::string, double>{"identity", -5},
        {"relu", 0},
        {"leaky_relu", 0.01 * -5},
        {"tanh", std::tanh(-5.0)}})
    EXPECT_EQ(
        evalReal("f64", arguments, op("%n, %out", "act " + activation, true)),
        (Reals{value}));
}

TEST_F(Branch, isAbsentOutsideItsRange) {
  EXPECT_EQ(evalReal("f64", arguments,
                     op("%n, %out", "act relu for [1, 2]", true), 3),
            (Reals{0, 5, 0}));
  EXPECT_EQ(
      evalReal(z, arguments, op("%out, %n", "act relu for [1, 2]", true), 3),
      (Reals{1, 1, 2, 0, 1.5, 0.5, 1, 2, 1, 1, 2, 0}));
}

TEST_F(Branch, addsTheInputWithoutAGain) {
  auto read = [&](const std::string &results) {
    return evalReal(results[1] == 'o' ? z : "f64", arguments,
                    results +
                        " = dend.branch %v, %i A %a C %c act identity : (" + z +
                        ", f64, " + z + ", " + z + ") -> (" + z + ", f64)");
  };
  // (1 + i) i/2 + 2, 2/2 + 2; read 1 and 1 - i.
  EXPECT_EQ(read("%out, %n"), (Reals{1.5, 0.5, 3, 0}));
  EXPECT_EQ(read("%n, %out"), (Reals{4.5}));
}

TEST(RealBranch, advancesAndReadsOut) {
  const std::string t = "tensor<2xf64>";
  std::vector<Argument> arguments = {{"v", t, "[1.0, -2.0]"},
                                     {"i", "f64", "2.0"},
                                     {"a", t, "[0.5, 0.25]"},
                                     {"g", t, "[1.0, 3.0]"},
                                     {"c", t, "[2.0, 1.0]"}};
  std::string types = t + ", f64, " + t + ", " + t;
  auto with = [&](const std::string &results) {
    return results + " = dend.branch %v, %i A %a G %g C %c act identity : (" +
           types + ", " + t + ") -> (" + t + ", f64)";
  };
  EXPECT_EQ(evalReal(t, arguments, with("%out, %n")), (Reals{2.5, 5.5}));
  EXPECT_EQ(evalReal("f64", arguments, with("%n, %out")), (Reals{10.5}));
  EXPECT_EQ(evalReal(t, arguments,
                     "%out, %n = dend.branch %v, %i A %a C %c act identity : "
                     "(" +
                         types + ") -> (" + t + ", f64)"),
            (Reals{2.5, 1.5}));
}

// One compartment: V' = e V + (1 - e) tau gamma I with e = exp(-dt/tau).
TEST(Cable, ofOneCompartmentIsALeakyIntegrator) {
  const std::string t = "tensor<1xf64>";
  std::vector<Argument> arguments = {
      {"v", t, "[3.0]"},      {"i", "f64", "2.0"},   {"diag", t, "[-0.5]"},
      {"gamma", t, "[0.25]"}, {"dt", "f64", "0.75"}, {"go", "f64", "-4.0"}};
  std::string op = "dend.cable %v, %i diag %diag gamma %gamma dt %dt direct "
                   "%go act identity for [1, 2] : (" +
                   t + ", f64, " + t + ", " + t + ", f64, f64) -> (" + t +
                   ", f64)";
  double e = std::exp(-0.375), v = e * 3 + (1 - e) * 2 * 0.25 * 2;
  Reals states = evalReal(t, arguments, "%out, %d = " + op, 3);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0], 3);
  EXPECT_NEAR(states[1], v, 1e-14);
  EXPECT_EQ(states[2], 3);
  Reals drives = evalReal("f64", arguments, "%n, %out = " + op, 3);
  EXPECT_EQ(drives[0], 0);
  EXPECT_NEAR(drives[1], v - 8, 1e-14);
  EXPECT_EQ(drives[2], 0);
}

// T = [[-2, 1], [1, -2]]: the sum of both decays with 1, the difference with 3.
// Per neuron, one with three times the step, which is another cable.
TEST(Cable, ofTwoCompartmentsDecaysInItsModes) {
  const std::string t = "tensor<2xf64>", one = "tensor<1xf64>";
  std::vector<Argument> arguments = {
      {"v", t, "[3.0, 1.0]"},      {"i", "f64", "0.5"},
      {"diag", t, "[-2.0, -2.0]"}, {"link", one, "[1.0]"},
      {"gamma", t, "[1.0, 0.0]"},  {"dt", "f64", "[0.5, 1.5]", 2}};
  Reals states = evalReal(
      t, arguments,
      "%out, %d = dend.cable %v, %i diag %diag lower %link upper %link gamma "
      "%gamma dt %dt act relu : (" +
          t + ", f64, " + t + ", " + one + ", " + one + ", " + t +
          ", f64) -> (" + t + ", f64)",
      2);
  ASSERT_EQ(states.size(), 4u);
  for (int n = 0; n < 2; ++n) {
    double dt = n ? 1.5 : 0.5, slow = std::exp(-dt), fast = std::exp(-3 * dt);
    double sum = 4 * slow + 0.5 * (1 - slow);
    double difference = 2 * fast + 0.5 * (1 - fast) / 3;
    EXPECT_NEAR(states[2 * n], (sum + difference) / 2, 1e-14);
    EXPECT_NEAR(states[2 * n + 1], (sum - difference) / 2, 1e-14);
  }
}

TEST(Structure, joins) {
  auto joined = [](const std::string &kind) {
    return evalReal("f64", {{"x", "f64", "3.0"}, {"y", "f64", "-4.0"}},
                    "%out = dend.join " + kind + "(%x, %y) : (f64, f64) -> f64")
        .at(0);
  };
  EXPECT_EQ(joined("sum"), -1);
  EXPECT_EQ(joined("max"), 3);
  EXPECT_EQ(joined("min"), -4);
  EXPECT_EQ(joined("or"), 1);
  EXPECT_EQ(joined("and"), 1);
  EXPECT_EQ(joined("pass"), 3);
  EXPECT_EQ(joined("absmax"), -4);
  EXPECT_EQ(evalReal("f64",
                     {{"x", "f64", "3.0"},
                      {"y", "f64", "-4.0"},
                      {"w", "tensor<2xf64>", "[2.0, 0.5]"}},
                     "%out = dend.join sum(%x, %y) weights %w : (f64, f64, "
                     "tensor<2xf64>) -> f64"),
            (Reals{4}));
  auto onBits = [](const std::string &kind, const std::string &y) {
    return evalInts("i1", {{"x", "i1", "true"}, {"y", "i1", y}},
                    "%out = dend.join " + kind + "(%x, %y) : (i1, i1) -> i1")
        .at(0);
  };
  EXPECT_EQ(onBits("or", "false"), 1);
  EXPECT_EQ(onBits("and", "false"), 0);
  EXPECT_EQ(onBits("pass", "false"), 0);
  EXPECT_EQ(onBits("pass", "true"), 1);
  EXPECT_EQ(
      evalInts("!dend.fx<8, 0>",
               {{"x", "!dend.fx<8, 0>", "100"}, {"y", "!dend.fx<8, 0>", "100"}},
               "%out = dend.join sum(%x, %y) : (!dend.fx<8, 0>, "
               "!dend.fx<8, 0>) -> !dend.fx<8, 0>"),
      (Ints{-56}));
}

TEST(Structure, soma) {
  EXPECT_EQ(evalReal("f64",
                     {{"v", "f64", "2.0"},
                      {"d", "f64", "4.0"},
                      {"i", "f64", "2.0"},
                      {"k", "f64", "0.5"},
                      {"g", "f64", "3.0"},
                      {"f", "f64", "0.5"}},
                     "%out = dend.soma %v, %d, %i keep %k gain %g feed %f : "
                     "(f64, f64, f64, f64, f64, f64) -> f64"),
            (Reals{16}));
}

TEST(Structure, fire) {
  std::vector<Argument> arguments = {{"v", "f64", "[2.0, 3.0, 1.0]", 3},
                                     {"t", "f64", "2.0"},
                                     {"r", "f64", "-1.0"}};
  auto spikes = [&](const std::string &options) {
    return evalInts("i1", arguments,
                    "%out, %n = dend.fire %v, %t reset none " + options +
                        " : (f64, f64) -> (i1, f64)",
                    3);
  };
  EXPECT_EQ(spikes(""), (Ints{0, 1, 0}));
  EXPECT_EQ(spikes("inclusive"), (Ints{1, 1, 0}));
  auto next = [&](const std::string &reset, bool to = false) {
    return evalReal("f64", arguments,
                    "%s, %out = dend.fire %v, %t reset " + reset +
                        (to ? " to %r : (f64, f64, f64)" : " : (f64, f64)") +
                        " -> (i1, f64)",
                    3);
  };
  EXPECT_EQ(next("none"), (Reals{2, 3, 1}));
  EXPECT_EQ(next("value"), (Reals{2, 0, 1}));
  EXPECT_EQ(next("value", true), (Reals{2, -1, 1}));
  EXPECT_EQ(next("subtract"), (Reals{2, 1, 1}));
  EXPECT_EQ(evalInts("!dend.fx<8, 0>",
                     {{"v", "!dend.fx<8, 0>", "[100, 5]", 2},
                      {"t", "!dend.fx<8, 0>", "40"}},
                     "%s, %out = dend.fire %v, %t reset subtract : "
                     "(!dend.fx<8, 0>, !dend.fx<8, 0>) -> (i1, !dend.fx<8, 0>)",
                     2),
            (Ints{60, 5}));
}

Ints ssf(const std::string &type, const std::string &v, int64_t neurons,
         const std::string &shift, const std::string &scale,
         const std::string &options) {
  return evalInts(
      "i32", {{"v", type, v, neurons}, {"p", type, shift}, {"s", type, scale}},
      "%out = dend.ssf %v shift %p scale %s " + options + " : (" + type + ", " +
          type + ", " + type + ") -> i32",
      neurons);
}

TEST(Structure, ssfOnReals) {
  EXPECT_EQ(ssf("f64", "[0.5, 2.4, 2.5, 0.4, 100.0, -100.0]", 6, "0.5", "2.0",
                "vth 1.0 u 4.0"),
            (Ints{0, 0, 1, -1, 4, -4}));
  EXPECT_EQ(
      ssf("f64", "[0.5, 6.4, 100.0, -100.0]", 4, "0.5", "2.0", "vth 2.0 u 4.0"),
      (Ints{0, 1, 2, -2}));
}

TEST(Structure, ssfInFixedPointIsTheSameLadder) {
  std::string raw, real;
  const int64_t count = 401;
  for (int64_t i = 0; i < count; ++i) {
    raw += (i ? ", " : "[") + std::to_string(i - 200);
    real += (i ? ", " : "[") + std::to_string(double(i - 200) / 16);
  }
  // Every number is exact in both forms: 0.5 = 8, 2.0 = 32, 1.0625 = 17 units.
  for (std::string options :
       {"vth 1.0 u 4.0", "vth 0.5 u 4.0", "vth 3.0 u 3.0", "vth 0.75 u 4.5"})
    for (auto [raws, reals] :
         {std::pair<std::string, std::string>{"32", "2.0"}, {"17", "1.0625"}})
      EXPECT_EQ(ssf("!dend.fx<16, -4>", raw + "]", count, "8", raws, options),
                ssf("f64", real + "]", count, "0.5", reals, options))
          << options;
  EXPECT_EQ(ssf("!dend.fx<16, -4>", "[8, 39, 40, 7, 32767, -32768]", 6, "8",
                "32", "vth 1.0 u 4.0"),
            (Ints{0, 0, 1, -1, 4, -4}));
}

TEST(Structure, ssfCountsRungsOfAnyComputedScale) {
  auto count = [](const std::string &type, const std::string &dot,
                  const std::string &scale) {
    std::string v = "[", two = "2" + dot;
    for (std::string number : {"-9", "-3", "0", "3", "9"})
      v += (v == "[" ? "" : ", ") + number + dot;
    return evalInts("i32", {{"v", type, v + "]", 5}, {"s", type, two}},
                    "%zero = dend.sub %s, %s : (" + type + ", " + type +
                        ") -> " + type + "\n%minus = dend.sub %zero, %s : (" +
                        type + ", " + type + ") -> " + type +
                        "\n%out = dend.ssf %v shift %zero scale " + scale +
                        " vth 1.0 u 4.0 : (" + type + ", " + type + ", " +
                        type + ") -> i32",
                    5);
  };
  // All rungs are at 0, or rung k is at -2 k.
  for (auto [type, dot] : {std::pair<std::string, std::string>{"f64", ".0"},
                           {"!dend.fx<16, 0>", ""}}) {
    EXPECT_EQ(count(type, dot, "%zero"), (Ints{-4, -4, 4, 4, 4})) << type;
    EXPECT_EQ(count(type, dot, "%minus"), (Ints{-4, -1, 1, 2, 4})) << type;
  }
}

TEST(Structure, ssfRefusesWhatItCannotCompareExactly) {
  Loaded loaded(R"(
    dend.clock @step
    dend.neuron @m states(%v : !dend.fx<64, 0> reset sample) outputs(s : !dend.spike<int, -10, 10>) {
      %one = dend.literal 1 : i64 as !dend.fx<64, 0>
      %s = dend.ssf %v shift %v scale %one vth 1.0e-5 u 1.0e-5 : (!dend.fx<64, 0>, !dend.fx<64, 0>, !dend.fx<64, 0>) -> i32
      dend.yield states(%v : !dend.fx<64, 0>) emit(%s : i32)
    }
    dend.population @P : @m[1] on @step)");
  EXPECT_FALSE(loaded);
  EXPECT_NE(loaded.errors.find("more than 126 bits"), std::string::npos)
      << loaded.errors;
}

TEST(Structure, deltaRule) {
  std::vector<Argument> arguments = {{"u", "tensor<2xf64>", "[1.0, 2.0]"},
                                     {"a", "tensor<2xf64>", "[1.0, -1.0]"},
                                     {"y", "f64", "3.0"},
                                     {"p", "f64", "1.0"},
                                     {"k", "f64", "0.5"},
                                     {"r", "f64", "0.25"}};
  EXPECT_EQ(evalReal("tensor<2xf64>", arguments,
                     "%out = dend.delta_rule %u key %a target %y prediction %p "
                     "keep %k rate %r : (tensor<2xf64>, tensor<2xf64>, f64, "
                     "f64, f64, f64) -> tensor<2xf64>"),
            (Reals{1, 0.5}));
  arguments = {{"u", "tensor<2x3xf64>", "[[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]]"},
               {"a", "tensor<2xf64>", "[1.0, 2.0]"},
               {"y", "tensor<3xf64>", "[1.0, 0.0, 4.0]"},
               {"p", "tensor<3xf64>", "[0.0, 1.0, 2.0]"},
               {"k", "f64", "1.0"},
               {"r", "f64", "0.5"}};
  EXPECT_EQ(evalReal("tensor<2x3xf64>", arguments,
                     "%out = dend.delta_rule %u key %a target %y prediction %p "
                     "keep %k rate %r : (tensor<2x3xf64>, tensor<2xf64>, "
                     "tensor<3xf64>, tensor<3xf64>, f64, f64) -> "
                     "tensor<2x3xf64>"),
            (Reals{1.5, 1.5, 1, 4, 3, 2}));
}

} // namespace
} // namespace dendrolith::dend::test
