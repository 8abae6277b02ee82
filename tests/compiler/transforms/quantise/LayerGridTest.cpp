// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerGrid.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith {
namespace {

constexpr MantissaRange kRange{-3, 3};

struct Rows {
  InputMetric metric = InputMetric::identity(6);
  std::vector<GridRow> rows;

  explicit Rows(size_t count, std::mt19937 &random) {
    for (size_t r = 0; r < count; ++r) {
      GridRow row;
      row.weights.resize(6);
      for (double &weight : row.weights)
        weight = (double(random() % 2000) / 1000 - 1) * double(r + 1);
      row.metric = &metric;
      row.unit = r;
      rows.push_back(row);
    }
  }
};

double errorAt(const GridRow &row, double step) {
  return row.metric->error(
      difference(roundNearest(row.weights, step, kRange), step, row.weights));
}

TEST(StepSearch, OneStepIsTheBestOfAllCandidates) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Rows layer(4, random);
    std::vector<double> candidates = geometricSteps(1.3, 20);
    double best = 0, least = 1e300;
    for (double step : candidates) {
      double sum = 0;
      for (const GridRow &row : layer.rows)
        sum += errorAt(row, step);
      if (sum < least) {
        least = sum;
        best = step;
      }
    }
    std::vector<double> steps =
        searchSteps(layer.rows, 4, candidates, 1, kRange, false);
    EXPECT_EQ(steps, std::vector<double>(4, best));
    EXPECT_NEAR(roundRows(layer.rows, steps, kRange, false).error, least, 1e-9);
  }
}

TEST(StepSearch, AsManyStepsAsRowsGiveEachItsBest) {
  std::mt19937 random(4);
  Rows layer(3, random);
  std::vector<double> candidates = geometricSteps(1.3, 24);
  std::vector<double> steps =
      searchSteps(layer.rows, 3, candidates, 24, kRange, false);
  for (size_t r = 0; r < 3; ++r) {
    double least = 1e300;
    for (double step : candidates)
      least = std::min(least, errorAt(layer.rows[r], step));
    // Steps that save less than a thousandth of the layer's error are left out.
    EXPECT_LE(errorAt(layer.rows[r], steps[r]), least + 0.05) << r;
  }
}

TEST(StepSearch, DistinctStepsAreLimited) {
  std::mt19937 random(5);
  Rows layer(30, random);
  std::vector<double> steps =
      searchSteps(layer.rows, 30, geometricSteps(12, 48), 3, kRange, false);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  EXPECT_GE(steps.size(), 2u);
  EXPECT_LE(steps.size(), 3u);
}

TEST(StepSearch, MoreStepsNeverCostMore) {
  std::mt19937 random(6);
  Rows layer(12, random);
  std::vector<double> candidates = geometricSteps(4.2, 40);
  double before = 1e300;
  for (size_t distinct = 1; distinct <= 6; ++distinct) {
    double error = roundRows(layer.rows,
                             searchSteps(layer.rows, 12, candidates, distinct,
                                         kRange, false),
                             kRange, false)
                       .error;
    EXPECT_LE(error, before);
    before = error;
  }
}

TEST(StepSearch, ClippedWeightsAreCounted) {
  std::mt19937 random(8);
  Rows layer(1, random);
  layer.rows[0].weights << 1, -1, 3.4, 3.6, -4, 0;
  EXPECT_EQ(roundRows(layer.rows, {1.0}, kRange, false).clipped, 2u);
  EXPECT_EQ(roundRows(layer.rows, {2.0}, kRange, false).clipped, 0u);
}

} // namespace
} // namespace dendrolith
