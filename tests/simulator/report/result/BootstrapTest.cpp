// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Bootstrap.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dendrolith::sim {
namespace {

TEST(Bootstrap, OneValueHasNoInterval) {
  EXPECT_FALSE(bootstrapInterval({}));
  EXPECT_FALSE(bootstrapInterval({3}));
}

TEST(Bootstrap, EqualValuesHaveAnEmptyInterval) {
  auto interval = bootstrapInterval({0.1, 0.1, 0.1});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0.1);
  EXPECT_EQ(interval->high, 0.1);
}

/// For a thousand coin flips the interval of the mean is known: 1.96 standard
/// errors to each side. A thousand resamples find its ends to a few percent.
TEST(Bootstrap, FindsTheStandardErrorOfAMean) {
  std::vector<double> flips;
  for (int i = 0; i < 1000; ++i)
    flips.push_back(i % 2);
  auto wide = bootstrapInterval(flips, 0.95);
  auto narrow = bootstrapInterval(flips, 0.6827);
  ASSERT_TRUE(wide && narrow);
  const double error = 0.5 / std::sqrt(1000.0);
  EXPECT_NEAR(wide->low, 0.5 - 1.96 * error, 0.2 * error);
  EXPECT_NEAR(wide->high, 0.5 + 1.96 * error, 0.2 * error);
  EXPECT_NEAR(narrow->low, 0.5 - error, 0.2 * error);
  EXPECT_NEAR(narrow->high, 0.5 + error, 0.2 * error);
}

/// The same values give the same bytes on every machine, so a change of the
/// method shows here.
TEST(Bootstrap, IsTheSameEverywhere) {
  auto interval = bootstrapInterval({1, 2, 4, 8, 16});
  ASSERT_TRUE(interval);
  EXPECT_DOUBLE_EQ(interval->low, 2.2);
  EXPECT_DOUBLE_EQ(interval->high, 11.6);
  // Confidence beyond its range is the widest and the narrowest interval.
  auto all = bootstrapInterval({1, 2, 4, 8, 16}, 2);
  EXPECT_LE(all->low, interval->low);
  EXPECT_GE(all->high, interval->high);
  auto none = bootstrapInterval({1, 2, 4, 8, 16}, -1);
  EXPECT_LE(none->low, none->high);
}

/// By hand: (p + z^2/2n -+ z sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n), with
/// z = 1.959964.
TEST(Bootstrap, WilsonsInterval) {
  Interval most = wilsonInterval(95, 100);
  EXPECT_NEAR(most.low, 0.8882495, 1e-6);
  EXPECT_NEAR(most.high, 0.9784563, 1e-6);
  EXPECT_EQ(wilsonInterval(3, 3).high, 1);
  EXPECT_NEAR(wilsonInterval(3, 3).low, 0.4385030, 1e-6);
  EXPECT_EQ(wilsonInterval(0, 3).low, 0);
}

TEST(Bootstrap, AnyFigureOfTheDraws) {
  // Draws without a figure are left out; where none has one, there is none.
  auto largest = [](const std::vector<size_t> &drawn) {
    return double(*std::max_element(drawn.begin(), drawn.end()));
  };
  auto interval = bootstrapInterval(100, largest);
  ASSERT_TRUE(interval);
  EXPECT_GT(interval->low, 90);
  EXPECT_EQ(interval->high, 99);
  EXPECT_FALSE(bootstrapInterval(
      9, [](const std::vector<size_t> &) { return std::nan(""); }));
}

} // namespace
} // namespace dendrolith::sim

namespace dendrolith::report {
namespace {

TEST(Spread, PercentilesAreOfTheValues) {
  std::vector<double> values(20);
  std::iota(values.rbegin(), values.rend(), 1.0); // 20 to 1
  nlohmann::ordered_json spread = spreadOf(values);
  // The standard error of the mean is 1.29.
  EXPECT_NEAR(spread["interval"]["low"], 10.5 - 1.96 * 1.29, 0.3);
  EXPECT_NEAR(spread["interval"]["high"], 10.5 + 1.96 * 1.29, 0.3);
  spread.erase("interval");
  EXPECT_EQ(spread.dump(),
            R"({"mean":10.5,"p50":10.0,"p95":19.0,"min":1.0,"max":20.0})");
  EXPECT_EQ(
      spreadOf({3}).dump(),
      R"({"mean":3.0,"p50":3.0,"p95":3.0,"min":3.0,"max":3.0,"interval":null})");
}

TEST(Spread, NothingHasNone) { EXPECT_TRUE(spreadOf({}).is_null()); }

} // namespace
} // namespace dendrolith::report
