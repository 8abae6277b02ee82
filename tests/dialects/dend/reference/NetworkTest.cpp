// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/reference/Interpreter.cpp,
// dialects/dend/reference/Connections.cpp, dialects/dend/fast/Synapses.cpp.
// Constants, synapses, spikes and outputs of whole networks.

#include "tests/dialects/dend/reference/Support.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>

namespace dendrolith::dend::test {
namespace {

const std::string kRelay = R"(
  dend.clock @step
  dend.neuron @relay ports(%x : f64) states(%last : f64 reset sample)
      outputs(y : !dend.spike<graded>) {
    dend.yield states(%x : f64) emit(%x : f64)
  }
  dend.neuron @fixed ports(%x : !dend.fx<8, -2>) states(%last : !dend.fx<8, -2> reset sample) {
    dend.yield states(%x : !dend.fx<8, -2>)
  }
  dend.neuron @wide ports(%x : !dend.fx<48, 0>) states(%last : !dend.fx<48, 0> reset sample) {
    dend.yield states(%x : !dend.fx<48, 0>)
  }
)";

/// What population P of `neurons` neurons (model `relay` or `fixed`) receives
/// through `projection` from inputs of the given spike type.
Loaded receive(const std::string &model, int64_t neurons, int64_t sources,
               const std::string &spike, const std::string &projection,
               const Bindings &bindings = {}) {
  return Loaded(kRelay + "dend.input @x on @step : tensor<" +
                    std::to_string(sources) + "xf64> as " + spike +
                    "\ndend.population @P : @" + model + "[" +
                    std::to_string(neurons) + "] on @step\n" + projection,
                bindings);
}

Reals received(const std::string &projection, int64_t neurons,
               const Reals &values) {
  Loaded loaded = receive("relay", neurons, int64_t(values.size()),
                          "!dend.spike<graded>", projection);
  if (!loaded) {
    ADD_FAILURE() << loaded.errors;
    return {};
  }
  loaded->tick({{"x", values}});
  return loaded->state("P", "last").real;
}

std::string refused(const std::string &network, const Bindings &bindings = {}) {
  Loaded loaded(network, bindings);
  EXPECT_FALSE(loaded);
  return loaded.errors;
}

void expectFound(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in\n"
                                                << text;
}

TEST(Network, synapseKinds) {
  EXPECT_EQ(received(constant("W", "tensor<2x3xf64>",
                              "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]") +
                         "\ndend.project @x -> @P[\"x\"] #dend.dense weight @W",
                     2, {1, 0, 10}),
            (Reals{31, 64}));
  EXPECT_EQ(
      received(
          constant("W", "tensor<3xf64>", "[2.0, 3.0, 5.0]") + "\n" +
              constant("I", "tensor<3x2xi32>", "[[1, 0], [0, 1], [1, 1]]") +
              "\ndend.project @x -> @P[\"x\"] #dend.sparse weight @W "
              "indices @I",
          2, {1, 10}),
      (Reals{30, 2 + 50}));
  EXPECT_EQ(received(constant("W", "tensor<2xf64>", "[2.0, 3.0]") +
                         "\ndend.project @x -> @P[\"x\"] #dend.diagonal weight "
                         "@W",
                     2, {1, 10}),
            (Reals{2, 30}));
  EXPECT_EQ(received("dend.project @x -> @P[\"x\"] #dend.diagonal", 2, {1, 10}),
            (Reals{1, 10}));
}

// The sum by source and target, which is what rows of a dense layer make that
// are added four at a time; zeros of weights and values part them.
TEST(Network, rowsAreAddedInOrderOfTheirSources) {
  uint32_t state = 1;
  auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
  for (int64_t sources = 1; sources < 40; ++sources) {
    SCOPED_TRACE(sources);
    const int64_t neurons = 7;
    const bool hasZeros = sources % 3, isWide = sources % 2;
    std::vector<Reals> weights(neurons, Reals(sources));
    std::string text;
    for (int64_t n = 0; n < neurons; ++n) {
      text += n ? ", [" : "[";
      for (int64_t s = 0; s < sources; ++s) {
        weights[n][s] = hasZeros && random() % 9 == 0 ? 0.0
                        : isWide ? double(1 + random() % 1000) * 1e-3
                                 : double(1 + random() % 1000) / 256;
        text += (s ? ", " : "") + llvm::formatv("{0:f17}", weights[n][s]).str();
      }
      text += "]";
    }
    Reals values(sources), sums(neurons);
    for (double &value : values)
      value = random() % 4 ? double(random() % 100) / 7 : 0.0;
    for (int64_t n = 0; n < neurons; ++n)
      for (int64_t s = 0; s < sources; ++s)
        sums[n] += weights[n][s] * values[s];
    EXPECT_EQ(
        received(constant("W", "tensor<7x" + std::to_string(sources) + "xf64>",
                          "[" + text + "]") +
                     "\ndend.project @x -> @P[\"x\"] #dend.dense "
                     "weight @W",
                 neurons, values),
        sums);
    // The same in integers, with ones alone and with any.
    for (int most : {1, 4}) {
      std::string whole;
      Ints raw(neurons);
      Reals spikes(sources);
      for (double &spike : spikes)
        spike =
            double(random() % (most + 1)) * (most > 1 && random() % 2 ? -1 : 1);
      for (int64_t n = 0; n < neurons; ++n) {
        whole += n ? ", [" : "[";
        for (int64_t s = 0; s < sources; ++s) {
          const int64_t weight = (int64_t(random() % 65536) - 32768) *
                                 (isWide && s % 7 == 3 ? 1000 : 1);
          whole += (s ? ", " : "") + std::to_string(weight);
          raw[n] += weight * int64_t(spikes[s]) * (isWide ? 8 : 1);
        }
        whole += "]";
      }
      Loaded loaded =
          receive("wide", neurons, sources, "!dend.spike<int, -4, 4>",
                  constant("V", "tensor<7x" + std::to_string(sources) + "xi32>",
                           "[" + whole + "]") +
                      "\ndend.project @x -> @P[\"x\"] #dend.dense weight @V" +
                      std::string(isWide ? " shift 3" : ""));
      ASSERT_TRUE(loaded) << loaded.errors;
      loaded->tick({{"x", spikes}});
      EXPECT_EQ(loaded->state("P", "last").raw, raw);
    }
  }
}

// Two states take one value, which is emitted, too; one takes what another was.
TEST(Network, statesAreReadBeforeAnyIsReplaced) {
  Loaded loaded(R"(
    dend.clock @step
    dend.neuron @chain ports(%x : f64)
        states(%a : f64 reset sample, %b : f64 reset sample, %c : f64 reset sample, %d : f64 reset sample)
        outputs(y : !dend.spike<graded>) {
      %sum = dend.add %a, %x : (f64, f64) -> f64
      %twice = dend.add %sum, %b : (f64, f64) -> f64
      dend.yield states(%sum, %sum, %a, %twice : f64, f64, f64, f64) emit(%twice : f64)
    }
    dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
    dend.population @P : @chain[2] on @step
    dend.project @x -> @P["x"] #dend.diagonal
  )");
  ASSERT_TRUE(loaded) << loaded.errors;
  // Copies show their values to an observer, and record nothing.
  auto silent = loaded->fast->copy();
  silent->recordNothing();
  std::vector<Reals> seen, seenInPlain;
  auto lookInto = [](std::vector<Reals> &values) {
    return [&values](const Update &update) {
      NeuronOp model = update.model;
      auto yield = mlir::cast<YieldOp>(model.getBlock().getTerminator());
      for (mlir::Value value : yield.getStates())
        values.push_back(update.frame[value].real);
    };
  };
  silent->observe(lookInto(seen));
  loaded->plain->observe(lookInto(seenInPlain));
  Reals a(2), b(2);
  for (int tick = 1; tick < 5; ++tick) {
    const Reals x = {double(tick), -3.0 * tick};
    seen.clear();
    seenInPlain.clear();
    loaded->tick({{"x", x}});
    silent->tick({{"x", x}});
    const Reals old = a;
    Reals twice(2);
    for (size_t n = 0; n < 2; ++n) {
      a[n] += x[n];
      twice[n] = a[n] + b[n];
    }
    b = a;
    EXPECT_EQ(loaded->state("P", "a").real, a);
    EXPECT_EQ(loaded->state("P", "b").real, a);
    EXPECT_EQ(loaded->state("P", "c").real, old);
    EXPECT_EQ(loaded->state("P", "d").real, twice);
    EXPECT_EQ(loaded->emission("P").real, twice);
    EXPECT_EQ(seen, (std::vector<Reals>{a, a, old, twice}));
    EXPECT_EQ(seenInPlain, seen);
    EXPECT_TRUE(silent->state("P", "a").real.empty());
  }
}

// One channel of 3 x 3, counted 1..9.
TEST(Network, windows) {
  Reals image = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::string kernel = constant("W", "tensor<1x1x2x2xf64>",
                                "[[[[1.0, 10.0], [100.0, 1000.0]]]]");
  // Cross-correlation: no flip of the kernel.
  EXPECT_EQ(received(kernel +
                         "\ndend.project @x -> @P[\"x\"] #dend.conv<input = "
                         "[1, 3, 3], stride = [1, 1], padding = [0, 0, 0, "
                         "0], dilation = [1, 1], groups = 1> weight @W",
                     4, image),
            (Reals{5421, 6532, 8754, 9865}));
  // Padding of one row above and one column to the right, stride 2.
  EXPECT_EQ(received(kernel +
                         "\ndend.project @x -> @P[\"x\"] #dend.conv<input = "
                         "[1, 3, 3], stride = [2, 2], padding = [1, 0, 0, "
                         "1], dilation = [1, 1], groups = 1> weight @W",
                     4, image),
            (Reals{2100, 300, 8754, 906}));
  EXPECT_EQ(received(kernel +
                         "\ndend.project @x -> @P[\"x\"] #dend.conv<input = "
                         "[1, 3, 3], stride = [1, 1], padding = [0, 0, 0, "
                         "0], dilation = [2, 2], groups = 1> weight @W",
                     1, image),
            (Reals{9731}));
  // Two groups: each output channel sees its own input channel.
  EXPECT_EQ(
      received(constant("W", "tensor<2x1x1x1xf64>", "[[[[2.0]]], [[[3.0]]]]") +
                   "\ndend.project @x -> @P[\"x\"] #dend.conv<input = [2, "
                   "1, 2], stride = [1, 1], padding = [0, 0, 0, 0], "
                   "dilation = [1, 1], groups = 2> weight @W",
               4, {1, 2, 3, 4}),
      (Reals{2, 4, 9, 12}));
  std::string shape = "input = [1, 3, 3], kernel = [2, 2], stride = [1, 1], "
                      "padding = [0, 0, 0, 0]>";
  EXPECT_EQ(
      received("dend.project @x -> @P[\"x\"] #dend.pool<average = false, " +
                   shape,
               4, image),
      (Reals{12, 16, 24, 28}));
  EXPECT_EQ(
      received("dend.project @x -> @P[\"x\"] #dend.pool<average = true, " +
                   shape,
               4, image),
      (Reals{3, 4, 6, 7}));
}

TEST(Network, portsOfVectorsAreNumberedNeuronByElement) {
  Loaded loaded(R"(
    dend.clock @step
    dend.neuron @vec ports(%x : tensor<2xf64>) states(%last : tensor<2xf64> reset sample)
        outputs(a[2] : !dend.spike<graded>, b : !dend.spike<graded>) {
      %first = dend.element %x[0] : (tensor<2xf64>) -> f64
      dend.yield states(%x : tensor<2xf64>) emit(%x, %first : tensor<2xf64>, f64)
    }
    dend.input @x on @step : tensor<2x2xf64> as !dend.spike<graded>
    dend.population @P : @vec[2] on @step
    dend.population @Q : @vec[2] on @step
    dend.output @b = @P["b"]
    dend.project @x -> @P["x"] #dend.diagonal
    dend.project @P["a"] -> @Q["x"] #dend.diagonal)");
  ASSERT_TRUE(loaded) << loaded.errors;
  loaded->tick({{"x", {1, 2, 3, 4}}});
  EXPECT_EQ(loaded->emission("P", "a").real, (Reals{1, 2, 3, 4}));
  EXPECT_EQ(loaded->output("b"), (Reals{1, 3}));
  EXPECT_EQ(loaded->state("Q", "last").real, (Reals{1, 2, 3, 4}));
  EXPECT_THROW(loaded->emission("P"), std::invalid_argument);
  EXPECT_THROW(loaded->emission("nobody"), std::invalid_argument);
  EXPECT_THROW(loaded->output("nothing"), std::invalid_argument);
}

// 1e16 + 1 - 1e16: what is left tells the order of additions.
TEST(Network, realAdditionsHaveTheDocumentedOrder) {
  auto weights = [](const std::string &name, const std::string &values) {
    return constant(name, "tensor<1x3xf64>", "[" + values + "]") + "\n";
  };
  auto dense = [](const std::string &name) {
    return "dend.project @x -> @P[\"x\"] #dend.dense weight @" + name + "\n";
  };
  EXPECT_EQ(received(weights("A", "[1.0e16, 1.0, -1.0e16]") + dense("A"), 1,
                     {1, 1, 1}),
            (Reals{0}));
  // A zero source is left out, whatever its weight.
  EXPECT_EQ(received(weights("A", "[1.0e16, -1.0e16, 1.0]") + dense("A"), 1,
                     {1, 1, 1}),
            (Reals{1}));
  // Each projection sums on its own; then they are added in the order of ops.
  EXPECT_EQ(received(weights("A", "[1.0e16, 0.0, 0.0]") +
                         weights("B", "[1.0, -1.0e16, 0.0]") + dense("A") +
                         dense("B"),
                     1, {1, 1, 1}),
            (Reals{0}));
  // The bias comes last.
  EXPECT_EQ(received(weights("A", "[1.0e16, 0.0, 0.0]") +
                         weights("B", "[-1.0e16, 0.0, 0.0]") +
                         constant("b", "tensor<1xf64>", "[1.0]") +
                         "\ndend.project @x -> @P[\"x\"] #dend.dense weight @A "
                         "bias @b\n" +
                         dense("B"),
                     1, {1, 1, 1}),
            (Reals{1}));
}

TEST(Network, fixedPointPortsAddModuloTheirWidth) {
  std::string dense = constant("W", "tensor<1x2xi32>", "[[50, -3]]") + "\n" +
                      constant("b", "tensor<1xi32>", "[7]") +
                      "\ndend.project @x -> @P[\"x\"] #dend.dense weight @W "
                      "bias @b shift 1\n";
  Loaded loaded = receive("fixed", 1, 2, "!dend.spike<int, -4, 4>", dense);
  ASSERT_TRUE(loaded) << loaded.errors;
  auto sum = [&](double x, double y) {
    loaded->tick({{"x", {x, y}}});
    return loaded->state("P", "last").raw.at(0);
  };
  // The shift scales the products, not the bias.
  EXPECT_EQ(sum(1, 1), 2 * (50 - 3) + 7);
  EXPECT_EQ(sum(0, 0), 7);
  EXPECT_EQ(sum(2, 0), 200 + 7 - 256);
  EXPECT_EQ(sum(-4, 4), -400 - 24 + 7 + 512);
}

TEST(Network, inputsAreStrict) {
  std::string to = "dend.project @x -> @P[\"x\"] #dend.diagonal\n";
  Loaded binary = receive("relay", 2, 2, "!dend.spike<binary>", to);
  ASSERT_TRUE(binary) << binary.errors;
  binary->tick({{"x", {1, 0}}});
  EXPECT_EQ(binary->state("P", "last").real, (Reals{1, 0}));
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Reals &bad :
       std::vector<Reals>{{0.5, 0}, {2, 0}, {-1, 0}, {1}, {1, 0, 1}, {nan, 0}})
    EXPECT_THROW(binary->tick({{"x", bad}}), std::invalid_argument);
  EXPECT_THROW(binary->tick({}), std::invalid_argument);
  EXPECT_THROW(binary->tick({{"x", {1, 0}}, {"y", {1}}}),
               std::invalid_argument);
  Loaded graded = receive("relay", 1, 1, "!dend.spike<graded>", to);
  EXPECT_THROW(graded->tick({{"x", {std::numeric_limits<double>::infinity()}}}),
               std::invalid_argument);
  Loaded integer = receive("fixed", 1, 1, "!dend.spike<int, -4, 4>", to);
  EXPECT_THROW(integer->tick({{"x", {5}}}), std::invalid_argument);
}

TEST(Network, scaledInputsAreRoundedHalfToEvenAndClamped) {
  Loaded loaded = receive("fixed", 1, 1, "!dend.spike<int, -4, 4> scale 2.0",
                          "dend.project @x -> @P[\"x\"] #dend.diagonal\n");
  ASSERT_TRUE(loaded) << loaded.errors;
  for (auto [x, raw] : {std::pair<double, int64_t>{0.25, 0},
                        {0.75, 2},
                        {-0.75, -2},
                        {1.25, 2},
                        {1.3, 3},
                        {9, 4},
                        {-1e300, -4}}) {
    loaded->tick({{"x", {x}}});
    EXPECT_EQ(loaded->state("P", "last").raw, (Ints{raw})) << x;
  }
}

TEST(Network, emissionsKeepToTheRangeOfTheirSpikes) {
  Loaded loaded(R"(
    dend.clock @step
    dend.neuron @m ports(%x : !dend.fx<16, 0>) states(%v : !dend.fx<16, 0> reset sample) outputs(y : !dend.spike<unary, 3>) {
      dend.yield states(%x : !dend.fx<16, 0>) emit(%x : !dend.fx<16, 0>)
    }
    dend.input @x on @step : tensor<3xi32> as !dend.spike<int, -100, 100>
    dend.population @P : @m[3] on @step scale 8.0
    dend.output @y = @P["y"]
    dend.output @v = probe @P["v"]
    dend.project @x -> @P["x"] #dend.diagonal)");
  ASSERT_TRUE(loaded) << loaded.errors;
  EXPECT_TRUE(loaded->outputs()[0].integer);
  EXPECT_FALSE(loaded->outputs()[1].integer);
  loaded->tick({{"x", {2, 5, -100}}});
  EXPECT_EQ(loaded->output("y"), (Reals{2, 3, -3}));
  // Probes are divided by the population's scale.
  EXPECT_EQ(loaded->output("v"), (Reals{0.25, 0.625, -12.5}));
}

TEST(Network, probesWithoutAScaleAreWorthTheirType) {
  Loaded loaded = receive("fixed", 1, 1, "!dend.spike<int, -100, 100>",
                          "dend.project @x -> @P[\"x\"] #dend.diagonal\n"
                          "dend.output @v = probe @P[\"last\"]");
  ASSERT_TRUE(loaded) << loaded.errors;
  loaded->tick({{"x", {5}}});
  EXPECT_EQ(loaded->output("v"), (Reals{1.25}));
}

const std::string kExtern = kRelay + R"(
  dend.constant @W : tensor<2x1xf64> extern "layers.W" at [1]
  dend.input @x on @step : tensor<1xf64> as !dend.spike<graded>
  dend.population @P : @relay[2] on @step
  dend.project @x -> @P["x"] #dend.dense weight @W)";

TEST(Network, externConstantsAreBoundByKey) {
  Tensor array;
  array.shape = {2, 2, 1};
  array.real = {1, 2, 3, 4};
  Loaded loaded(kExtern, {{"layers.W", array}});
  ASSERT_TRUE(loaded) << loaded.errors;
  loaded->tick({{"x", {1}}});
  EXPECT_EQ(loaded->state("P", "last").real, (Reals{3, 4}));

  expectFound(refused(kExtern), "constant @W is unbound: give an array named "
                                "'layers.W'");
  array.shape = {2, 1, 2};
  expectFound(refused(kExtern, {{"layers.W", array}}),
              "gives shape (1, 2), expected (2, 1)");
  array.shape = {1, 2, 1};
  array.real = {1, 2};
  expectFound(refused(kExtern, {{"layers.W", array}}),
              "lies outside the array");
  array.shape = {2, 2, 1};
  array.real = {1, 2, 3, std::numeric_limits<double>::quiet_NaN()};
  expectFound(refused(kExtern, {{"layers.W", array}}), "not finite");
}

TEST(Network, complexConstantsBindOneArrayOrTwo) {
  std::string text = R"(
    dend.clock @step
    dend.constant @A : tensor<2xcomplex<f64>> extern "A"
    dend.neuron @m params(%A : tensor<2xcomplex<f64>>) states(%v : tensor<2xcomplex<f64>> reset sample) {
      dend.yield states(%A : tensor<2xcomplex<f64>>)
    }
    dend.population @P : @m[1] on @step bind {A = @A})";
  Tensor whole, re, im;
  whole.shape = re.shape = im.shape = {2};
  whole.isComplex = true;
  whole.real = {1, 2, 3, 4};
  re.real = {1, 3};
  im.real = {2, 4};
  for (const Bindings &bindings :
       {Bindings{{"A", whole}}, Bindings{{"A_re", re}, {"A_im", im}}}) {
    Loaded loaded(text, bindings);
    ASSERT_TRUE(loaded) << loaded.errors;
    loaded->tick({});
    EXPECT_EQ(loaded->state("P", "v").real, (Reals{1, 2, 3, 4}));
  }
  expectFound(refused(text, {{"A_re", re}}), "the pair with suffixes");
  expectFound(refused(text, {{"A", re}}), "is not complex");
}

TEST(Network, aBoundScaleOfSsfMustBePositive) {
  std::string text = R"(
    dend.clock @step
    dend.constant @s : tensor<2xf64> extern "s"
    dend.neuron @m ports(%x : f64) params(%s : f64 per_neuron) states(%v : f64 reset sample) outputs(y : !dend.spike<int, -4, 4>) {
      %y = dend.ssf %x shift %x scale %s vth 1.0 u 4.0 : (f64, f64, f64) -> i32
      dend.yield states(%v : f64) emit(%y : i32)
    }
    dend.population @P : @m[2] on @step bind {s = @s})";
  Tensor scale;
  scale.shape = {2};
  scale.real = {1, 0};
  expectFound(refused(text, {{"s", scale}}), "must be positive");
  scale.real = {1, 2};
  EXPECT_TRUE(Loaded(text, {{"s", scale}}));
}

TEST(Network, refusesRealsIntoFixedPoint) {
  expectFound(refused(kRelay + R"(
    dend.population @A : @relay[1] on @step
    dend.population @P : @fixed[1] on @step
    dend.project @A -> @P["x"] #dend.diagonal)"),
              "integer");
}

} // namespace
} // namespace dendrolith::dend::test
