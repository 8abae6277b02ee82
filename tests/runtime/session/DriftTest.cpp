// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/session/Drift.cpp.

#include "runtime/session/Drift.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace dendrolith::session {
namespace {

Recording recorded(uint64_t samples, uint64_t ticks, uint64_t width,
                   std::vector<double> values) {
  Recording recording;
  recording.samples = samples;
  recording.ticks = ticks;
  sim::OutputData &output = recording.outputs.emplace_back();
  output.shape = {width};
  output.values = std::move(values);
  return recording;
}

/// The textbook's formula, in two passes.
double correlationOf(const std::vector<double> &x,
                     const std::vector<double> &y) {
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / double(x.size());
    my += y[i] / double(x.size());
  }
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

TEST(Drift, IsTheCorrelationOfEachTenthOverAllSamples) {
  constexpr uint64_t samples = 2, ticks = 205, width = 3;
  std::mt19937 random(1);
  std::normal_distribution<double> normal(5, 2);
  std::vector<double> x, y;
  for (uint64_t i = 0; i < samples * ticks * width; ++i) {
    x.push_back(normal(random));
    // The later in the sequence, the noisier.
    const double tick = double(i / width % ticks);
    y.push_back(3 * x.back() + tick / 20 * normal(random));
  }
  const auto drift = driftOf(recorded(samples, ticks, width, x),
                             recorded(samples, ticks, width, y));
  ASSERT_TRUE(drift);
  EXPECT_NEAR(*drift->all, correlationOf(x, y), 1e-12);
  for (uint64_t s = 0; s < Drift::kStretches; ++s) {
    std::vector<double> left, right;
    for (uint64_t i = 0; i < x.size(); ++i)
      if (const uint64_t tick = i / width % ticks;
          tick >= ticks * s / 10 && tick < ticks * (s + 1) / 10) {
        left.push_back(x[i]);
        right.push_back(y[i]);
      }
    EXPECT_NEAR(*drift->stretches[s], correlationOf(left, right), 1e-12);
  }
  EXPECT_LT(*drift->stretches[9], *drift->stretches[0]);
}

TEST(Drift, IsNothingWhereItMeansNothing) {
  const std::vector<double> x(100, 1), y = x;
  // A short sequence, and one that never changes.
  EXPECT_FALSE(driftOf(recorded(1, 99, 1, {x.begin(), x.end() - 1}),
                       recorded(1, 99, 1, {y.begin(), y.end() - 1})));
  const auto drift = driftOf(recorded(1, 100, 1, x), recorded(1, 100, 1, y));
  ASSERT_TRUE(drift);
  EXPECT_FALSE(drift->all);
  EXPECT_TRUE(toJson(drift).at("stretches").at(9).is_null());
  EXPECT_TRUE(toJson(std::optional<Drift>()).is_null());
}

} // namespace
} // namespace dendrolith::session
