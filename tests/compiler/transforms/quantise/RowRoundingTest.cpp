// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/RowRounding.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd vector(std::initializer_list<double> values) {
  VectorXd all(Eigen::Index(values.size()));
  std::copy(values.begin(), values.end(), all.data());
  return all;
}

MatrixXd randomMoments(Eigen::Index inputs, std::mt19937 &random) {
  MatrixXd samples(inputs, 3 * inputs);
  for (Eigen::Index i = 0; i < samples.size(); ++i)
    samples.data()[i] = double(random() % 1000) / 500 - 0.9;
  return samples * samples.transpose() / double(samples.cols());
}

TEST(RowRounding, NearestIsHalfToEvenWithinTheRange) {
  EXPECT_EQ(roundNearest(vector({0.5, 1.5, -2.6, 9, -9}), 1, {-7, 7}),
            (Mantissas{0, 2, -3, 7, -7}));
  EXPECT_EQ(roundNearest(vector({-3, 3}), 1, {0, 7}), (Mantissas{0, 3}));
}

// Two inputs that are nearly the same: rounding up one weight of 0.4 costs
// nothing if the other one goes down. By hand, with H = [[1, r], [r, 1]] and
// d = 0.01 (1 + 1e-3): the first weight becomes 0 and loses 0.4; the inverse of
// H is [[a, -b], [-b, a]] / det, whose upper Cholesky factor has U01 / U00 =
// -b / a = -r / (1 + d). So the second becomes 0.4 + 0.4 r / (1 + d) = 0.79,
// which rounds to 1.
TEST(RowRounding, WhatOneWeightLosesMovesToTheNext) {
  const double r = 0.99;
  MatrixXd moments(2, 2);
  moments << 1, r, r, 1;
  InputMetric metric = InputMetric::correlated(moments);
  metric.factorise();
  VectorXd weights = vector({0.4, 0.4});
  Mantissas compensated = metric.compensate(weights, 1, {-7, 7});
  EXPECT_EQ(compensated, (Mantissas{0, 1}));
  EXPECT_EQ(roundNearest(weights, 1, {-7, 7}), (Mantissas{0, 0}));
  // e' H e: (-0.4, 0.6) costs 0.16 + 0.36 - 0.48 r, (-0.4, -0.4) 0.32 + 0.32 r.
  EXPECT_NEAR(metric.error(difference(compensated, 1, weights)),
              0.52 * 1.001 - 0.48 * r, 1e-12);
  EXPECT_NEAR(metric.error(vector({-0.4, -0.4})), 0.32 * 1.001 + 0.32 * r,
              1e-12);
}

TEST(RowRounding, TheLargestMomentIsRoundedFirst) {
  MatrixXd moments(2, 2);
  moments << 1, 1.9, 1.9, 4;
  InputMetric metric = InputMetric::correlated(moments);
  metric.factorise();
  // The second is rounded as it is, and the first makes up for its 0.4.
  Mantissas mantissas = metric.compensate(vector({0.1, 1.4}), 1, {-7, 7});
  EXPECT_EQ(mantissas, (Mantissas{1, 1}));
}

// Against all combinations of mantissas of small rows.
TEST(RowRounding, CompensationComesCloseToTheBest) {
  std::mt19937 random(7);
  double nearest = 0, compensated = 0, best = 0;
  for (int round = 0; round < 50; ++round) {
    InputMetric metric = InputMetric::correlated(randomMoments(4, random));
    metric.factorise();
    ASSERT_TRUE(metric.isFactorised());
    VectorXd weights(4);
    for (double &weight : weights)
      weight = double(random() % 600) / 100 - 3;
    double least = 1e300;
    for (int code = 0; code < 7 * 7 * 7 * 7; ++code) {
      Mantissas tried;
      for (int left = code, i = 0; i < 4; ++i, left /= 7)
        tried.push_back(left % 7 - 3);
      least = std::min(least, metric.error(difference(tried, 1, weights)));
    }
    MantissaRange range{-3, 3};
    best += least;
    nearest +=
        metric.error(difference(roundNearest(weights, 1, range), 1, weights));
    compensated += metric.error(
        difference(metric.compensate(weights, 1, range), 1, weights));
  }
  EXPECT_LT(compensated, nearest);
  EXPECT_LT(compensated - best, 0.7 * (nearest - best));
}

TEST(RowRounding, WithoutInputNothingIsFactorised) {
  InputMetric metric = InputMetric::correlated(MatrixXd::Zero(3, 3));
  EXPECT_TRUE(metric.silent());
  metric.factorise();
  EXPECT_FALSE(metric.isFactorised());
}

TEST(RowRounding, InputsThatAreAlwaysEqualDoNotBreakIt) {
  InputMetric metric = InputMetric::correlated(MatrixXd::Ones(3, 3));
  metric.factorise();
  ASSERT_TRUE(metric.isFactorised());
  // Only the sum matters: 1.2.
  Mantissas mantissas = metric.compensate(vector({0.4, 0.4, 0.4}), 1, {-1, 1});
  EXPECT_EQ(mantissas[0] + mantissas[1] + mantissas[2], 1);
}

} // namespace
} // namespace dendrolith
