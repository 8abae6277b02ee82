// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Parameters.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace dendrolith::silicon {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Fit, LeastSquaresMeetExactRows) {
  const auto x = boundedLeastSquares({{1, 2}, {3, 1}, {1, 1}}, {8, 9, 5},
                                     {{0, kInfinity}, {0, kInfinity}});
  EXPECT_NEAR(x[0], 2, 1e-6);
  EXPECT_NEAR(x[1], 3, 1e-6);
}

TEST(Fit, LeastSquaresStayInBandsAndAreBestThere) {
  // Without bands x = (-1, 4); with x0 at 0, x1 is 21/6.
  const auto x = boundedLeastSquares({{1, 1}, {0, 1}, {1, 2}}, {3, 4, 7},
                                     {{0, kInfinity}, {0, kInfinity}});
  EXPECT_NEAR(x[0], 0, 1e-9);
  EXPECT_NEAR(x[1], (3 + 4 + 14) / 6., 1e-6);
  EXPECT_DOUBLE_EQ(boundedLeastSquares({{1}}, {8}, {{2, 5}})[0], 5);
  EXPECT_DOUBLE_EQ(boundedLeastSquares({{0}}, {8}, {{2, 5}})[0], 2);
}

TEST(Fit, PlacesOfABandAreItsEndsAndBetween) {
  const Band ratio{24, 2000}, distance{0, 100};
  for (const Band &band : {ratio, distance}) {
    EXPECT_DOUBLE_EQ(valueAt(band, 0), band.low);
    EXPECT_DOUBLE_EQ(valueAt(band, kGrid), band.high);
    for (unsigned place : {0u, 1u, 100u, kGrid})
      EXPECT_EQ(nearestPlace(band, valueAt(band, place)), place);
  }
  EXPECT_NEAR(valueAt(ratio, kGrid / 2), std::sqrt(24. * 2000), 1e-9);
  EXPECT_DOUBLE_EQ(valueAt(distance, kGrid / 2), 50);
}

TEST(Fit, SearchFindsTheLeastOfTwoNumbers) {
  unsigned asked = 0;
  const GridPoint best = searchGrid({0, kGrid}, [&](const GridPoint &point) {
    ++asked;
    return std::abs(double(point[0]) - 201) + std::abs(double(point[1]) - 7);
  });
  EXPECT_EQ(best, (GridPoint{201, 7}));
  EXPECT_LT(asked, 120u);
}

TEST(Fit, SearchWithoutNumbersAsksOnce) {
  EXPECT_TRUE(searchGrid({}, [](const GridPoint &) { return 1.; }).empty());
}

} // namespace
} // namespace dendrolith::silicon
