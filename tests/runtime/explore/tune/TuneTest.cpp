// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search on networks that are formulas: each layer loses score by its bits
// and takes words by them.

#include "runtime/explore/tune/Tune.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dendrolith::tuning {
namespace {

struct Formula {
  std::vector<double> loss, weights; ///< of each layer
  int measured = 0;

  Point operator()(const Bits &bits) {
    ++measured;
    Point point;
    point.bits = bits;
    point.score = 1;
    for (size_t i = 0; i < bits.size(); ++i) {
      point.score -= loss[i] * std::ldexp(1.0, -int(bits[i]));
      point.words += weights[i] * double(bits[i]);
    }
    return point;
  }
};

const std::vector<uint64_t> kWidths = {2, 3, 4, 5, 6, 8};

SearchSpace spaceOf(size_t layers, double floor) {
  SearchSpace space;
  space.widths.assign(layers, kWidths);
  space.floor = floor;
  space.giveUp = 1 - 4 * (1 - floor);
  space.grain = 0.002;
  space.objective = Objective::Words;
  return space;
}

/// The cheapest of all combinations.
double cheapest(Formula formula, size_t layers, double floor) {
  double best = 1e9;
  size_t all = 1;
  for (size_t i = 0; i < layers; ++i)
    all *= kWidths.size();
  for (size_t n = 0; n < all; ++n) {
    Bits bits;
    for (size_t i = 0, rest = n; i < layers; ++i, rest /= kWidths.size())
      bits.push_back(kWidths[rest % kWidths.size()]);
    const Point point = formula(bits);
    if (point.score >= floor)
      best = std::min(best, point.words);
  }
  return best;
}

TEST(TuneSearch, FindsWhatTryingAllFinds) {
  for (const std::vector<double> &loss :
       {std::vector<double>{1, 0.1, 0.01}, {0.3, 0.3, 0.3}, {0.05, 2, 0.4}})
    for (const std::vector<double> &weights :
         {std::vector<double>{10, 100, 1}, {1, 1, 1}, {50, 20, 80}}) {
      Formula formula{loss, weights};
      TuneSearch search(spaceOf(3, 0.97), std::ref(formula));
      const auto best = search.run();
      ASSERT_TRUE(best);
      EXPECT_GE(best->score, 0.97);
      // The search is greedy: within a twentieth of the best.
      EXPECT_LE(best->words, 1.05 * cheapest(formula, 3, 0.97));
    }
}

TEST(TuneSearch, MeasuresAPointOnceAndFewOfAll) {
  Formula formula{{1, 0.1, 0.01, 0.5}, {10, 100, 1, 30}};
  TuneSearch search(spaceOf(4, 0.97), std::ref(formula));
  ASSERT_TRUE(search.run());
  EXPECT_EQ(size_t(formula.measured), search.points().size());
  EXPECT_LT(formula.measured, 100); // of 1296
}

TEST(TuneSearch, SensitivityEndsWhereALayerGivesUp) {
  Formula formula{{4, 0}, {1, 1}};
  TuneSearch search(spaceOf(2, 0.97), std::ref(formula));
  search.run();
  // 1 - 4/2^5 = 0.875 is the first below 0.88.
  ASSERT_EQ(search.sensitivity()[0].size(), 2u);
  EXPECT_EQ(search.sensitivity()[0].back().bits, (Bits{5, 8}));
  EXPECT_EQ(search.sensitivity()[1].size(), kWidths.size() - 1);
}

TEST(TuneSearch, SaysThatNothingIsGoodEnough) {
  Formula formula{{1, 1}, {1, 1}};
  EXPECT_FALSE(TuneSearch(spaceOf(2, 0.9999), std::ref(formula)).run());
}

TEST(TuneSearch, ARefusedPointIsNone) {
  Formula formula{{0, 0}, {1, 1}};
  auto refusing = [&](const Bits &bits) {
    Point point = formula(bits);
    if (bits[0] < 4)
      point.refused = "too few";
    return point;
  };
  const auto best = TuneSearch(spaceOf(2, 0.9), refusing).run();
  ASSERT_TRUE(best);
  EXPECT_EQ(best->bits, (Bits{4, 2}));
}

} // namespace
} // namespace dendrolith::tuning
