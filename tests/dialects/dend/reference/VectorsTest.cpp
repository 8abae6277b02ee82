// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/reference/EvaluateProducts.cpp,
// dialects/dend/reference/EvaluateProducts.cpp,
// dialects/dend/reference/EvaluateElements.cpp.
// Products, reductions and movements, against values worked out by hand.

#include "dialects/dend/FixedPoint.h"
#include "tests/dialects/dend/reference/Support.h"

#include <cctype>
#include <random>

namespace dendrolith::dend::test {
namespace {

const std::string kMatrix = "tensor<2x3xf64>";
const std::string kRows = "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]";

TEST(Vectors, dotAddsInIndexOrder) {
  auto dot = [](const std::string &x, const std::string &y) {
    return evalReal("f64",
                    {{"x", "tensor<3xf64>", x}, {"y", "tensor<3xf64>", y}},
                    "%out = dend.dot %x, %y : (tensor<3xf64>, tensor<3xf64>) "
                    "-> f64")
        .at(0);
  };
  EXPECT_EQ(dot("[1.0, 2.0, 3.0]", "[4.0, 5.0, 6.0]"), 32);
  // 1 is lost beside 1e16, but not after 1e16 - 1e16.
  EXPECT_EQ(dot("[1.0e16, 1.0, -1.0e16]", "[1.0, 1.0, 1.0]"), 0);
  EXPECT_EQ(dot("[1.0e16, -1.0e16, 1.0]", "[1.0, 1.0, 1.0]"), 1);
}

TEST(Vectors, fixedPointDotRescalesEachProductThenWraps) {
  std::string in = "tensor<2x!dend.fx<8, -2>>";
  auto dot = [&](const std::string &x, const std::string &y,
                 const std::string &rounding) {
    return evalInts("!dend.fx<8, -2>", {{"x", in, x}, {"y", in, y}},
                    "%out = dend.dot %x, %y " + rounding + " : (" + in + ", " +
                        in + ") -> !dend.fx<8, -2>")
        .at(0);
  };
  EXPECT_EQ(dot("[5, 5]", "[3, 3]", ""), 6);
  EXPECT_EQ(dot("[5, 5]", "[3, 3]", "round nearest_even"), 8);
  EXPECT_EQ(dot("[-5, -5]", "[3, 3]", "round toward_zero"), -6);
  EXPECT_EQ(dot("[-5, -5]", "[3, 3]", ""), -8);
  EXPECT_EQ(dot("[127, 127]", "[127, 127]", ""), -128);
}

/// Numbers of `bits` bits, many of them zero, and their text as a list of rows.
std::string randomRows(std::mt19937 &random, unsigned bits, size_t rows,
                       size_t columns, Ints &numbers) {
  std::string text = "[";
  for (size_t r = 0; r < rows; ++r) {
    text += r ? ", [" : "[";
    for (size_t c = 0; c < columns; ++c) {
      const auto x = int64_t(random()) % (int64_t(1) << (bits - 1));
      numbers.push_back(random() % 3 == 0 ? 0 : random() % 2 ? x : -x);
      text += (c ? ", " : "") + std::to_string(numbers.back());
    }
    text += "]";
  }
  return text + "]";
}

/// A list of whole numbers, as reals.
std::string dotted(const std::string &list) {
  std::string text;
  for (char c : list)
    text += c == ',' || c == ']'
                ? (std::isdigit(text.back()) ? ".0" : "") + std::string(1, c)
                : std::string(1, c);
  return text;
}

TEST(Vectors, fixedPointProductsAreSumsOfTheirTerms) {
  const std::pair<std::string, Rounding> roundings[] = {
      {"", Rounding::Floor},
      {"round toward_zero", Rounding::TowardZero},
      {"round nearest_even", Rounding::NearestEven},
      {"round nearest_up", Rounding::NearestUp}};
  std::mt19937 random(5);
  // In 64 bits, and of factors that need more.
  for (unsigned bits : {12u, 31u, 40u})
    for (const auto &[text, rounding] : roundings) {
      auto type = [&](const std::string &shape, int exponent) {
        return "tensor<" + shape + "x!dend.fx<" + std::to_string(bits) + ", " +
               std::to_string(exponent) + ">>";
      };
      Ints matrix, vector;
      const std::string rows = randomRows(random, bits, 3, 5, matrix);
      const std::string ofNeurons = randomRows(random, bits, 2, 3, vector);
      const std::string out = "tensor<5x!dend.fx<20, -2>>";
      Ints expected;
      for (size_t n = 0; n < 2; ++n)
        for (size_t i = 0; i < 5; ++i) {
          int64_t sum = 0;
          for (size_t k = 0; k < 3; ++k)
            sum = addFixed(sum,
                           productTerm(vector[n * 3 + k], -4, matrix[k * 5 + i],
                                       -3, 20, -2, rounding),
                           20, Overflow::Wrap);
          expected.push_back(sum);
        }
      EXPECT_EQ(evalInts(out,
                         {{"v", type("3", -4), ofNeurons, 2},
                          {"m", type("3x5", -3), rows}},
                         "%out = dend.vecmat %v, %m " + text + " : (" +
                             type("3", -4) + ", " + type("3x5", -3) + ") -> " +
                             out,
                         2),
                expected)
          << bits << " bits " << text;
    }
}

/// Matrices have more rows than are multiplied at once, and factors whose
/// products need up to 24 and up to 80 bits.
TEST(Vectors, manyRowsAreProductsOfEach) {
  std::mt19937 random(7);
  for (unsigned bits : {12u, 40u})
    for (size_t rows : {1u, 3u, 8u, 13u}) {
      auto type = [&](const std::string &shape) {
        return "tensor<" + shape + "x!dend.fx<" + std::to_string(bits) +
               ", -4>>";
      };
      const size_t columns = 11;
      const std::string height = std::to_string(rows);
      Ints matrix, vector, other;
      const std::string m = randomRows(random, bits, rows, columns, matrix);
      const std::string v = randomRows(random, bits, 2, columns, vector);
      const std::string u = randomRows(random, bits, 2, rows, other);
      auto term = [](int64_t x, int64_t y) {
        return productTerm(x, -4, y, -4, 30, -2, Rounding::NearestEven);
      };
      Ints products, outer;
      Reals sums;
      for (size_t n = 0; n < 2; ++n)
        for (size_t r = 0; r < rows; ++r) {
          int64_t sum = 0;
          double real = 0;
          for (size_t k = 0; k < columns; ++k) {
            const int64_t x = matrix[r * columns + k],
                          y = vector[n * columns + k];
            sum = addFixed(sum, term(x, y), 30, Overflow::Wrap);
            real += double(x) * double(y);
            outer.push_back(term(other[n * rows + r], vector[n * columns + k]));
          }
          products.push_back(sum);
          sums.push_back(real);
        }
      SCOPED_TRACE(std::to_string(bits) + " bits, rows: " + height);
      EXPECT_EQ(
          evalInts("tensor<" + height + "x!dend.fx<30, -2>>",
                   {{"m", type(height + "x11"), m}, {"v", type("11"), v, 2}},
                   "%out = dend.matvec %m, %v round nearest_even : (" +
                       type(height + "x11") + ", " + type("11") +
                       ") -> tensor<" + height + "x!dend.fx<30, -2>>",
                   2),
          products);
      EXPECT_EQ(evalReal("tensor<" + height + "xf64>",
                         {{"m", "tensor<" + height + "x11xf64>", dotted(m)},
                          {"v", "tensor<11xf64>", dotted(v), 2}},
                         "%out = dend.matvec %m, %v : (tensor<" + height +
                             "x11xf64>, tensor<11xf64>) -> tensor<" + height +
                             "xf64>",
                         2),
                sums);
      const std::string table = "tensor<" + height + "x11x!dend.fx<30, -2>>";
      EXPECT_EQ(evalInts(table,
                         {{"u", type(height), u, 2}, {"v", type("11"), v, 2}},
                         "%zero = dend.literal dense<0> : tensor<" + height +
                             "x11xi64> as " + table +
                             "\n%out = dend.outer_add %zero, %u, %v round "
                             "nearest_even : (" +
                             table + ", " + type(height) + ", " + type("11") +
                             ") -> " + table,
                         2),
                outer);
    }
}

TEST(Vectors, matrixProducts) {
  EXPECT_EQ(evalReal("tensor<2xf64>",
                     {{"m", kMatrix, kRows},
                      {"v", "tensor<3xf64>", "[1.0, 0.0, -1.0]"}},
                     "%out = dend.matvec %m, %v : (tensor<2x3xf64>, "
                     "tensor<3xf64>) -> tensor<2xf64>"),
            (Reals{-2, -2}));
  EXPECT_EQ(evalReal("tensor<3xf64>",
                     {{"m", kMatrix, kRows},
                      {"v", "tensor<2xf64>", "[[1.0, 2.0], [0.0, 1.0]]", 2}},
                     "%out = dend.vecmat %v, %m : (tensor<2xf64>, "
                     "tensor<2x3xf64>) -> tensor<3xf64>",
                     2),
            (Reals{9, 12, 15, 4, 5, 6}));
  EXPECT_EQ(evalReal(kMatrix,
                     {{"a", kMatrix, "[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]"},
                      {"x", "tensor<2xf64>", "[1.0, 2.0]"},
                      {"y", "tensor<3xf64>", "[1.0, 0.0, -1.0]"}},
                     "%out = dend.outer_add %a, %x, %y : (tensor<2x3xf64>, "
                     "tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>"),
            (Reals{2, 1, 0, 3, 1, -1}));
  std::string fixed = "tensor<1x2x!dend.fx<8, 0>>";
  EXPECT_EQ(evalInts(fixed,
                     {{"a", fixed, "[[1, 127]]"},
                      {"x", "tensor<1x!dend.fx<8, -1>>", "[3]"},
                      {"y", "tensor<2x!dend.fx<8, 0>>", "[-3, 3]"}},
                     "%out = dend.outer_add %a, %x, %y : (" + fixed +
                         ", tensor<1x!dend.fx<8, -1>>, "
                         "tensor<2x!dend.fx<8, 0>>) -> " +
                         fixed),
            (Ints{-4, -125}));
}

TEST(Vectors, reductions) {
  EXPECT_EQ(evalReal("f64", {{"m", kMatrix, kRows}},
                     "%out = dend.reduce sum %m : (tensor<2x3xf64>) -> f64"),
            (Reals{21}));
  EXPECT_EQ(evalReal("f64", {{"m", "tensor<3xf64>", "[-3.0, -1.0, -2.0]"}},
                     "%out = dend.reduce max %m : (tensor<3xf64>) -> f64"),
            (Reals{-1}));
  std::string fixed = "tensor<3x!dend.fx<8, 0>>";
  EXPECT_EQ(
      evalInts("!dend.fx<8, 0>", {{"m", fixed, "[100, 100, 1]"}},
               "%out = dend.reduce sum %m : (" + fixed + ") -> !dend.fx<8, 0>"),
      (Ints{-55}));
  EXPECT_EQ(
      evalInts("!dend.fx<8, 0>", {{"m", fixed, "[-100, -7, -100]"}},
               "%out = dend.reduce max %m : (" + fixed + ") -> !dend.fx<8, 0>"),
      (Ints{-7}));
}

TEST(Vectors, topKGivesTiesToTheLowerIndex) {
  auto topk = [](const std::string &x, const std::string &k) {
    return evalInts("tensor<4xi1>", {{"x", "tensor<4xf64>", x}},
                    "%out = dend.topk %x, " + k +
                        " : (tensor<4xf64>) -> tensor<4xi1>");
  };
  EXPECT_EQ(topk("[3.0, 5.0, 5.0, 1.0]", "1"), (Ints{0, 1, 0, 0}));
  EXPECT_EQ(topk("[3.0, 5.0, 5.0, 1.0]", "2"), (Ints{0, 1, 1, 0}));
  EXPECT_EQ(topk("[3.0, 5.0, 5.0, 3.0]", "3"), (Ints{1, 1, 1, 0}));
  EXPECT_EQ(evalInts("tensor<3xi1>",
                     {{"x", "tensor<3x!dend.fx<8, 0>>", "[-3, -2, -2]"}},
                     "%out = dend.topk %x, 1 : (tensor<3x!dend.fx<8, 0>>) -> "
                     "tensor<3xi1>"),
            (Ints{0, 1, 0}));
}

// The largest one after the other, as the op is defined.
TEST(Vectors, topKOfManyIsOneAfterTheOther) {
  std::mt19937 random(11);
  for (size_t size : {1u, 6u, 50u})
    for (size_t k : {1u, 3u, 6u}) {
      if (k > size)
        continue;
      Ints numbers;
      std::string text = "[";
      for (size_t i = 0; i < size; ++i) {
        numbers.push_back(int64_t(random() % 9) - 4);
        text += (i ? ", " : "") + std::to_string(numbers.back());
      }
      Ints mask(size);
      for (size_t round = 0; round < k; ++round) {
        size_t best = size;
        for (size_t i = 0; i < size; ++i)
          if (!mask[i] && (best == size || numbers[i] > numbers[best]))
            best = i;
        mask[best] = 1;
      }
      const std::string count = std::to_string(size);
      EXPECT_EQ(
          evalInts("tensor<" + count + "xi1>",
                   {{"x", "tensor<" + count + "x!dend.fx<8, 0>>", text + "]"}},
                   "%out = dend.topk %x, " + std::to_string(k) + " : (tensor<" +
                       count + "x!dend.fx<8, 0>>) -> tensor<" + count + "xi1>"),
          mask);
    }
}

TEST(Vectors, movements) {
  std::string in = "tensor<3x2xf64>";
  Argument x{"x", in, "[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]"};
  EXPECT_EQ(evalReal("tensor<2x2xf64>", {x},
                     "%out = dend.slice %x[1, 2] : (tensor<3x2xf64>) -> "
                     "tensor<2x2xf64>"),
            (Reals{3, 4, 5, 6}));
  EXPECT_EQ(evalReal("tensor<2xf64>", {x},
                     "%out = dend.element %x[2] : (tensor<3x2xf64>) -> "
                     "tensor<2xf64>"),
            (Reals{5, 6}));
  for (auto [by, rolled] :
       {std::pair<std::string, Reals>{"1", {5, 6, 1, 2, 3, 4}},
        {"-1", {3, 4, 5, 6, 1, 2}},
        {"-4", {3, 4, 5, 6, 1, 2}}})
    EXPECT_EQ(
        evalReal(in, {x},
                 "%out = dend.roll %x by " + by + " : (" + in + ") -> " + in),
        rolled);
  EXPECT_EQ(evalReal("tensor<3xf64>",
                     {{"v", "tensor<2xf64>", "[[1.0, 2.0], [3.0, 4.0]]", 2},
                      {"s", "f64", "9.0"}},
                     "%out = dend.concat %v, %s : (tensor<2xf64>, f64) -> "
                     "tensor<3xf64>",
                     2),
            (Reals{1, 2, 9, 3, 4, 9}));
  EXPECT_EQ(evalInts("tensor<3x!dend.fx<8, 0>>",
                     {{"s", "!dend.fx<8, 0>", "[7, 8]", 2}},
                     "%out = dend.splat %s : (!dend.fx<8, 0>) -> "
                     "tensor<3x!dend.fx<8, 0>>",
                     2),
            (Ints{7, 7, 7, 8, 8, 8}));
  EXPECT_EQ(
      evalReal("tensor<2xcomplex<f64>>",
               {{"z", "tensor<2xcomplex<f64>>", "[(1.0, 2.0), (3.0, 4.0)]"}},
               "%out = dend.roll %z by 1 : (tensor<2xcomplex<f64>>) -> "
               "tensor<2xcomplex<f64>>"),
      (Reals{3, 4, 1, 2}));
}

} // namespace
} // namespace dendrolith::dend::test
