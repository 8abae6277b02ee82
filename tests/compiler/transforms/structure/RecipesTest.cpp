// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/structure/RecipeTables.cpp,
// compiler/transforms/structure/Recipes.cpp.
// Every recipe against the function in long double, over the whole input range
// of 16-bit types and densely over wider ones: never further off than its
// bound, and the bound is no gift. Prints what was measured.

#include "compiler/transforms/structure/Recipes.h"
#include "tests/compiler/transforms/Expanded.h"

#include <cmath>
#include <cstdio>

namespace dendrolith::test {
namespace {

using dend::Function;
using Ints = std::vector<int64_t>;

struct Fx {
  unsigned width;
  int exponent;
  std::string text() const {
    return "!dend.fx<" + std::to_string(width) + ", " +
           std::to_string(exponent) + ">";
  }
  int64_t low() const { return -(int64_t(1) << (width - 1)); }
  int64_t high() const { return -(low() + 1); }
  long double real(int64_t raw) const {
    return std::ldexp((long double)raw, exponent);
  }
};

std::string listOf(const Ints &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

/// All inputs up to 16 bits; else edges, powers of two and their neighbours,
/// and random numbers of every magnitude, ascending.
Ints inputs(const Fx &in) {
  Ints values;
  if (in.width <= 16) {
    for (int64_t x = in.low(); x <= in.high(); ++x)
      values.push_back(x);
    return values;
  }
  std::mt19937_64 random(in.width);
  for (unsigned bit = 0; bit < in.width - 1; ++bit)
    for (int64_t near = -2; near <= 2; ++near)
      for (int64_t sign : {-1, 1})
        values.push_back(sign * ((int64_t(1) << bit) + near));
  for (int64_t near = 0; near < 3; ++near) {
    values.push_back(in.low() + near);
    values.push_back(in.high() - near);
  }
  while (values.size() < 60000) {
    unsigned drop = unsigned(random() % (in.width - 1));
    int64_t x = int64_t(random() & uint64_t(in.high())) >> drop;
    values.push_back(random() % 2 ? x : -x);
  }
  std::sort(values.begin(), values.end());
  return values;
}

Ints run(const std::string &function, const Fx &in, const Fx &out,
         const Ints &values) {
  int64_t count = int64_t(values.size());
  Expanded net(bodyNetwork(out.text(),
                           {{"x", in.text(), listOf(values), count}},
                           "%out = dend.math " + function + " %x : (" +
                               in.text() + ") -> " + out.text(),
                           count));
  if (!net)
    return {};
  net->tick({});
  return net->state("P", "result").raw;
}

long double exact(Function function, long double x, const Fx &out) {
  switch (function) {
  case Function::Exp:
    return std::exp(x);
  case Function::Tanh:
    return std::tanh(x);
  case Function::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Function::Sqrt:
    return x <= 0 ? 0 : std::sqrt(x);
  case Function::Rsqrt:
    return x <= 0 ? out.real(out.high()) : 1 / std::sqrt(x);
  case Function::Reciprocal:
    return x == 0 ? out.real(out.high()) : 1 / x;
  case Function::Softplus:
    return std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x)));
  case Function::Log:
    break;
  }
  return 0;
}

struct Case {
  Function function;
  Fx in, out;
};

class Recipe : public testing::TestWithParam<Case> {};

TEST_P(Recipe, ErrsLessThanItsBound) {
  const Case &c = GetParam();
  std::string name = dend::stringifyFunction(c.function).str();
  Ints x = inputs(c.in), y = run(name, c.in, c.out, x);
  ASSERT_EQ(y.size(), x.size());
  mlir::MLIRContext context;
  context.loadDialect<dend::DendDialect>();
  double bound = recipeBound(
      c.function, dend::FxType::get(&context, c.in.width, c.in.exponent),
      dend::FxType::get(&context, c.out.width, c.out.exponent));
  long double worst = 0;
  int64_t worstAt = 0;
  bool monotone = c.function == Function::Exp || c.function == Function::Tanh ||
                  c.function == Function::Sigmoid;
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_GE(y[i], c.out.low());
    ASSERT_LE(y[i], c.out.high());
    long double want = exact(c.function, c.in.real(x[i]), c.out);
    want = std::clamp(want, c.out.real(c.out.low()), c.out.real(c.out.high()));
    long double error = std::fabs(c.out.real(y[i]) - want);
    if (error > worst) {
      worst = error;
      worstAt = x[i];
    }
    if (monotone && i > 0) {
      ASSERT_GE(y[i], y[i - 1]) << "at " << x[i];
    }
  }
  long double unit = c.out.real(1);
  std::printf("%-10s fx<%u, %d> -> fx<%u, %d>: %zu inputs, worst error %.4Lg "
              "(%.3Lf units) at %lld, bound %.4g (%.3Lf units)\n",
              name.c_str(), c.in.width, c.in.exponent, c.out.width,
              c.out.exponent, x.size(), worst, worst / unit,
              static_cast<long long>(worstAt), bound, bound / unit);
  EXPECT_LE(worst, (long double)bound) << "at " << worstAt;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  auto add = [&](Function f, std::vector<std::pair<Fx, Fx>> types) {
    for (auto [in, out] : types)
      all.push_back({f, in, out});
  };
  add(Function::Reciprocal, {{{16, -8}, {16, -8}},
                             {{16, 0}, {16, -15}},
                             {{8, -4}, {8, -3}},
                             {{16, -15}, {24, -8}},
                             {{24, -12}, {24, -12}},
                             {{32, -16}, {31, -16}},
                             {{32, -31}, {31, -20}}});
  add(Function::Rsqrt, {{{16, -8}, {16, -8}},
                        {{16, -9}, {16, -10}},
                        {{16, 3}, {12, -12}},
                        {{24, -12}, {24, -16}},
                        {{32, -16}, {31, -20}},
                        {{32, -15}, {31, -20}}});
  add(Function::Sqrt, {{{16, -8}, {16, -8}},
                       {{16, -7}, {16, -11}},
                       {{24, -12}, {24, -16}},
                       {{32, -16}, {31, -22}},
                       {{32, -17}, {31, -14}}});
  add(Function::Exp, {{{16, -8}, {16, -8}},
                      {{16, -12}, {16, -11}},
                      {{16, 0}, {16, 0}},
                      {{8, -3}, {8, -7}},
                      {{24, -16}, {24, -12}},
                      {{32, -24}, {31, -16}},
                      {{32, -24}, {31, -30}},
                      {{32, -20}, {31, 32}}});
  for (Function f : {Function::Tanh, Function::Sigmoid, Function::Softplus})
    add(f, {{{16, -12}, {16, -15}},
            {{16, -8}, {16, -14}},
            {{16, 0}, {16, -8}},
            {{8, -4}, {8, -6}},
            {{16, -30}, {16, -15}},
            {{24, -16}, {24, -20}},
            {{32, -24}, {31, -29}},
            {{32, -28}, {31, -29}},
            {{32, -16}, {31, 2}}});
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Types, Recipe, testing::ValuesIn(cases()),
    [](const testing::TestParamInfo<Case> &info) {
      return dend::stringifyFunction(info.param.function).str() +
             std::to_string(info.index);
    });

TEST(Recipes, EdgesSaturate) {
  Fx t{16, -8};
  EXPECT_EQ(run("reciprocal", t, t, {0, 1, -1, 256, -256, 512}),
            (Ints{32767, 32767, -32768, 256, -256, 128}));
  EXPECT_EQ(run("rsqrt", t, t, {0, -1, -32768, 256, 1024, 64}),
            (Ints{32767, 32767, 32767, 256, 128, 512}));
  EXPECT_EQ(run("sqrt", t, t, {0, -1, -32768, 256, 1024, 64}),
            (Ints{0, 0, 0, 256, 512, 128}));
  EXPECT_EQ(run("exp", t, t, {-32768, 0, 32767}), (Ints{0, 256, 32767}));
  EXPECT_EQ(run("tanh", t, t, {-32768, 0, 32767}), (Ints{-256, 0, 256}));
  EXPECT_EQ(run("sigmoid", t, t, {-32768, 0, 32767}), (Ints{0, 128, 256}));
  EXPECT_EQ(run("softplus", t, t, {-32768, 32767}), (Ints{0, 32767}));
}

// The elements of a vector go their own ways.
TEST(Recipes, TakeTensors) {
  Fx t{16, -8};
  Ints x = {-5000, -300, -1, 0, 1, 77, 256, 30000};
  for (std::string f :
       {"reciprocal", "rsqrt", "sqrt", "exp", "tanh", "sigmoid", "softplus"}) {
    std::string type = "tensor<8x" + t.text() + ">";
    Expanded net(bodyNetwork(
        type, {{"x", type, listOf(x)}},
        "%out = dend.math " + f + " %x : (" + type + ") -> " + type, 1));
    ASSERT_TRUE(net);
    net->tick({});
    EXPECT_EQ(net->state("P", "result").raw, run(f, t, t, x)) << f;
  }
}

TEST(Recipes, UnexpandedIsRefused) {
  dend::test::Loaded loaded(bodyNetwork(
      "!dend.fx<16, -8>", {{"x", "!dend.fx<16, -8>", "1"}},
      "%out = dend.math exp %x : (!dend.fx<16, -8>) -> !dend.fx<16, -8>", 1));
  EXPECT_FALSE(loaded);
  EXPECT_NE(loaded.errors.find("run --dend-expand-structure first"),
            std::string::npos)
      << loaded.errors;
}

} // namespace
} // namespace dendrolith::test
