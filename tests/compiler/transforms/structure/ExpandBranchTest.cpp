// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches before and after --dend-expand-structure: states and drives agree to
// the bit over several ticks; how many numbers are multiplied.

#include "compiler/transforms/structure/ExpandStructure.h"
#include "tests/compiler/transforms/Expanded.h"

#include <cstring>

namespace dendrolith::test {
namespace {

constexpr int64_t kTicks = 20;

std::string number(std::mt19937 &random) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17e",
                (double(random()) / 4294967296.0 - 0.5) * 2);
  return text;
}

/// The type of a branch's state and parameters.
const std::string z = "tensor<4xcomplex<f64>>", r = "tensor<4xf64>";

/// [(re, im), ...] or [x, ...]
std::string numbers(std::mt19937 &random, int64_t count, bool complex) {
  std::string text = "[";
  for (int64_t i = 0; i < count; ++i) {
    std::string one = number(random);
    text += i ? ", " : "";
    text += complex ? "(" + one + ", " + number(random) + ")" : one;
  }
  return text + "]";
}

/// A network of two populations of 3 and 2 neurons with K = 4; `step` gives
/// %next (the state's new value) and %d (f64) from %v, %I and %A, %G, %C of
/// type `t`.
std::string network(const std::string &step, const std::string &t = z,
                    bool external = false) {
  std::mt19937 random(11);
  bool complex = t == z;
  std::string element = complex ? "xcomplex<f64>>" : "xf64>";
  auto constant = [&](const std::string &name, const std::string &shape,
                      const std::string &elements) {
    return "dend.constant @" + name + " : tensor<" + shape + element +
           " = dense<" + elements + "> : tensor<" + shape + element + "\n";
  };
  auto rows = [&](int64_t count) {
    std::string text = "[";
    for (int64_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + numbers(random, 4, complex);
    return text + "]";
  };
  return "dend.clock @step\n" +
         (external ? "dend.constant @G : " + t + " extern \"G\"\n"
                   : constant("G", "4", numbers(random, 4, complex))) +
         constant("C", "4", numbers(random, 4, complex)) +
         constant("A", "3x4", rows(3)) + constant("B", "2x4", rows(2)) +
         "dend.constant @w : tensor<f64> = dense<0.75> : tensor<f64>\n"
         "dend.input @x on @step : tensor<3xf64> as !dend.spike<graded>\n"
         "dend.neuron @m ports(%I : f64) params(%A : " +
         t + " per_neuron, %G : " + t + ", %C : " + t +
         ", %w : f64) states(%n : f64 reset sample, %v : " + t +
         " reset sample init 0.5, %drive : f64 reset sample) "
         "outputs(s : !dend.spike<graded>) {\n" +
         step +
         "\n%one = dend.literal 1.0 : f64 as f64\n"
         "%n1 = dend.add %n, %one : (f64, f64) -> f64\n"
         "dend.yield states(%n1, %next, %d : f64, " +
         t +
         ", f64) emit(%d : f64)\n}\n"
         "dend.population @P : @m[3] on @step bind {A = @A, G = @G, C = @C, w "
         "= @w}\n"
         "dend.population @Q : @m[2] on @step bind {A = @B, G = @G, C = @C, w "
         "= @w}\n"
         "dend.constant @W : tensor<2x3xf64> = dense<[[1.0, 2.0, 3.0], [-1.0, "
         "0.5, 0.25]]> : tensor<2x3xf64>\n"
         "dend.project @x -> @P[\"I\"] #dend.diagonal\n"
         "dend.project @P -> @Q[\"I\"] #dend.dense weight @W\n";
}

std::string branch(const std::string &results, const std::string &options,
                   const std::string &t = z, bool gain = true) {
  bool direct = options.find("direct") != std::string::npos;
  return results + " = dend.branch %v, %I A %A " + (gain ? "G %G " : "") +
         "C %C " + options + " : (" + t + ", f64, " + t + ", " + t +
         (gain ? ", " + t : "") + (direct ? ", f64" : "") + ") -> (" + t +
         ", f64)";
}

void expectSameBranch(const std::string &step, const std::string &t = z) {
  SCOPED_TRACE(step);
  std::string text = network(step, t);
  dend::test::Loaded before(text);
  ASSERT_TRUE(before) << before.errors;
  Expanded after(text);
  ASSERT_TRUE(after);
  EXPECT_EQ(after.text().find("complex"), std::string::npos) << after.text();
  for (auto constant : after.network().getOps<dend::ConstantOp>())
    EXPECT_FALSE(dend::isComplex(constant.getType()));
  std::mt19937 random(5);
  bool moved = false;
  for (int64_t tick = 0; tick < kTicks; ++tick) {
    std::vector<double> x;
    for (int i = 0; i < 3; ++i)
      x.push_back(double(int(random() % 64) - 32) / 7);
    before->tick({{"x", x}});
    after->tick({{"x", x}});
    for (std::string population : {"P", "Q"}) {
      const std::vector<double> &a = before->state(population, "drive").real,
                                &b = after->state(population, "drive").real;
      ASSERT_EQ(a.size(), b.size());
      ASSERT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(double)))
          << "tick " << tick;
      for (double d : a)
        moved |= d != 0;
      const std::vector<double> &v = before->state(population, "v").real;
      if (t == r) {
        EXPECT_EQ(v, after->state(population, "v").real);
        continue;
      }
      const std::vector<double> &re = after->state(population, "v.re").real,
                                &im = after->state(population, "v.im").real;
      ASSERT_EQ(v.size(), 2 * re.size());
      for (size_t k = 0; k < re.size(); ++k) {
        ASSERT_EQ(0, std::memcmp(&v[2 * k], &re[k], sizeof(double)));
        ASSERT_EQ(0, std::memcmp(&v[2 * k + 1], &im[k], sizeof(double)));
      }
    }
  }
  EXPECT_TRUE(moved);
}

TEST(ExpandBranch, KeepsBits) {
  for (std::string activation : {"identity", "relu", "leaky_relu", "tanh"})
    for (std::string direct : {"", "direct %w "})
      for (std::string range : {"", " for [1, 2]", " for [0, 1]"})
        for (const std::string &t : {z, r})
          for (bool gain : {true, false})
            expectSameBranch(branch("%next, %d",
                                    direct + "act " + activation + range, t,
                                    gain),
                             t);
}

/// Numbers multiplied per neuron in the expanded model.
int64_t multiplications(const std::string &step, const std::string &t) {
  Expanded after(network(step, t));
  int64_t count = 0;
  (*after.network().getOps<dend::NeuronOp>().begin())
      .getBlock()
      .walk([&](dend::MulOp op) {
        count += dend::elementCount(op.getResult().getType());
      });
  return count;
}

TEST(ExpandBranch, MultipliesAsOftenAsAModeNeeds) {
  for (std::string range : {"", " for [0, 2]"})
    for (auto [t, gain, each] :
         {std::tuple<std::string, bool, int64_t>{z, true, 8},
          {z, false, 6},
          {r, true, 3},
          {r, false, 2}})
      EXPECT_EQ(
          multiplications(branch("%next, %d", "act relu" + range, t, gain), t),
          4 * each)
          << t << gain << range;
}

TEST(ExpandBranch, InsideWhen) {
  expectSameBranch("%go = dend.cmp gt %I, %w : (f64, f64) -> i1\n"
                   "%next, %d = dend.when %go keep(%v, %drive : " +
                   z + ", f64) -> (" + z + ", f64) {\n" +
                   branch("%v1, %d1", "act relu for [0, 2]") +
                   "\ndend.give %v1, %d1 : " + z + ", f64\n}");
}

TEST(ExpandBranch, MovesComplexNumbers) {
  expectSameBranch(branch("%v1, %d", "act tanh") +
                   "\n%go = dend.cmp gt %I, %w : (f64, f64) -> i1\n"
                   "%v2 = dend.roll %v1 by 1 : (" +
                   z + ") -> " + z +
                   "\n"
                   "%next = dend.select %go, %v2, %v1 : (i1, " +
                   z + ", " + z + ") -> " + z);
}

// Two branches of one model share what can be shared.
TEST(ExpandBranch, TwoBranches) {
  expectSameBranch(branch("%v1, %d1", "act relu for [0, 2]") + "\n" +
                   branch("%v2, %d2", "act tanh for [0, 2]") + "\n" +
                   branch("%next, %d3", "act identity for [1, 2]") + "\n" +
                   "%e = dend.add %d1, %d2 : (f64, f64) -> f64\n"
                   "%d = dend.add %e, %d3 : (f64, f64) -> f64");
}

// A constant that is bound later cannot be split yet.
TEST(ExpandBranch, LeavesUnboundConstantsAlone) {
  dend::test::Loaded loaded(network(branch("%next, %d", "act relu"), z, true),
                            {});
  EXPECT_FALSE(loaded);
  ASSERT_TRUE(loaded.network);
  auto model = *loaded.network.getOps<dend::NeuronOp>().begin();
  expandStructure(model);
  EXPECT_FALSE(model.getBlock().getOps<dend::BranchOp>().empty());
}

} // namespace
} // namespace dendrolith::test
