// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Constraints.h"

#include "StudyFixture.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <random>

using namespace dendrolith::explore;

namespace {

bool holdsFor(double value, const std::string &is, double bound) {
  return is == "<"    ? value < bound
         : is == "<=" ? value <= bound
         : is == ">"  ? value > bound
         : is == ">=" ? value >= bound
         : is == "==" ? value == bound
                      : value != bound;
}

Met metBy(const Band &band, const std::string &is, double bound) {
  Point point;
  point.values["energy"] = band;
  return metBy(point, Constraint{"", "energy", is, bound});
}

} // namespace

TEST(Constraints, AreMetWhereAllOrSomeNumbersOfABandKeepThem) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const double low = double(random() % 5), high = low + double(random() % 3),
                 bound = double(random() % 7) / 2;
    for (const char *is : {"<", "<=", ">", ">=", "==", "!="}) {
      size_t kept = 0, tried = 0;
      for (double value = low; value <= high; value += 0.25, ++tried)
        kept += holdsFor(value, is, bound);
      EXPECT_EQ(metBy({low, high}, is, bound), kept == tried ? Met::Certainly
                                               : kept == 0   ? Met::No
                                                             : Met::Possibly)
          << low << " to " << high << " " << is << " " << bound;
    }
  }
}

TEST(Constraints, OfAnUnknownValueArePossiblyMet) {
  EXPECT_EQ(metBy(Point(), Constraint{"", "accuracy", ">=", 0.9}),
            Met::Possibly);
}

TEST(Constraints, AreMetAsTheLeastCertainOfThem) {
  const StoredPoint stored = lanePoint(1, "1", "time", {{"energy", {1, 4}}});
  const Constraint kept{"", "energy", "<", 9}, open{"", "energy", "<", 3},
      lost{"", "energy", "<", 1};
  EXPECT_EQ(metBy(stored.point, std::vector{kept}), Met::Certainly);
  EXPECT_EQ(metBy(stored.point, std::vector{kept, open}), Met::Possibly);
  EXPECT_EQ(metBy(stored.point, std::vector{kept, open, lost}), Met::No);
  Point unfit = stored.point;
  unfit.state = PointState::Unfit;
  EXPECT_EQ(metBy(unfit, std::vector<Constraint>{}), Met::No);
}

TEST(Constraints, IncludeTheLeastValuesOfTheModel) {
  Study study = laneStudy();
  study.models[0].minimum = {{"accuracy", 0.9}};
  StoredPoint stored = lanePoint(1, "1", "time", {{"accuracy", {0.8, 0.8}}});
  EXPECT_EQ(metBy(stored.point, constraintsFor(study, "net")), Met::No);
  EXPECT_EQ(constraintsFor(study, "net").back().text, "accuracy >= 0.9");
  EXPECT_TRUE(constraintsFor(study, "other").empty());
}

TEST(Constraints, OfAnUnknownComparisonAreRefused) {
  EXPECT_THROW(metBy(Band{1, 2}, "=~", 3), dendrolith::Error);
}
