// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise ops, scaling and functions, against values worked out by hand.

#include "dialects/dend/FixedPoint.h"
#include "tests/dialects/dend/reference/Support.h"

#include <cmath>

namespace dendrolith::dend::test {
namespace {

const std::string kFx8 = "!dend.fx<8, 0>";
const std::string kFx8x2 = "tensor<2x!dend.fx<8, 0>>";
const std::string kReal3 = "tensor<3xf64>";

Reals onReals(const std::string &op, const std::string &x,
              const std::string &y) {
  return evalReal(kReal3, {{"x", kReal3, x}, {"y", kReal3, y}},
                  "%out = dend." + op + " %x, %y : (" + kReal3 + ", " + kReal3 +
                      ") -> " + kReal3);
}

Ints onFixed(const std::string &op, const std::string &x, const std::string &y,
             const std::string &options = "") {
  return evalInts(kFx8x2, {{"x", kFx8x2, x}, {"y", kFx8x2, y}},
                  "%out = dend." + op + " %x, %y " + options + " : (" + kFx8x2 +
                      ", " + kFx8x2 + ") -> " + kFx8x2);
}

TEST(Elements, realArithmetic) {
  EXPECT_EQ(onReals("add", "[1.0, 2.0, 0.1]", "[0.5, -2.0, 0.2]"),
            (Reals{1.5, 0, 0.1 + 0.2}));
  EXPECT_EQ(onReals("sub", "[1.0, 2.0, 0.3]", "[0.5, -2.0, 0.1]"),
            (Reals{0.5, 4, 0.3 - 0.1}));
  EXPECT_EQ(onReals("mul", "[1.5, 2.0, -3.0]", "[2.0, 0.25, 5.0]"),
            (Reals{3, 0.5, -15}));
  EXPECT_EQ(onReals("div", "[1.0, 2.0, -3.0]", "[4.0, 0.5, 3.0]"),
            (Reals{0.25, 4, -1}));
  EXPECT_EQ(onReals("min", "[1.0, 2.0, -3.0]", "[4.0, 0.5, -3.0]"),
            (Reals{1, 0.5, -3}));
  EXPECT_EQ(onReals("max", "[1.0, 2.0, -3.0]", "[4.0, 0.5, -3.0]"),
            (Reals{4, 2, -3}));
}

TEST(Elements, singlePrecisionTypesAreEvaluatedInDouble) {
  // In single precision 2^24 + 1 is 2^24.
  EXPECT_EQ(evalReal("f32", {{"x", "f32", "16777216.0"}, {"y", "f32", "1.0"}},
                     "%out = dend.add %x, %y : (f32, f32) -> f32"),
            (Reals{16777217.0}));
}

TEST(Elements, fixedPointArithmetic) {
  EXPECT_EQ(onFixed("add", "[100, -100]", "[100, -100]"), (Ints{-56, 56}));
  EXPECT_EQ(onFixed("add", "[100, -100]", "[100, -100]", "overflow saturate"),
            (Ints{127, -128}));
  EXPECT_EQ(onFixed("sub", "[100, 3]", "[-100, 5]"), (Ints{-56, -2}));
  EXPECT_EQ(onFixed("sub", "[100, -100]", "[-100, 100]", "overflow saturate"),
            (Ints{127, -128}));
  EXPECT_EQ(onFixed("min", "[100, -3]", "[-100, 5]"), (Ints{-100, -3}));
  EXPECT_EQ(onFixed("max", "[100, -3]", "[-100, 5]"), (Ints{100, 5}));
  EXPECT_EQ(evalInts("!dend.fx<16, -5>",
                     {{"x", "!dend.fx<8, -2>", "-128"},
                      {"y", "!dend.fx<8, -3>", "-128"}},
                     "%out = dend.mul %x, %y : (!dend.fx<8, -2>, "
                     "!dend.fx<8, -3>) -> !dend.fx<16, -5>"),
            (Ints{16384}));
}

/// Sums and differences of each pair are those of FixedPoint.h, which counts
/// with 128 bits whatever the width.
TEST(Elements, sumsOfEveryWidthAreThoseOfTheWideForm) {
  for (unsigned width : {2u, 8u, 31u, 62u, 63u, 64u}) {
    const int64_t low = lowest(width), high = highest(width);
    const Ints some = {low, low / 2, -1, 0, 1, high / 2, high};
    std::string lhs, rhs;
    Ints sums, differences, saturated;
    for (int64_t x : some)
      for (int64_t y : some) {
        lhs += (lhs.empty() ? "[" : ", ") + std::to_string(x);
        rhs += (rhs.empty() ? "[" : ", ") + std::to_string(y);
        sums.push_back(addFixed(x, y, width, Overflow::Wrap));
        differences.push_back(subFixed(x, y, width, Overflow::Wrap));
        saturated.push_back(addFixed(x, y, width, Overflow::Saturate));
      }
    const std::string type =
        "tensor<49x!dend.fx<" + std::to_string(width) + ", 0>>";
    auto on = [&](const std::string &op, const std::string &options) {
      return evalInts(type, {{"x", type, lhs + "]"}, {"y", type, rhs + "]"}},
                      "%out = dend." + op + " %x, %y " + options + " : (" +
                          type + ", " + type + ") -> " + type);
    };
    EXPECT_EQ(on("add", ""), sums) << width;
    EXPECT_EQ(on("sub", ""), differences) << width;
    EXPECT_EQ(on("add", "overflow saturate"), saturated) << width;
  }
}

TEST(Elements, negationAndMagnitudeWrapAtTheMostNegativeValue) {
  for (std::string op : {"neg", "abs"}) {
    std::string type = "tensor<3x!dend.fx<8, 0>>";
    EXPECT_EQ(evalInts(type, {{"x", type, "[-128, 5, -7]"}},
                       "%out = dend." + op + " %x : (" + type + ") -> " + type),
              op == "neg" ? (Ints{-128, -5, 7}) : (Ints{-128, 5, 7}));
    EXPECT_EQ(evalReal("f64", {{"x", "f64", "-2.5"}},
                       "%out = dend." + op + " %x : (f64) -> f64"),
              (Reals{2.5}));
  }
}

TEST(Elements, scalarsAndSharedValuesRepeat) {
  // %x is one vector per neuron, %y one number for all.
  EXPECT_EQ(evalReal("tensor<2xf64>",
                     {{"x", "tensor<2xf64>", "[[1.0, 2.0], [3.0, 4.0]]", 2},
                      {"y", "f64", "10.0"}},
                     "%out = dend.add %x, %y : (tensor<2xf64>, f64) -> "
                     "tensor<2xf64>",
                     2),
            (Reals{11, 12, 13, 14}));
  // Computed once, stored for every neuron.
  EXPECT_EQ(evalReal("f64", {{"y", "f64", "10.0"}},
                     "%out = dend.add %y, %y : (f64, f64) -> f64", 3),
            (Reals{20, 20, 20}));
  // A vector of each neuron and one for all, and both beside one number for
  // each neuron.
  EXPECT_EQ(evalReal("tensor<2xf64>",
                     {{"x", "tensor<2xf64>", "[[1.0, 2.0], [3.0, 4.0]]", 2},
                      {"y", "tensor<2xf64>", "[10.0, 20.0]"}},
                     "%out = dend.mul %x, %y : (tensor<2xf64>, "
                     "tensor<2xf64>) -> tensor<2xf64>",
                     2),
            (Reals{10, 40, 30, 80}));
  EXPECT_EQ(evalReal("tensor<2xf64>",
                     {{"x", "tensor<2xf64>", "[[1.0, 2.0], [3.0, 4.0]]", 2},
                      {"y", "tensor<2xf64>", "[10.0, 20.0]"},
                      {"z", "f64", "[25.0, 50.0]", 2}},
                     "%out = dend.clamp %x, %y, %z : (tensor<2xf64>, "
                     "tensor<2xf64>, f64) -> tensor<2xf64>",
                     2),
            (Reals{10, 20, 10, 20}));
}

TEST(Elements, rescaleRoundsAsNamed) {
  std::string from = "tensor<11x!dend.fx<8, 0>>",
              to = "tensor<11x!dend.fx<8, 2>>";
  auto rounded = [&](const std::string &rounding) {
    return evalInts(to, {{"x", from, "[-6, -5, -3, -2, -1, 1, 2, 3, 5, 6, 7]"}},
                    "%out = dend.rescale %x round " + rounding +
                        " overflow wrap : (" + from + ") -> " + to);
  };
  EXPECT_EQ(rounded("floor"), (Ints{-2, -2, -1, -1, -1, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(rounded("toward_zero"), (Ints{-1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(rounded("nearest_even"),
            (Ints{-2, -1, -1, 0, 0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(rounded("nearest_up"), (Ints{-1, -1, -1, 0, 0, 0, 1, 1, 1, 2, 2}));
}

TEST(Elements, rescaleOverflowsAsNamed) {
  auto narrowed = [&](const std::string &to, const std::string &overflow) {
    std::string type = "tensor<3x!dend.fx<" + to + ">>";
    return evalInts(type,
                    {{"x", "tensor<3x!dend.fx<8, 0>>", "[100, 127, -128]"}},
                    "%out = dend.rescale %x round floor overflow " + overflow +
                        " : (tensor<3x!dend.fx<8, 0>>) -> " + type);
  };
  EXPECT_EQ(narrowed("6, -1", "wrap"), (Ints{8, -2, 0}));
  EXPECT_EQ(narrowed("6, -1", "saturate"), (Ints{31, 31, -32}));
  EXPECT_EQ(narrowed("4, 0", "wrap"), (Ints{4, -1, 0}));
  EXPECT_EQ(narrowed("4, 0", "saturate"), (Ints{7, 7, -8}));
  EXPECT_EQ(narrowed("64, -63", "saturate"),
            (Ints{INT64_MAX, INT64_MAX, INT64_MIN}));
}

TEST(Elements, shiftOfEitherSign) {
  auto shifted = [&](const std::string &x, const std::string &by,
                     const std::string &rounding) {
    return evalInts(kFx8, {{"x", kFx8, x}, {"by", "i32", by}},
                    "%out = dend.shift %x by %by round " + rounding +
                        " : (!dend.fx<8, 0>, i32) -> !dend.fx<8, 0>")
        .at(0);
  };
  EXPECT_EQ(shifted("5", "2", "floor"), 20);
  EXPECT_EQ(shifted("100", "1", "floor"), -56);
  EXPECT_EQ(shifted("5", "70", "floor"), 0);
  EXPECT_EQ(shifted("-5", "-1", "floor"), -3);
  EXPECT_EQ(shifted("-5", "-1", "toward_zero"), -2);
  EXPECT_EQ(shifted("-5", "-1", "nearest_even"), -2);
  EXPECT_EQ(shifted("-7", "-1", "nearest_even"), -4);
  EXPECT_EQ(shifted("-7", "-1", "nearest_up"), -3);
  EXPECT_EQ(shifted("-5", "-70", "floor"), -1);
  EXPECT_EQ(shifted("-5", "-70", "nearest_even"), 0);
}

TEST(Elements, leadingZeros) {
  EXPECT_EQ(
      evalInts("tensor<5xi32>",
               {{"x", "tensor<5x!dend.fx<8, 0>>", "[0, 1, -1, 127, -128]"}},
               "%out = dend.clz %x : (tensor<5x!dend.fx<8, 0>>) -> "
               "tensor<5xi32>"),
      (Ints{8, 7, 7, 1, 0}));
}

TEST(Elements, toReal) {
  EXPECT_EQ(evalReal("tensor<2xf64>",
                     {{"x", "tensor<2x!dend.fx<8, -2>>", "[5, -128]"}},
                     "%out = dend.to_real %x : (tensor<2x!dend.fx<8, -2>>) -> "
                     "tensor<2xf64>"),
            (Reals{1.25, -32}));
  EXPECT_EQ(
      evalReal("tensor<2xf64>", {{"x", "tensor<2xi1>", "[true, false]"}},
               "%out = dend.to_real %x : (tensor<2xi1>) -> tensor<2xf64>"),
      (Reals{1, 0}));
  EXPECT_EQ(evalReal("f64", {{"x", "i32", "-7"}},
                     "%out = dend.to_real %x : (i32) -> f64"),
            (Reals{-7}));
}

TEST(Elements, comparisons) {
  std::map<std::string, Ints> expected = {{"eq", {0, 1, 0}}, {"ne", {1, 0, 1}},
                                          {"lt", {1, 0, 0}}, {"le", {1, 1, 0}},
                                          {"gt", {0, 0, 1}}, {"ge", {0, 1, 1}}};
  for (const auto &[predicate, values] : expected) {
    EXPECT_EQ(evalInts("tensor<3xi1>",
                       {{"x", kReal3, "[1.0, 2.0, 3.0]"}, {"y", "f64", "2.0"}},
                       "%out = dend.cmp " + predicate +
                           " %x, %y : (tensor<3xf64>, f64) -> tensor<3xi1>"),
              values);
    std::string fixed = "tensor<3x!dend.fx<64, 0>>";
    // Neighbours that are equal as doubles.
    EXPECT_EQ(evalInts("tensor<3xi1>",
                       {{"x", fixed,
                         "[9007199254740992, 9007199254740993, "
                         "9007199254740994]"},
                        {"y", "!dend.fx<64, 0>", "9007199254740993"}},
                       "%out = dend.cmp " + predicate + " %x, %y : (" + fixed +
                           ", !dend.fx<64, 0>) -> tensor<3xi1>"),
              values);
  }
}

TEST(Elements, selectAndClamp) {
  EXPECT_EQ(evalReal(kReal3,
                     {{"c", "tensor<3xi1>", "[true, false, true]"},
                      {"x", kReal3, "[1.0, 2.0, 3.0]"},
                      {"y", "f64", "-1.0"}},
                     "%out = dend.select %c, %x, %y : (tensor<3xi1>, "
                     "tensor<3xf64>, f64) -> tensor<3xf64>"),
            (Reals{1, -1, 3}));
  EXPECT_EQ(
      evalReal("tensor<2xcomplex<f64>>",
               {{"c", "i1", "[false, true]", 2},
                {"x", "tensor<2xcomplex<f64>>", "[(1.0, 2.0), (3.0, 4.0)]"},
                {"y", "tensor<2xcomplex<f64>>", "[(5.0, 6.0), (7.0, 8.0)]"}},
               "%out = dend.select %c, %x, %y : (i1, "
               "tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> "
               "tensor<2xcomplex<f64>>",
               2),
      (Reals{5, 6, 7, 8, 1, 2, 3, 4}));
  EXPECT_EQ(evalReal(kReal3,
                     {{"x", kReal3, "[-5.0, 0.5, 5.0]"},
                      {"l", "f64", "-1.0"},
                      {"h", "f64", "1.0"}},
                     "%out = dend.clamp %x, %l, %h : (tensor<3xf64>, f64, f64) "
                     "-> tensor<3xf64>"),
            (Reals{-1, 0.5, 1}));
  EXPECT_EQ(evalInts(kFx8,
                     {{"x", kFx8, "-100"}, {"l", kFx8, "3"}, {"h", kFx8, "2"}},
                     "%out = dend.clamp %x, %l, %h : (!dend.fx<8, 0>, "
                     "!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>"),
            (Ints{2}));
}

TEST(Elements, literals) {
  EXPECT_EQ(evalReal("f64", {}, "%out = dend.literal 0.5 : f64 as f64"),
            (Reals{0.5}));
  EXPECT_EQ(evalInts("!dend.fx<24, 0>", {},
                     "%out = dend.literal -64 : i64 as !dend.fx<24, 0>"),
            (Ints{-64}));
  EXPECT_EQ(evalInts("i1", {}, "%out = dend.literal true as i1"), (Ints{1}));
  EXPECT_EQ(evalReal("tensor<2xf64>", {},
                     "%out = dend.literal dense<1.5> : tensor<2xf64> as "
                     "tensor<2xf64>"),
            (Reals{1.5, 1.5}));
  EXPECT_EQ(evalInts("tensor<2x!dend.fx<8, 0>>", {},
                     "%out = dend.literal dense<[3, -4]> : tensor<2xi64> as "
                     "tensor<2x!dend.fx<8, 0>>"),
            (Ints{3, -4}));
}

TEST(Elements, functionsOfOneReal) {
  struct Case {
    const char *function;
    double x, y;
  };
  for (Case c : {Case{"exp", 0, 1},
                 {"log", 1, 0},
                 {"tanh", 0, 0},
                 {"sigmoid", 0, 0.5},
                 {"sqrt", 9, 3},
                 {"rsqrt", 4, 0.5},
                 {"reciprocal", 8, 0.125},
                 {"softplus", 0, std::log(2.0)},
                 {"softplus", 1000, 1000},
                 {"softplus", -1000, 0},
                 {"tanh", 100, 1},
                 {"sigmoid", -1000, 0}})
    EXPECT_EQ(evalReal("f64", {{"x", "f64", std::to_string(c.x)}},
                       std::string("%out = dend.math ") + c.function +
                           " %x : (f64) -> f64"),
              (Reals{c.y}))
        << c.function << " of " << c.x;
}

TEST(Elements, tables) {
  EXPECT_EQ(evalReal("tensor<5xf64>",
                     {{"x", "tensor<5xf64>", "[-1.0, 0.5, 2.5, 3.0, 10.0]"},
                      {"k", "tensor<4xf64>", "[0.0, 1.0, 4.0, 9.0]"}},
                     "%out = dend.table %x in %k from 0.0 step 1.0 : "
                     "(tensor<5xf64>, tensor<4xf64>) -> tensor<5xf64>"),
            (Reals{0, 0.5, 6.5, 9, 9}));
  // Step 1.0 is 16 units; at 4 units it is 10 + floor(-15 * 4 / 16) = 6.
  std::string x = "tensor<5x!dend.fx<16, -4>>";
  std::string k = "tensor<3x!dend.fx<16, 0>>";
  std::string y = "tensor<5x!dend.fx<16, 0>>";
  EXPECT_EQ(
      evalInts(y, {{"x", x, "[-20, -16, -8, 4, 100]"}, {"k", k, "[0, 10, -5]"}},
               "%out = dend.table %x in %k from -1.0 step 1.0 : (" + x + ", " +
                   k + ") -> " + y),
      (Ints{0, 0, 5, 6, -5}));
}

TEST(Elements, whenKeepsWhatItCarriesWhereTheConditionFails) {
  std::string body = R"(
    %zero = dend.literal 0.0 : f64 as f64
    %c = dend.cmp gt %x, %zero : (f64, f64) -> i1
    %out, %other = dend.when %c keep(%x, %zero : f64, f64) -> (f64, f64) {
      %double = dend.add %x, %x : (f64, f64) -> f64
      dend.give %double, %x : f64, f64
    })";
  EXPECT_EQ(evalReal("f64", {{"x", "f64", "[1.0, -2.0, 3.0]", 3}}, body, 3),
            (Reals{2, -2, 6}));
  EXPECT_EQ(evalReal("f64", {{"x", "f64", "[-1.0, -2.0, -3.0]", 3}}, body, 3),
            (Reals{-1, -2, -3}));
  EXPECT_EQ(evalReal("f64", {{"x", "f64", "4.0"}}, body, 3), (Reals{8, 8, 8}));
}

} // namespace
} // namespace dendrolith::dend::test
