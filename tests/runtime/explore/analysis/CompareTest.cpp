// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Compare.h"

#include "StudyFixture.h"
#include "runtime/explore/analysis/CompareText.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <random>

using namespace dendrolith::explore;

namespace {

/// Counts of two events, priced from `low` to `high`.
StoredPoint counted(uint64_t number, const std::string &lanes, double spikes,
                    double hops) {
  StoredPoint stored = lanePoint(number, lanes, "time", {});
  stored.point.energyByEvent = {{"spikes", {spikes * 1, spikes * 10}},
                                {"hops", {hops * 2, hops * 4}}};
  stored.point.values["energy"] = {spikes + 2 * hops, 10 * spikes + 4 * hops};
  return stored;
}

Verdict energyOf(const StoredPoint &a, const StoredPoint &b) {
  return verdictOf(compare(laneStudy(), a, b), "energy");
}

} // namespace

TEST(Compare, SaysWhatDiffers) {
  const auto comparison =
      compare(laneStudy(), counted(1, "1", 1, 1), counted(2, "4", 1, 1));
  ASSERT_EQ(comparison.settings.size(), 1u);
  EXPECT_EQ(comparison.settings[0].first, "microcode.lanes");
  EXPECT_EQ(comparison.settings[0].second.second, "4");
}

TEST(Compare, OfEnergyAtTheSamePricesIsWhatEveryPriceSays) {
  std::mt19937 random(1);
  size_t decided = 0, byBands = 0;
  for (int round = 0; round < 300; ++round) {
    const double a[] = {double(random() % 9), double(random() % 9)},
                 b[] = {double(random() % 9), double(random() % 9)};
    const StoredPoint x = counted(1, "1", a[0], a[1]),
                      y = counted(2, "4", b[0], b[1]);
    const Comparison comparison = compare(laneStudy(), x, y);
    bool less = true, more = true, equal = true;
    double lowest = 1e9, highest = -1e9;
    for (double spike = 1; spike <= 10; spike += 0.5)
      for (double hop = 2; hop <= 4; hop += 0.5) {
        const double difference = spike * (b[0] - a[0]) + hop * (b[1] - a[1]);
        less &= difference < 0;
        more &= difference > 0;
        equal &= difference == 0;
        lowest = std::min(lowest, difference);
        highest = std::max(highest, difference);
      }
    EXPECT_DOUBLE_EQ(comparison.samePrices->total.low, lowest);
    EXPECT_DOUBLE_EQ(comparison.samePrices->total.high, highest);
    const Verdict expected = equal  ? Verdict::Equal
                             : less ? Verdict::Less
                             : more ? Verdict::More
                                    : Verdict::Undecided;
    EXPECT_EQ(energyOf(x, y), expected);
    decided += expected != Verdict::Undecided;
    byBands +=
        y.point.values.at("energy").high < x.point.values.at("energy").low;
  }
  EXPECT_GT(decided, 2 * byBands); // which is what the same prices are for
}

TEST(Compare, OfEnergyIsByBandsAloneWherePricesDiffer) {
  Study study = laneStudy();
  study.axes[0].name = "costs.lower.hops_ew";
  StoredPoint a = counted(1, "1", 1, 1), b = counted(2, "4", 2, 1);
  a.point.design.values[0].first = b.point.design.values[0].first =
      "costs.lower.hops_ew";
  const Comparison comparison = compare(study, a, b);
  EXPECT_FALSE(comparison.samePrices);
  EXPECT_EQ(verdictOf(comparison, "energy"), Verdict::Undecided);
  EXPECT_EQ(energyOf(counted(1, "1", 1, 1), counted(2, "4", 2, 1)),
            Verdict::More);
}

TEST(Compare, OfEnergyIsUndecidedWhereOtherSamplesMayDiffer) {
  StoredPoint a = counted(1, "1", 1, 1), b = counted(2, "4", 2, 1);
  for (int i = 0; i < 20; ++i) {
    a.point.sampleEnergy.push_back({1, 2});
    b.point.sampleEnergy.push_back({i % 2 ? 9.0 : 0.0, 3});
  }
  EXPECT_EQ(energyOf(a, b), Verdict::More); // 3.5 uJ more, either half
  for (int i = 1; i < 20; i += 2)
    b.point.sampleEnergy[i].low = 2.1;
  EXPECT_EQ(energyOf(a, b), Verdict::Undecided); // by 0.05 uJ
}

TEST(Compare, OfEnergyAndStaticCountsStaticPowerAsOnePrice) {
  StoredPoint a = counted(1, "1", 1, 1), b = counted(2, "4", 3, 1);
  a.point.values["static"] = {4, 8};
  b.point.values["static"] = {3, 6};
  a.point.values["together"] = {7, 22};
  b.point.values["together"] = {8, 40};
  const auto difference = [&](const char *name) {
    return differenceOf(laneStudy(), a.point, b.point, name);
  };
  EXPECT_EQ(difference("energy"), (Band{2, 20}));
  EXPECT_EQ(difference("together"), (Band{0, 19})); // 2 - 2, 20 - 1
  EXPECT_EQ(difference("static"), (Band{-2, -1}));
  EXPECT_FALSE(difference("area"));
}

TEST(Compare, OfLatencyIsPairedBySample) {
  StoredPoint a = lanePoint(1, "1", "time", {{"latency.mean", {5, 5}}}),
              b = lanePoint(2, "4", "time", {{"latency.mean", {5.1, 5.1}}});
  for (uint64_t i = 0; i < 30; ++i) {
    a.point.latencyPs.push_back(1000000 * (i % 10));
    b.point.latencyPs.push_back(1000000 * (i % 10) + 100000 + i);
  }
  const Comparison comparison = compare(laneStudy(), a, b);
  // The samples differ by microseconds, their pairs by 0.1 us.
  EXPECT_NEAR(comparison.latency->difference, 0.1, 1e-3);
  EXPECT_GT(comparison.latency->interval.low, 0.099);
  EXPECT_EQ(verdictOf(comparison, "latency.mean"), Verdict::More);
  b.point.latencyPs = a.point.latencyPs;
  EXPECT_EQ(verdictOf(compare(laneStudy(), a, b), "latency.mean"),
            Verdict::Equal);
}

TEST(Compare, OfAccuracyAsksWhoIsRightAlone) {
  StoredPoint a = lanePoint(1, "1", "time", {{"accuracy", {0.9, 0.9}}}),
              b = lanePoint(2, "4", "time", {{"accuracy", {0.92, 0.92}}});
  for (int i = 0; i < 100; ++i) {
    a.point.right.push_back(i >= 10);
    b.point.right.push_back(i >= 8);
  }
  Comparison comparison = compare(laneStudy(), a, b);
  EXPECT_EQ(comparison.right->onlyB, 2u);
  EXPECT_DOUBLE_EQ(comparison.right->chance, 0.5);
  EXPECT_EQ(verdictOf(comparison, "accuracy"), Verdict::Undecided);
  for (int i = 0; i < 10; ++i)
    b.point.right[i] = true;
  comparison = compare(laneStudy(), a, b);
  EXPECT_LT(comparison.right->chance, 0.01);
  EXPECT_EQ(verdictOf(comparison, "accuracy"), Verdict::More);
}

TEST(Compare, HasNoPairsAcrossTasks) {
  Study study = laneStudy();
  study.models.resize(2);
  study.models[1].name = "other";
  study.models[1].labels = "y.npy";
  StoredPoint a = counted(1, "1", 1, 1), b = counted(2, "4", 1, 1);
  b.point.design.model = "other";
  a.point.latencyPs = b.point.latencyPs = {1, 2, 3};
  const Comparison comparison = compare(study, a, b);
  EXPECT_FALSE(comparison.latency);
  EXPECT_NE(textOf(a, b, comparison).find("different samples"),
            std::string::npos);
}

TEST(Compare, RefusesWhatIsNotDone) {
  StoredPoint b = lanePoint(2, "4", "time", {});
  b.point.state = PointState::Unfit;
  EXPECT_THROW(compare(laneStudy(), lanePoint(1, "1", "time", {}), b),
               dendrolith::Error);
}

TEST(Compare, PrintsUnitsAndVerdicts) {
  StoredPoint a = counted(1, "1", 1, 1), b = counted(2, "4", 3, 1);
  a.point.energyByLayer = {{"L0", {1, 2}}};
  b.point.energyByLayer = {{"L0", {2, 3}}, {"L1", {1, 1}}};
  const std::string text = textOf(a, b, compare(laneStudy(), a, b));
  for (const char *part :
       {"differs         P1 P2", "energy (uJ)", "+2 to +20 more",
        "same prices, anywhere in their bands: +2 to +20 uJ", "L1"})
    EXPECT_NE(text.find(part), text.npos) << part << "\n" << text;
  EXPECT_EQ(text.find("hops"), text.npos); // they are the same
}

TEST(Compare, McNemarIsACoin) {
  EXPECT_DOUBLE_EQ(mcnemar(0, 0), 1);
  EXPECT_NEAR(mcnemar(0, 5), 2.0 / 32, 1e-12);
  EXPECT_NEAR(mcnemar(1, 4), 2 * 6.0 / 32, 1e-12);
  EXPECT_DOUBLE_EQ(mcnemar(3, 3), 1);
  EXPECT_LT(mcnemar(100, 200), 1e-8);
}
