// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/native/body/Elements.cpp, compiler/native/body/Sums.cpp,
// compiler/native/body/Choices.cpp,
// compiler/native/body/BodyToVector.cpp: every op that becomes machine code,
// on zeros of both signs, infinite numbers and what is none.

#include "tests/compiler/native/EveryOp.h"
#include "tests/compiler/native/Twins.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

constexpr const char *kScalar = "f64";

/// %d, %e and %g are vectors, %f a scalar, of all kinds of numbers.
EveryOp withNumbers(int neurons, int elements) {
  EveryOp all(neurons, elements);
  all.define("%d = dend.div %a, %b");
  all.define("%e = dend.mul %d, %o");
  all.define("%g = dend.sub %a, %x");
  all.define("%first = dend.element %a[0]");
  all.define("%f = dend.div %x, %first");
  return all;
}

void addArithmetic(EveryOp &all) {
  for (const char *op : {"add", "sub", "mul", "div", "min", "max"}) {
    all.add(all.vector, fmt::format("{} %d, %e", op));
    all.add(all.vector, fmt::format("{} %q, %f", op));
    all.add(kScalar, fmt::format("{} %x, %f", op));
  }
  for (const char *op :
       {"neg", "abs", "math sqrt", "math rsqrt", "math reciprocal", "math exp",
        "math log", "math tanh", "math sigmoid", "math softplus"}) {
    all.add(all.vector, fmt::format("{} %d", op));
    all.add(kScalar, fmt::format("{} %f", op));
  }
  all.add(all.vector, "clamp %d, %q, %e");
  all.add(all.vector, "clamp %e, %x, %f");
}

void addChoices(EveryOp &all) {
  int count = 0;
  auto choose = [&](const std::string &type, const std::string &op) {
    const std::string c = fmt::format("%c{}", count++);
    all.define(c + " = dend." + op);
    all.add(type, "to_real " + c);
    all.add(all.vector, "select " + c + ", %d, %q");
  };
  for (const char *op : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    choose(all.vector, fmt::format("cmp {} %d, %e", op));
    choose(kScalar, fmt::format("cmp {} %f, %x", op));
  }
  for (const char *op : {"min %c0, %c4", "max %c0, %c4",
                         "join or(%c0, %c4, %c2)", "join and(%c0, %c4)"})
    choose(all.vector, op);
  for (int k = 1; k < 4; ++k)
    if (k <= all.elements)
      choose(all.vector, fmt::format("topk %e, {}", k));
}

void addStructure(EveryOp &all) {
  all.add(all.vector, "compartment %old drive %d keep %q");
  all.add(all.vector, "compartment %a drive %g keep %q gain %e offset %o");
  all.add(kScalar, "compartment %old drive %f keep %x gain %x offset %x");
  all.add(all.vector, "soma %old, %d, %b keep %q gain %o feed %x");
  for (const char *kind :
       {"sum", "max", "min", "or", "and", "pass", "absmax"}) {
    all.add(all.vector, fmt::format("join {}(%d, %e, %a)", kind));
    all.add(kScalar, fmt::format("join {}(%f, %x)", kind));
    all.add(kScalar, fmt::format("join {}(%f)", kind));
  }
  int count = 0;
  for (const char *reset :
       {"none", "value", "subtract", "value to %e", "subtract inclusive"}) {
    all.define(
        fmt::format("%z{0}, %n{0} = dend.fire %g, %d reset {1}", count, reset));
    all.keep(all.vector, fmt::format("%n{}", count));
    all.add(all.vector, fmt::format("to_real %z{}", count++));
  }
  for (const char *scale : {"%h", "%x", "%f"}) {
    all.define(fmt::format("%i{} = dend.ssf %f shift %x scale {} vth 0.5 u 4.0",
                           count, scale));
    all.add(kScalar, fmt::format("to_real %i{}", count++));
  }
  all.add(all.vector,
          "delta_rule %old key %e target %x prediction %f keep %x rate %f");
  all.add(all.matrix,
          "delta_rule %old key %e target %d prediction %q keep %x rate %f");
}

void addProducts(EveryOp &all) {
  all.add(all.matrix, "outer_add %old, %d, %e");
  all.add(all.matrix, "outer_add %w, %a, %q");
  const std::string state = all.add(all.matrix, "add %old, %w");
  for (const std::string &matrix :
       {std::string("%w"), std::string("%u"), state}) {
    all.add(all.vector, "matvec " + matrix + ", %d");
    all.add(all.vector, "vecmat %e, " + matrix);
  }
  all.define("%twice = dend.mul %u, %x"); // read once, element by element
  all.add(all.vector, "vecmat %e, %twice");
  all.add(kScalar, "dot %d, %e");
  all.add(kScalar, "dot %q, %a");
  all.add(kScalar, "reduce sum %e");
  all.add(kScalar, "reduce max %e");
  all.add(kScalar, "reduce max %g");
}

void addMoves(EveryOp &all) {
  const int k = all.elements;
  all.define("%both = dend.concat %d, %x, %q, %e");
  for (int first : {0, 1, k, k + 1, 2 * k}) {
    all.add(all.vector, fmt::format("slice %both[{}, {}]", first, k));
    all.add(kScalar, fmt::format("element %both[{}]", first));
  }
  for (int by : {0, 1, -1, k - 1, 3 * k + 2}) {
    all.add(all.vector, fmt::format("roll %e by {}", by));
    all.add(all.vector, fmt::format("roll %old by {}", by));
    all.add(all.matrix, fmt::format("roll %u by {}", by));
  }
  all.define("%row = dend.element %u[1]");
  all.add(all.vector, "add %row, %e");
  all.define("%splat = dend.splat %f -> " + all.vector);
  all.add(all.vector, "sub %splat, %e");
  all.keep(all.vector, "%splat");
  // Two states change places, and others take what comes from outside.
  all.keep(all.vector, "%s1");
  all.keep(all.vector, "%s0");
  all.keep(all.vector, "%a");
  all.keep(all.vector, "%q");
  all.keep(all.vector, "%row");
}

void addBranches(EveryOp &all) {
  int count = 0;
  const int n = all.neurons;
  for (const std::string &range :
       {std::string(), fmt::format(" for [0, {}]", n / 8 * 8 + (n < 8)),
        fmt::format(" for [{}, {}]", n / 3, n - n / 4)})
    for (const char *act : {"identity", "relu", "leaky_relu", "tanh"})
      for (bool isComplex : {false, true}) {
        const std::string type = isComplex ? all.complex : all.vector;
        const std::string gain = count % 3 == 0 ? ""
                                 : isComplex    ? " G %c"
                                                : " G %o";
        all.define(fmt::format(
            "%v{0}, %t{0} = dend.branch %s{1}, %f A {2}{3} C {2}{4} act {5}{6}",
            count, all.size(), isComplex ? "%c" : "%q", gain,
            count % 2 ? " direct %x" : "", act, range));
        all.keep(type, fmt::format("%v{}", count));
        all.keep(kScalar, fmt::format("%t{}", count++));
      }
}

void addRegions(EveryOp &all) {
  const std::string &v = all.vector, &m = all.matrix;
  all.define("%often = dend.cmp ge %x, %h");
  all.define("%never = dend.cmp lt %h, %h");
  for (const char *condition : {"%often", "%never"}) {
    all.add(v, fmt::format("when {0} keep(%old : {1}) -> ({1}) {{\n"
                           "      %n = dend.add %old, %d\n"
                           "      dend.give %n : {1}\n    }}",
                           condition, v));
    all.add(m, fmt::format("when {0} keep(%old : {1}) -> ({1}) {{\n"
                           "      %n = dend.outer_add %old, %a, %e\n"
                           "      %p = dend.add %n, %old\n"
                           "      dend.give %p : {1}\n    }}",
                           condition, m));
    all.add("f64", fmt::format("when {0} keep(%old : f64) -> (f64) {{\n"
                               "      %n = dend.dot %d, %a\n"
                               "      %p = dend.math exp %n\n"
                               "      dend.give %p : f64\n    }}",
                               condition));
    // What is kept is no state of its own, and what is given is a constant.
    all.add(v, fmt::format("when {0} keep(%e : {1}) -> ({1}) {{\n"
                           "      dend.give %q : {1}\n    }}",
                           condition, v));
    all.add(v, fmt::format("when {0} keep(%s1 : {1}) -> ({1}) {{\n"
                           "      %n = dend.roll %s1 by 1\n"
                           "      dend.give %n : {1}\n    }}",
                           condition, v));
  }
}

class EveryOps : public ::testing::TestWithParam<void (*)(EveryOp &)> {};

TEST_P(EveryOps, OnEdgeValues) {
  for (int neurons : {1, 2, 5, 16, 19})
    for (int elements : {2, 3, 8, 13}) {
      EveryOp all = withNumbers(neurons, elements);
      all.add(all.vector, "add %old, %a");
      all.add(all.vector, "min %old, %d");
      GetParam()(all);
      Parsed parsed(all.text());
      ASSERT_TRUE(parsed.network) << all.text();
      Twins twins(parsed.network, {});
      EXPECT_EQ(twins.compiled, 1);
      std::mt19937_64 random(neurons * 100 + elements);
      ASSERT_EQ(twins.compare(6, 3, random, edge), "")
          << neurons << " neurons, " << elements << " elements\n"
          << all.text();
    }
}

INSTANTIATE_TEST_SUITE_P(Bodies, EveryOps,
                         ::testing::Values(addArithmetic, addChoices,
                                           addStructure, addProducts, addMoves,
                                           addBranches, addRegions));

} // namespace
} // namespace dendrolith::test
