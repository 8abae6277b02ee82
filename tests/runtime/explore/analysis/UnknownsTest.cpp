// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Unknowns.h"

#include "StudyFixture.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

TEST(Unknowns, DifferencesAreTakenAtTheEndsOfEach) {
  const Addends a = {{kExact, 1, 1}, {1, 2, 20}, {3, 5, 6}},
                b = {{kExact, 4, 4}, {1, 3, 30}, {2, 7, 8}};
  // 3 exactly, 1 to 10 of the first, 7 to 8 of the second, -6 to -5 of the
  // third.
  EXPECT_EQ(differenceOf(a, b), (Band{5, 16}));
  EXPECT_EQ(differenceOf(b, a), (Band{-16, -5}));
  EXPECT_EQ(differenceOf(a, a), (Band{0, 0}));
}

TEST(Unknowns, OfAPointWithoutPartsAreItsOwn) {
  const StoredPoint a = lanePoint(1, "1", "time", {{"energy", {1, 3}}}),
                    b = lanePoint(2, "4", "time", {{"energy", {1, 3}}});
  Unknowns unknowns(laneStudy());
  const auto x = unknowns.addendsOf(a.point, "energy"),
             y = unknowns.addendsOf(b.point, "energy");
  EXPECT_EQ(differenceOf(*x, *y), (Band{-2, 2}));
  EXPECT_EQ(differenceOf(*unknowns.addendsOf(a.point, "energy.low"),
                         *unknowns.addendsOf(b.point, "energy.high")),
            (Band{2, 2}));
  EXPECT_FALSE(unknowns.addendsOf(a.point, "area"));
}

TEST(Unknowns, OfStaticPowerAreOneForAllRuns) {
  // One runs twice as long on the same chip.
  const StoredPoint a = lanePoint(1, "1", "time", {{"static", {1, 3}}}),
                    b = lanePoint(2, "4", "time", {{"static", {2, 6}}});
  Unknowns unknowns(laneStudy());
  EXPECT_EQ(differenceOf(*unknowns.addendsOf(a.point, "static"),
                         *unknowns.addendsOf(b.point, "static")),
            (Band{1, 3}));
}
