// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/WeightRows.h"

#include <gtest/gtest.h>

namespace dendrolith {
namespace {

SourceMoments momentsOf(const std::vector<std::vector<double>> &samples) {
  const size_t n = samples.front().size();
  SourceMoments moments{
      std::vector<double>(n, 0.0), std::vector<double>(n, 0.0),
      Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n))};
  for (const auto &sample : samples)
    for (size_t i = 0; i < n; ++i) {
      moments.mean[i] += sample[i] / double(samples.size());
      moments.square[i] += sample[i] * sample[i] / double(samples.size());
      for (size_t j = 0; j < n; ++j)
        moments.products(Eigen::Index(i), Eigen::Index(j)) +=
            sample[i] * sample[j] / double(samples.size());
    }
  return moments;
}

TEST(WeightRows, NeuronsWithoutSharedWeightsAreRows) {
  SynapseArrays<double> dense;
  for (uint32_t n = 0; n < 2; ++n)
    for (uint32_t s = 0; s < 3; ++s) {
      dense.target.push_back(n);
      dense.source.push_back(s);
      dense.weights.push_back(10 * n + s);
    }
  WeightRows rows = rowsOf(dense, 3);
  ASSERT_EQ(rows.rows.size(), 3u);
  EXPECT_EQ(rows.rows[1].weights, (std::vector<uint32_t>{3, 4, 5}));
  EXPECT_EQ(rows.rows[1].targets, (std::vector<uint32_t>{1}));
  // Both see the same sources; the third neuron has no synapse.
  EXPECT_EQ(rows.rows[0].inputs, rows.rows[1].inputs);
  EXPECT_TRUE(rows.rows[2].weights.empty());
}

// A kernel (a, b) slides over sources 0, 1, 2 in one channel, and (c, d) in
// another: a row for each, which sees (x0, x1) and (x1, x2).
TEST(WeightRows, ChannelsAreRowsAndSeeEveryPlace) {
  SynapseArrays<double> conv;
  conv.weights = {1, 2, 3, 4};
  for (uint32_t channel = 0; channel < 2; ++channel)
    for (uint32_t place = 0; place < 2; ++place)
      for (uint32_t tap = 0; tap < 2; ++tap) {
        conv.target.push_back(2 * channel + place);
        conv.source.push_back(place + tap);
        conv.index.push_back(2 * channel + tap);
      }
  WeightRows rows = rowsOf(conv, 4);
  ASSERT_EQ(rows.rows.size(), 2u);
  ASSERT_EQ(rows.inputs.size(), 1u);
  EXPECT_EQ(rows.rows[1].weights, (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(rows.rows[1].targets, (std::vector<uint32_t>{2, 3}));
  SourceMoments moments = momentsOf({{1, 0, 2}, {0, 1, 1}});
  Eigen::VectorXd mean = meanInput(rows.inputs[0], 2, moments.mean);
  EXPECT_DOUBLE_EQ(mean[0], 0.5);
  EXPECT_DOUBLE_EQ(mean[1], 1.0);
  // Patches (1,0), (0,2), (0,1), (1,1): products by hand.
  InputMetric metric = metricOf(rows.inputs[0], 2, moments, false);
  Eigen::VectorXd both(2), one(2);
  both << 1, 1;
  one << 1, 0;
  const double damping = 1e-3 * (0.5 + 1.5) / 2;
  EXPECT_NEAR(metric.error(one), 0.5 + damping, 1e-12);
  EXPECT_NEAR(metric.error(both), 0.5 + 1.5 + 2 * 0.25 + 2 * damping, 1e-12);
}

TEST(WeightRows, CentredErrorsLeaveOutTheMean) {
  SynapseArrays<double> dense;
  dense.target = {0, 0};
  dense.source = {0, 1};
  dense.weights = {1, 1};
  WeightRows rows = rowsOf(dense, 1);
  // The first source never changes: with a bias its weight costs nothing.
  SourceMoments moments = momentsOf({{1, 0}, {1, 2}});
  InputMetric metric = metricOf(rows.inputs[0], 2, moments, true);
  Eigen::VectorXd constant(2);
  constant << 1, 0;
  EXPECT_NEAR(metric.error(constant), 1e-3 * 0.5, 1e-12);
  EXPECT_NEAR(metricOf(rows.inputs[0], 2, moments, false).error(constant),
              1 + 1e-3 * 1.5, 1e-12);
}

} // namespace
} // namespace dendrolith
