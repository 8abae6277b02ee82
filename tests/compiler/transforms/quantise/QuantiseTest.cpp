// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/transforms/quantise/RewriteQuantisedLayer.cpp,
// compiler/transforms/quantise/QuantiseSynapses.cpp.
// The integers of a layer against the reals they stand for: each on the chip's
// grid and nearest there, and the two networks' dynamics side by side.

#include "tests/compiler/transforms/Layer.h"

#include <cmath>

namespace dendrolith::test {
namespace {

using dend::Interpreter;
using dend::test::Loaded;

/// The least distance of `value` to mantissa << exponent, |mantissa| <= 4095,
/// exponent 0..7, by trying them all.
double nearestBias(double value) {
  double best = INFINITY;
  for (int exponent = 0; exponent <= 7; ++exponent) {
    double step = std::ldexp(1.0, exponent);
    double mantissa = std::nearbyint(value / step);
    if (std::fabs(mantissa) <= 4095)
      best = std::min(best, std::fabs(mantissa * step - value));
  }
  return best;
}

bool isBias(int64_t value) {
  for (int exponent = 0; exponent <= 7; ++exponent)
    if (value % (int64_t(1) << exponent) == 0 &&
        std::abs(value) >> exponent <= 4095)
      return true;
  return false;
}

/// i settles at B = gi b / (1 - ki); v is counted from the reset value.
double foldedBias(const Layer &l, size_t n) {
  double settled = l.synaptic ? l.gi[n] * l.bias[n] / (1 - l.ki[n]) : l.bias[n];
  return l.gv[n] * settled + l.off[n] +
         (l.fires ? (l.kv[n] - 1) * l.to[n] : 0.0);
}

TEST(Quantise, EveryNumberIsTheNearestTheChipHas) {
  std::mt19937 random(1);
  int oneSign = 0;
  for (int seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Layer l = Layer::random(random);
    Quantised q(l.text(), "loihi1");
    ASSERT_TRUE(q.ok) << q.errors();
    double scale = q.scale();
    bool positive = false, negative = false;
    for (double w : l.weights) {
      positive |= w > 0;
      negative |= w < 0;
    }
    bool mixed = positive && negative;
    oneSign += !mixed;
    int shift = int(q.projection().getShift());
    EXPECT_GE(shift, mixed ? 1 : 0);
    EXPECT_LE(shift, mixed ? 14 : 13);
    double step = std::ldexp(1.0, shift);
    auto mantissas = q.mantissas();
    ASSERT_EQ(mantissas.size(), l.weights.size());
    for (size_t k = 0; k < mantissas.size(); ++k) {
      size_t n = k / l.sources;
      double real = l.weights[k] * (l.synaptic ? l.gi[n] : 1) * l.gv[n] * scale;
      EXPECT_LE(std::abs(mantissas[k]), mixed ? 127 : 255);
      EXPECT_LE(std::fabs(double(mantissas[k]) * step - real),
                step / 2 * (1 + 1e-9));
    }
    auto decayU = q.parameter("decay_u"), decayV = q.parameter("decay_v"),
         threshold = q.parameter("threshold"), bias = q.parameter("bias");
    for (size_t n = 0; n < l.neurons; ++n) {
      double keepI = l.synaptic ? l.ki[n] : 0;
      EXPECT_LE(std::fabs(double(decayU[n] + 1) - 4096 * (1 - keepI)), 0.5);
      EXPECT_LE(std::fabs(double(decayV[n]) - 4096 * (1 - l.kv[n])), 0.5);
      double exact = foldedBias(l, n) * scale;
      EXPECT_TRUE(isBias(bias[n])) << bias[n];
      EXPECT_LE(std::fabs(double(bias[n]) - exact), nearestBias(exact) + 1e-3);
      if (!l.fires)
        continue;
      EXPECT_EQ(threshold[n] % 64, 0);
      EXPECT_GE(threshold[n], 64);
      EXPECT_LE(threshold[n], 131071 * 64);
      EXPECT_LE(
          std::fabs(double(threshold[n]) - scale * (l.theta[n] - l.to[n])),
          32.001);
    }
  }
  EXPECT_GT(oneSign, 20);
}

std::vector<double> drawSpikes(std::mt19937 &random, size_t n) {
  std::vector<double> spikes;
  for (size_t k = 0; k < n; ++k)
    spikes.push_back(random() % 3 == 0);
  return spikes;
}

// Without leak and with numbers on a grid of 1/8 nothing is rounded: the two
// networks are the same, reset value and bias included.
TEST(Quantise, NetworkOnAGridIsExact) {
  std::mt19937 random(2);
  auto eighths = [&](int low, int high) {
    return double(low + int(random() % unsigned(high - low + 1))) / 8;
  };
  int spikes = 0;
  for (int seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Layer l = Layer::random(random);
    l.fires = true;
    l.synaptic = false;
    for (size_t n = 0; n < l.neurons; ++n) {
      l.kv[n] = 1;
      l.gv[n] = 1;
      l.off[n] = eighths(-1, 1);
      l.theta[n] = eighths(4, 16);
      l.to[n] = eighths(-4, 3);
      l.bias[n] = eighths(-2, 3);
    }
    for (double &w : l.weights)
      w = eighths(-8, 8);
    Loaded real(l.text());
    Quantised q(l.text(), "loihi1");
    ASSERT_TRUE(real && q.ok) << real.errors << q.errors();
    auto fixed = Interpreter::create(q.network());
    ASSERT_TRUE(mlir::succeeded(fixed)) << q.errors();
    for (int tick = 0; tick < 50; ++tick) {
      std::map<std::string, std::vector<double>> x{
          {"x", drawSpikes(random, l.sources)}};
      real->tick(x);
      (*fixed)->tick(x);
      auto s = real->output("y");
      ASSERT_EQ((*fixed)->output("y"), s) << "tick " << tick;
      for (size_t n = 0; n < l.neurons; ++n) {
        double v = double((*fixed)->state("a", "v").raw[n]);
        ASSERT_EQ(v / q.scale() + l.to[n], real->state("a", "v").real[n]);
        spikes += s[n] != 0;
      }
    }
  }
  EXPECT_GT(spikes, 500);
}

// With decays that the chip has exactly, each update truncates u and v by less
// than one unit and the bias is off by at most half its step; both errors decay
// like the states. A bias of the synaptic current is folded into v's and into
// the initial current, so it must be right from the first tick on.
TEST(Quantise, LeakyReadOutStaysWithinItsTruncation) {
  std::mt19937 random(3);
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Layer l = Layer::random(random);
    l.fires = false;
    l.synaptic = true;
    for (size_t n = 0; n < l.neurons; ++n) {
      l.ki[n] = double(random() % 3800) / 4096;
      l.kv[n] = double(random() % 4000) / 4096;
      l.gi[n] = l.gv[n] = 1;
    }
    for (double &w : l.weights)
      w = double(int(random() % 31) - 15) / 16;
    Loaded real(l.text());
    Quantised q(l.text(), "loihi1");
    ASSERT_TRUE(real && q.ok) << real.errors << q.errors();
    auto fixed = Interpreter::create(q.network());
    ASSERT_TRUE(mlir::succeeded(fixed)) << q.errors();
    for (int tick = 0; tick < 80; ++tick) {
      std::map<std::string, std::vector<double>> x{
          {"x", drawSpikes(random, l.sources)}};
      real->tick(x);
      (*fixed)->tick(x);
      for (size_t n = 0; n < l.neurons; ++n) {
        double errorU = 1 / (1 - l.ki[n]);
        double errorBias = nearestBias(foldedBias(l, n) * q.scale()) + 1e-3;
        double bound = (1 + errorU + errorBias) / (1 - l.kv[n]);
        ASSERT_LE(std::fabs((*fixed)->output("y")[n] - real->output("y")[n]),
                  bound / q.scale())
            << "tick " << tick << ", neuron " << n;
        // The bound is a small part of what v can be.
        ASSERT_LT(bound, 0.02 * 8388607);
      }
    }
  }
}

// Units do not matter: the same integers, half the scale.
TEST(Quantise, TwiceTheNumbersAreTheSameIntegers) {
  std::mt19937 random(4);
  for (int seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Layer l = Layer::random(random);
    Quantised once(l.text(), "loihi1");
    Quantised twice(l.scaled(2).text(), "loihi1");
    ASSERT_TRUE(once.ok && twice.ok) << once.errors() << twice.errors();
    EXPECT_EQ(twice.mantissas(), once.mantissas());
    EXPECT_EQ(twice.projection().getShift(), once.projection().getShift());
    for (const char *name : {"decay_u", "decay_v", "threshold", "bias"})
      EXPECT_EQ(twice.parameter(name), once.parameter(name)) << name;
    EXPECT_EQ(twice.scale(), once.scale() / 2);
  }
}

/// The text with `attributes` at the end of the op that begins with `op`.
std::string with(std::string text, const std::string &op,
                 const std::string &attributes) {
  return text.insert(text.find('\n', text.find(op)), " {" + attributes + "}");
}

TEST(Quantise, CalibratedRangeSetsTheScale) {
  std::mt19937 random(5);
  Layer l = Layer::random(random);
  l.fires = false;
  std::string text = with(l.text(), "dend.population @a",
                          "calibration = {v = array<f64: -10.0, 40.0>}");
  Quantised q(text, "loihi1");
  ASSERT_TRUE(q.ok) << q.errors();
  double limit = 8388607 / (1.25 * 40);
  EXPECT_LE(q.scale(), limit * (1 + 1e-12));
  EXPECT_GT(q.scale(), limit / 2);
  // The range stays, in integers, for a run to say whether it was too wide.
  auto range =
      q.population().getCalibrationAttr().getAs<mlir::DenseF64ArrayAttr>("v");
  ASSERT_TRUE(range);
  EXPECT_EQ(range[0], -range[1]);
  EXPECT_NEAR(range[1], 40 * q.scale(), 1);
}

/// Spike type and scale of @x after quantising with a range for it.
std::string inputFormat(const std::string &target, const std::string &range) {
  std::mt19937 random(6);
  Layer l = Layer::random(random);
  std::string text = with(l.text(), "dend.input @x", range);
  Quantised q(text, target);
  EXPECT_TRUE(q.ok) << q.errors();
  auto input = q.network().lookupSymbol<dend::InputOp>("x");
  std::string out;
  llvm::raw_string_ostream stream(out);
  stream << input.getSpike();
  if (input.getScale())
    stream << " scale " << input.getScale()->convertToDouble();
  return out;
}

TEST(Quantise, InputsBecomeWhatTheTargetCarries) {
  EXPECT_EQ(inputFormat("loihi1", "calibration = array<f64: 0.0, 1.0>"),
            "!dend.spike<binary>");
  EXPECT_EQ(
      inputFormat("ideal", "integers, calibration = array<f64: 0.0, 1.0>"),
      "!dend.spike<binary>");
  // Small integers stay what they are.
  std::string whole =
      inputFormat("ideal", "integers, calibration = array<f64: -3.0, 5.0>");
  EXPECT_NE(whole.find("scale 1.0"), std::string::npos) << whole;
  EXPECT_NE(whole.find("127"), std::string::npos) << whole;
  // Reals use the whole payload: 127 / 4.
  std::string real =
      inputFormat("ideal", "calibration = array<f64: -4.0, 2.0>");
  EXPECT_NE(real.find("scale 3.175"), std::string::npos) << real;
}

} // namespace
} // namespace dendrolith::test
