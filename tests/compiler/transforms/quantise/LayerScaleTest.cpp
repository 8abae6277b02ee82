// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerScale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dendrolith {
namespace {

ProjectionWeights weights(const std::vector<double> &values) {
  ProjectionWeights all;
  for (double value : values)
    all.add(value);
  return all;
}

double mantissa(const LayerScale &scale, size_t projection, double weight) {
  return std::ldexp(weight * scale.scale, -scale.shift[projection]);
}

TEST(LayerScale, OneSignUsesAllBitsBothSignsOneLess) {
  NumberFormats formats;
  EXPECT_EQ(mantissaLimit(formats, false), 255);
  EXPECT_EQ(mantissaLimit(formats, true), 127);
  // Exponents -6..7 on a shift of 6; both signs step by 2.
  EXPECT_EQ(shiftMin(formats, false), 0);
  EXPECT_EQ(shiftMax(formats, false), 13);
  EXPECT_EQ(shiftMin(formats, true), 1);
  EXPECT_EQ(shiftMax(formats, true), 14);
}

// The upper 4 of 8 bits are left, so a step is worth 16 of the finest.
TEST(LayerScale, NarrowMantissasAreTheUpperBits) {
  NumberFormats four = narrowed(NumberFormats(), 4);
  EXPECT_EQ(mantissaLimit(four, false), 15);
  EXPECT_EQ(mantissaLimit(four, true), 7);
  EXPECT_EQ(shiftMin(four, false), 4);
  EXPECT_EQ(shiftMax(four, true), 18);
  EXPECT_EQ(narrowed(NumberFormats(), 0).weightBits, 8u);
  EXPECT_EQ(narrowed(NumberFormats(), 9).weightBits, 8u);
}

TEST(LayerScale, EachProjectionHasItsOwnBits) {
  LayerBounds bounds;
  bounds.threshold = 1;
  ProjectionWeights wide = weights({0.31415, -1.0}),
                    narrow = weights({0.31415, -1.0});
  narrow.bits = 3;
  LayerScale s = chooseScale(NumberFormats(), bounds, {wide, narrow});
  EXPECT_NEAR(mantissa(s, 0, 1.0), 127, 1e-6);
  EXPECT_LE(mantissa(s, 1, 1.0), 3.5);
  EXPECT_GT(mantissa(s, 1, 1.0), 1.75);
}

// Current and potential have the same bits, on any chip.
TEST(LayerScale, StatesBoundCurrentAndPotential) {
  for (unsigned bits : {8u, 20u, 24u, 32u}) {
    NumberFormats formats;
    formats.stateBits = bits;
    LayerBounds bounds;
    bounds.current = 128; // powers of two divide without rounding
    bounds.potential = 64;
    LayerScale s = chooseScale(formats, bounds, {});
    EXPECT_EQ(s.limitedBy, "current");
    EXPECT_EQ(s.scale * bounds.current, double(formats.stateMax()));
    bounds.potential = 256;
    s = chooseScale(formats, bounds, {});
    EXPECT_EQ(s.limitedBy, "potential");
    EXPECT_EQ(s.scale * bounds.potential, double(formats.stateMax()));
  }
}

// v >= theta is v > theta - 1 in integers: the threshold is the largest below
// theta, whatever the chip's grid, so that v == theta fires and theta - 1 does
// not where the grid is that fine.
TEST(LayerScale, InclusiveThresholdIsTheLargestBelow) {
  for (unsigned shift : {0u, 6u}) {
    NumberFormats formats;
    formats.thresholdShift = shift;
    const double unit = std::ldexp(1.0, int(shift));
    for (double theta : {unit * 2, unit * 1000, unit * 1000 + 1,
                         unit * 1000 + 0.5, unit * 1000 * (1 + 1e-15)}) {
      const double held = thresholdMantissa(theta, formats, true) * unit;
      EXPECT_LT(held, theta);
      EXPECT_GE(held, std::ceil(theta * (1 - 1e-12)) - unit);
      EXPECT_NEAR(thresholdError(theta, formats, true),
                  (std::ceil(theta * (1 - 1e-12)) - held - 1) / theta,
                  1 / theta);
    }
  }
  NumberFormats formats;
  EXPECT_EQ(thresholdMantissa(640, formats, false), 10);
  EXPECT_EQ(thresholdMantissa(640, formats, true), 9);
  EXPECT_EQ(thresholdMantissa(641, formats, true), 10);
  EXPECT_EQ(thresholdMantissa(64, formats, true), 1); // there is no 0
}

TEST(LayerScale, WholeMultiplesAreExact) {
  LayerBounds bounds;
  bounds.threshold = 1;
  LayerScale s =
      chooseScale(NumberFormats(), bounds, {weights({0.3, -0.6, 0.9, -2.1})});
  for (double weight : {0.3, -0.6, 0.9, -2.1}) {
    double m = mantissa(s, 0, weight);
    EXPECT_NEAR(m, std::round(m), 1e-9) << weight;
    EXPECT_LE(std::fabs(m), 127);
  }
}

TEST(LayerScale, LargestWeightFillsTheMantissa) {
  LayerBounds bounds;
  bounds.threshold = 1;
  std::mt19937 random(1);
  std::vector<double> values;
  for (int i = 0; i < 500; ++i)
    values.push_back(double(random()) / 4e9 - 0.5);
  LayerScale s = chooseScale(NumberFormats(), bounds, {weights(values)});
  double largest = 0;
  for (double value : values)
    largest = std::max(largest, std::fabs(mantissa(s, 0, value)));
  EXPECT_NEAR(largest, 127, 1e-6);
}

TEST(LayerScale, EveryBoundCanLimit) {
  NumberFormats formats;
  struct {
    double LayerBounds::*field;
    double room;
    const char *name;
  } cases[] = {
      {&LayerBounds::threshold, 131071.0 * 64, "threshold"},
      {&LayerBounds::bias, 4095.0 * 128, "bias"},
      {&LayerBounds::current, 8388607.0, "current"},
      {&LayerBounds::potential, 8388607.0, "potential"},
  };
  for (const auto &c : cases) {
    LayerBounds bounds;
    bounds.*c.field = 3.0;
    LayerScale s = chooseScale(formats, bounds, {});
    EXPECT_DOUBLE_EQ(s.scale, c.room / 3.0);
    EXPECT_EQ(s.limitedBy, c.name);
  }
}

TEST(LayerScale, StaysWithinAFactorOfTwoOfTheBound) {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    LayerBounds bounds;
    bounds.potential = std::exp(double(random() % 1000) / 100 - 5);
    std::vector<double> values;
    for (int k = 0; k < 300; ++k)
      values.push_back(double(random()) / 1e9 - 2);
    LayerScale s = chooseScale(NumberFormats(), bounds, {weights(values)});
    double limit = 8388607.0 / bounds.potential;
    EXPECT_LE(s.scale, limit * (1 + 1e-12));
    if (s.shift[0] > 1 && s.shift[0] < 14) {
      EXPECT_GT(s.scale, limit / 2 * (1 - 1e-12));
    }
  }
}

// A neuron that hyperpolarises by 487 thresholds would take all of a narrow
// state, and the threshold with it.
TEST(LayerScale, APotentialDoesNotRoundTheThresholdAway) {
  LayerBounds bounds;
  bounds.threshold = 1;
  bounds.thresholds = {1};
  bounds.potential = 487;
  bounds.current = 148; // twice of what was seen
  bounds.leastCurrent = 93;
  NumberFormats narrow; // a threshold counts in 64 units
  EXPECT_EQ(chooseScale(narrow, bounds, {}).limitedBy, "potential");
  narrow.stateBits = 14;
  const auto filling =
      weights({0.51, -1.9}); // a mantissa at no whole threshold
  LayerScale s = chooseScale(narrow, bounds, {filling});
  EXPECT_EQ(s.limitedBy, "rounding of the threshold");
  EXPECT_EQ(s.scale, 64);
  // The current still fits with the least room, and less than that is no scale.
  narrow.stateBits = 13;
  EXPECT_LT(chooseScale(narrow, bounds, {filling}).scale * bounds.leastCurrent,
            double(narrow.stateMax()));
}

// The nearest one: a whole threshold costs no more of states and weights than
// it must.
TEST(LayerScale, TheThresholdIsWholeNearTheBound) {
  NumberFormats coarse;
  coarse.thresholdShift = 16;
  LayerBounds bounds;
  bounds.threshold = 0.7;
  bounds.thresholds = {0.7};
  bounds.leastCurrent = bounds.current = 1;
  const auto some = weights({0.51, -1.9});
  for (double potential : {2.0, 9.0, 20.0, 60.0, 150.0, 400.0}) {
    bounds.potential = potential;
    const LayerScale s = chooseScale(coarse, bounds, {some});
    const double units = 0.7 * s.scale / 65536,
                 wanted = std::min(double(coarse.stateMax()) / potential,
                                   std::ldexp(127, 14) / 1.9);
    EXPECT_NEAR(units, std::max(std::round(units), 1.0), 0.01 * units);
    EXPECT_TRUE(std::lround(units) == 1 || s.scale > wanted / 2) << potential;
    EXPECT_LT(s.scale, std::max(wanted * 1.5, 65536 / 0.7 * 1.01)) << potential;
  }
}

// On a chip whose weights have no exponent: 1 and 1.5 are whole at 4, and
// weights of half a unit with them.
TEST(LayerScale, WholeMultiplesStayExactBesideAThreshold) {
  NumberFormats plain;
  plain.weightBits = 4;
  plain.weightShift = plain.thresholdShift = 0;
  plain.weightExponentMin = plain.weightExponentMax = 0;
  plain.stateBits = 9;
  LayerBounds bounds;
  bounds.threshold = 0.75;
  bounds.thresholds = {0.75};
  bounds.leastCurrent = bounds.current = bounds.potential = 2;
  const LayerScale s = chooseScale(plain, bounds, {weights({0.5, 0.5, 1.0})});
  EXPECT_EQ(s.scale, 12);
  EXPECT_EQ(mantissa(s, 0, 0.5), 6);
}

// Several thresholds: the one that is worst counts.
TEST(LayerScale, AllThresholdsAreGood) {
  NumberFormats coarse;
  coarse.thresholdShift = 16;
  LayerBounds bounds;
  bounds.thresholds = {1, 1.25, 1.5};
  bounds.threshold = 1.5;
  bounds.potential = 40; // 3.2 units of the first
  const LayerScale s = chooseScale(coarse, bounds, {weights({0.51, -1.9})});
  EXPECT_EQ(s.scale, 4 * 65536);
}

// Steps that were chosen before stay powers of two.
TEST(LayerScale, ChosenStepsStayPowersOfTwo) {
  NumberFormats coarse;
  coarse.thresholdShift = 16;
  LayerBounds bounds;
  bounds.threshold = 1;
  bounds.thresholds = {1};
  bounds.potential = 487;
  ProjectionWeights chosen = weights({0.51, -1.9});
  chosen.step = 0.017;
  chosen.chosen = {30, -112};
  const LayerScale s = chooseScale(coarse, bounds, {chosen});
  const double shift = std::log2(s.scale * chosen.step);
  EXPECT_NEAR(shift, std::round(shift), 1e-9);
}

TEST(LayerScale, WeightExponentCanLimit) {
  // Two values that have no common step, so nothing lowers the scale further.
  double odd = std::sqrt(2.0);
  LayerScale s = chooseScale(NumberFormats(), {}, {weights({odd, 1.0})});
  EXPECT_EQ(s.limitedBy, "weight exponent");
  EXPECT_EQ(s.shift[0], 13);
  EXPECT_DOUBLE_EQ(s.scale, 255 * 8192 / odd);
}

// The largest projection sets the step; a weaker one has its own exponent and
// uses at least half of its mantissa, down to the least shift.
TEST(LayerScale, WeakProjectionsHaveTheirOwnExponent) {
  LayerBounds bounds;
  bounds.threshold = 1;
  std::mt19937 random(3);
  std::vector<double> strong, weak, faint;
  for (int i = 0; i < 300; ++i) {
    double value = double(random()) / 2147483648.0 - 1;
    strong.push_back(value);
    weak.push_back(value / 37);
    faint.push_back(value / 1e7);
  }
  LayerScale s = chooseScale(NumberFormats(), bounds,
                             {weights(weak), weights(strong), weights(faint)});
  auto largest = [&](size_t p, const std::vector<double> &values) {
    double most = 0;
    for (double value : values)
      most = std::max(most, std::fabs(mantissa(s, p, value)));
    return most;
  };
  EXPECT_NEAR(largest(1, strong), 127, 1e-6);
  EXPECT_GT(largest(0, weak), 63);
  EXPECT_LT(largest(0, weak), 127.5);
  EXPECT_EQ(s.shift[2], 1);
  EXPECT_LT(largest(2, faint), 1);
}

TEST(LayerScale, NoWeightsAndNoBoundsGiveOne) {
  LayerScale s = chooseScale(NumberFormats(), {}, {});
  EXPECT_EQ(s.scale, 1);
  EXPECT_EQ(s.limitedBy, "nothing");
}

} // namespace
} // namespace dendrolith
