// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of plain arithmetic before and after --dend-raise-structure in the
// reference interpreter. All numbers are multiples of small powers of two, so
// that nothing is rounded and equal means equal.

#include "compiler/transforms/raise/RaiseNeuron.h"

#include "tests/dialects/dend/reference/Support.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <random>

namespace dendrolith::test {
namespace {

using namespace mlir;

constexpr int kLifNeurons = 4, kLifTicks = 6;

/// A network whose models were raised.
class Raised {
public:
  explicit Raised(const std::string &body) {
    context.loadDialect<dend::DendDialect>();
    module = parseSourceString<ModuleOp>(
        "dend.network @net {\n" + body + "\n}\n", &context);
    if (!module)
      return;
    auto network = *module->getOps<dend::NetworkOp>().begin();
    for (auto model :
         llvm::make_early_inc_range(network.getOps<dend::NeuronOp>())) {
      raiseNeuron(model);
      llvm::raw_string_ostream(text) << model;
    }
    if (failed(verify(*module)))
      return;
    auto made = dend::Interpreter::create(network);
    if (succeeded(made))
      interpreter = std::move(*made);
  }

  std::string text;
  std::unique_ptr<dend::Interpreter> interpreter;

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Writes a body at random.
class RandomNeuron {
public:
  explicit RandomNeuron(unsigned seed) : random(seed) {}

  unsigned below(unsigned n) { return unsigned(random() % n); }
  std::string oneOf(const std::vector<std::string> &all) {
    return all[below(unsigned(all.size()))];
  }
  std::string op(const std::string &text) {
    std::string name = "%t" + std::to_string(count++);
    body += name + " = dend." + text + "\n";
    return name;
  }
  std::string number(const std::string &value) {
    return op("literal " + value);
  }
  std::string two(const std::string &name, std::string a, std::string b) {
    return op(name + " " + a + ", " + b);
  }
  /// 1 where it holds, else 0, in one of three ways.
  std::string real(const std::string &truth) {
    std::string one = number("1.0"), zero = number("0.0");
    switch (below(3)) {
    case 0:
      return op("to_real " + truth + " : (i1) -> f64");
    case 1:
      return op("select " + truth + ", " + one + ", " + zero);
    default:
      return two("sub", one, op("select " + truth + ", " + zero + ", " + one));
    }
  }

  std::mt19937 random;
  std::string body;
  int count = 0;
};

/// An integrate-and-fire neuron, each part written in one of several ways.
class RandomLif : public RandomNeuron {
public:
  explicit RandomLif(unsigned seed) : RandomNeuron(seed) {
    late = below(4) == 0;
    inclusive = below(2);
    theta = below(2) ? "%theta" : number("1.5");
    to = oneOf({"0.0", "0.0", "-0.5"});
    std::string v = late ? lateReset() : "%v";
    std::string v1 = membrane(current(), v);
    s = spike(v1);
    v2 = late ? v1 : reset(v1, s);
  }

  RandomLif &finish() {
    body += "dend.yield states(" + v2 + ", " + i1 + ") emit(" + s + ")\n";
    return *this;
  }

  std::string lateReset() {
    std::string fired = spike("%v");
    if (below(2))
      return op("select " + fired + ", " + number(to) + ", %v");
    std::string z = real(fired);
    std::string kept = two("mul", "%v", two("sub", number("1.0"), z));
    return two("add", kept, two("mul", z, number(to)));
  }
  std::string current() {
    switch (below(3)) {
    case 0:
      i1 = two("add", two("mul", "%i", number("0.5")), "%x");
      return i1;
    case 1: {
      std::string jump = two("add", "%i", "%x");
      i1 = two("sub", jump, two("mul", number("0.5"), jump));
      return jump;
    }
    default:
      i1 = "%i";
      return "%x";
    }
  }
  std::string membrane(const std::string &drive, const std::string &v) {
    switch (below(4)) {
    case 0:
      return two("add", two("mul", "%k", v), drive);
    case 1:
      return two("add", v, two("mul", number("0.5"), two("sub", drive, v)));
    case 2:
      return two("add", two("sub", v, two("div", v, number("4.0"))), drive);
    default:
      return two("sub", two("mul", drive, number("2.0")),
                 op("neg " +
                    two("add", two("mul", v, number("0.5")), number("0.25"))));
    }
  }
  std::string spike(const std::string &v) {
    switch (below(3)) {
    case 0:
      return two(inclusive ? "cmp ge" : "cmp gt", v, theta);
    case 1:
      return two(inclusive ? "cmp le" : "cmp lt", theta, v);
    default:
      return two(inclusive ? "cmp ge" : "cmp gt", two("sub", v, theta),
                 number("0.0"));
    }
  }
  std::string reset(const std::string &v, const std::string &s) {
    std::string z = real(s);
    switch (below(4)) {
    case 0:
      return op("select " + s + ", " + number(to) + ", " + v);
    case 1:
      return two("add", two("mul", number(to), z),
                 two("mul", v, two("sub", number("1.0"), z)));
    case 2:
      return two("sub", v, two("mul", z, theta));
    default:
      return below(2) ? v : two("sub", v, two("mul", z, number("0.75")));
    }
  }

  bool late, inclusive;
  std::string theta, to, i1, v2, s;
};

/// Such a neuron with operations behind it that make another one of it, or none
/// at all.
class RandomArithmetic : public RandomLif {
public:
  explicit RandomArithmetic(unsigned seed) : RandomLif(seed) {
    for (unsigned n = 1 + below(3); n > 0; --n)
      change(below(3) ? v2 : i1);
    if (below(4) == 0)
      s = two(oneOf({"min", "max"}), s, spike(oneOf({"%v", "%i", v2})));
    finish();
  }

private:
  void change(std::string &value) {
    std::string other = oneOf({"%v", "%i", "%x", "%theta", v2, i1});
    switch (below(7)) {
    case 0:
      value = two(oneOf({"add", "sub"}), value, other);
      break;
    case 1:
      value = two("mul", value, number(oneOf({"0.5", "-1.0", "2.0"})));
      break;
    case 2:
      value = op("select " + oneOf({s, spike(other)}) + ", " + value + ", " +
                 other);
      break;
    case 3:
      value = two("sub", value, two("mul", number("0.25"), real(s)));
      break;
    case 4:
      value = two("mul", value, real(spike(other)));
      break;
    case 5:
      value = two("add", value, number("0.25"));
      break;
    default:
      value = two(oneOf({"min", "max"}), value, other);
    }
  }
};

/// The network around a body; its states are probed or not.
std::string networkOf(const std::string &body, bool probed) {
  std::string n = std::to_string(kLifNeurons);
  return "dend.clock @step\n"
         "dend.input @x[" +
         n +
         "] on @step as graded\n"
         "dend.neuron @model ports(%x) params(%k per_neuron, %theta "
         "per_neuron) states(%v, %i) outputs(s) {\n" +
         body +
         "}\n"
         "dend.constant @k = [0.5, 0.75, 1.0, 0.25]\n"
         "dend.constant @theta = [1.0, 0.5, 1.5, 1.0]\n"
         "dend.population @P : @model[" +
         n +
         "] on @step bind {k = @k, theta "
         "= @theta}\n"
         "dend.project @x -> @P[\"x\"] #dend.diagonal delay 0\n" +
         (probed ? "dend.output @v = probe @P[\"v\"]\n"
                   "dend.output @i = probe @P[\"i\"]\n"
                 : "dend.output @s = @P[\"s\"]\n");
}

/// Whether the body was raised; its spikes, and unless it may be reset at once
/// its states, are what they were.
bool expectEqual(const RandomNeuron &neuron, bool states) {
  std::string text = networkOf(neuron.body, states);
  SCOPED_TRACE(text);
  dend::test::Loaded before(text);
  Raised after(text);
  EXPECT_TRUE(before) << before.errors;
  EXPECT_TRUE(after.interpreter) << after.text;
  if (!before || !after.interpreter)
    return false;
  SCOPED_TRACE(after.text);
  std::mt19937 random(3);
  for (int tick = 0; tick < kLifTicks; ++tick) {
    std::vector<double> x;
    for (int n = 0; n < kLifNeurons; ++n)
      x.push_back(double(int(random() % 9) - 2) / 4);
    before->tick({{"x", x}});
    after.interpreter->tick({{"x", x}});
    EXPECT_EQ(before->emission("P").raw, after.interpreter->emission("P").raw)
        << tick;
    for (const char *state : {"v", "i"}) {
      if (!states)
        continue;
      EXPECT_EQ(before->state("P", state).real,
                after.interpreter->state("P", state).real)
          << state << " " << tick;
    }
  }
  return after.text.find("dend.fire") != std::string::npos;
}

// Some that subtract get more operations by it, and stay.
TEST(RaiseNeuron, EveryWayToWriteALifIsOne) {
  int late = 0, raised = 0;
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed) {
    RandomLif neuron(seed);
    neuron.finish();
    raised += expectEqual(neuron, !neuron.late);
    late += neuron.late;
  }
  EXPECT_GT(raised, 340);
  EXPECT_GT(late, 50);
}

TEST(RaiseNeuron, NothingElseChanges) {
  int raised = 0;
  for (unsigned seed = 0; seed < 1500 && !HasFailure(); ++seed)
    raised += expectEqual(RandomArithmetic(seed), true);
  EXPECT_GT(raised, 200);
  EXPECT_LT(raised, 1400);
}

/// Branches with inputs of their own, a branch of one input, and a resonator in
/// the halves of a vector.
const char *const kVectors = R"(
dend.clock @step
dend.input @x[2] on @step as graded
dend.neuron @dh ports(%in : tensor<2xf64>)
    params(%a : tensor<2xf64> per_neuron, %g : tensor<2xf64> per_neuron)
    states(%d : tensor<2xf64>) outputs(y) {
  %ad = dend.mul %a, %d
  %gi = dend.mul %g, %in
  %d1 = dend.add %ad, %gi
  %y = dend.reduce sum %d1
  dend.yield states(%d1) emit(%y)
}
dend.neuron @modes ports(%x)
    params(%a : tensor<2xf64> per_neuron, %g : tensor<2xf64> per_neuron)
    states(%d : tensor<2xf64>) outputs(y) {
  %kept = dend.mul %d, %a
  %d1 = dend.add %kept, %x
  %read = dend.mul %d1, %g
  %y = dend.reduce sum %read
  dend.yield states(%d1) emit(%y)
}
dend.neuron @turn ports(%x)
    params(%a : tensor<2xf64> per_neuron, %g : tensor<2xf64> per_neuron)
    states(%d : tensor<4xf64>) outputs(y) {
  %re = dend.slice %d[0, 2]
  %im = dend.slice %d[2, 2]
  %ar = dend.mul %a, %re
  %gi = dend.mul %g, %im
  %turned = dend.sub %ar, %gi
  %re1 = dend.add %turned, %x
  %gr = dend.mul %g, %re
  %ai = dend.mul %a, %im
  %im1 = dend.add %gr, %ai
  %y = dend.reduce sum %im1
  %d1 = dend.concat %re1, %im1
  dend.yield states(%d1) emit(%y)
}
dend.constant @a = [[0.5, 0.75], [0.25, 0.875]]
dend.constant @g = [[1.0, -0.5], [0.75, 0.125]]
dend.constant @w = [[1.0, 0.5], [-0.5, 0.25], [0.5, -1.0], [0.75, 0.5]]
dend.population @P : @dh[2] on @step bind {a = @a, g = @g}
dend.population @Q : @modes[2] on @step bind {a = @a, g = @g}
dend.population @R : @turn[2] on @step bind {a = @a, g = @g}
dend.project @x -> @P["in"] weight @w delay 0
dend.project @x -> @Q["x"] #dend.diagonal delay 0
dend.project @x -> @R["x"] #dend.diagonal delay 0
dend.output @y = @R["y"]
)";

TEST(RaiseNeuron, VectorsKeepTheirNumbers) {
  dend::test::Loaded before(kVectors);
  Raised after(kVectors);
  ASSERT_TRUE(before) << before.errors;
  ASSERT_TRUE(after.interpreter) << after.text;
  for (const char *op : {"dend.compartment %d", "dend.branch %d", "concat"})
    EXPECT_NE(after.text.find(op), std::string::npos) << op << after.text;
  std::mt19937 random(3);
  for (int tick = 0; tick < kLifTicks; ++tick) {
    std::vector<double> x;
    for (int n = 0; n < 2; ++n)
      x.push_back(double(int(random() % 9) - 2) / 4);
    before->tick({{"x", x}});
    after.interpreter->tick({{"x", x}});
    for (const char *population : {"P", "Q", "R"}) {
      EXPECT_EQ(before->emission(population).real,
                after.interpreter->emission(population).real)
          << population << tick;
      EXPECT_EQ(before->state(population, "d").real,
                after.interpreter->state(population, "d").real)
          << population << tick;
    }
  }
}

} // namespace
} // namespace dendrolith::test
