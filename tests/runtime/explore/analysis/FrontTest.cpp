// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Front.h"

#include "StudyFixture.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

namespace {

std::vector<StoredPoint> frontPoints() {
  return {
      lanePoint(1, "1", "time", {{"latency.mean", {4, 4}}, {"energy", {1, 2}}}),
      lanePoint(2, "4", "time", {{"latency.mean", {2, 2}}, {"energy", {3, 9}}}),
      lanePoint(3, "1", "energy",
                {{"latency.mean", {5, 5}}, {"energy", {2, 8}}}),
      lanePoint(4, "4", "energy",
                {{"latency.mean", {3, 3}}, {"energy", {2.5, 8}}}),
      lanePoint(5, "4", "energy", {{"latency.mean", {3, 3}}})};
}

std::string statuses(const Front &front) {
  std::string text;
  for (const FrontPoint &point : front.points)
    text += std::string(text.empty() ? "" : " ") + nameOf(point.status);
  return text;
}

} // namespace

TEST(Front, SaysWhatIsCertainPossibleAndDominated) {
  const auto points = frontPoints();
  const Study study = laneStudy();
  const auto fronts = frontsOf(study, points, study.objectives);
  ASSERT_EQ(fronts.size(), 1u);
  // The fourth may need more than the second, which is faster.
  EXPECT_EQ(statuses(fronts[0]), "certain certain dominated possible");
  EXPECT_EQ(fronts[0].points[2].by, 0u);
  EXPECT_EQ(fronts[0].unknown, 1u);
  const std::string text = textOf(study, points, fronts);
  EXPECT_NE(text.find("2 points certain, 1 possible, 1 dominated"), text.npos);
  EXPECT_NE(text.find("energy (uJ)"), text.npos);
  EXPECT_NE(text.find("3 to 9"), text.npos);
  EXPECT_EQ(text.find("P3"), text.npos); // it is dominated
}

TEST(Front, OfALargeGoalPrefersMore) {
  Study study = laneStudy();
  study.objectives = {{"accuracy", true}};
  const std::vector<StoredPoint> points = {
      lanePoint(1, "1", "time", {{"accuracy", {0.8, 0.8}}}),
      lanePoint(2, "4", "time", {{"accuracy", {0.9, 0.9}}})};
  EXPECT_EQ(statuses(frontsOf(study, points, study.objectives)[0]),
            "dominated certain");
}

TEST(Front, LeavesOutWhatDoesNotKeepTheConstraints) {
  Study study = laneStudy();
  study.constraints = {{"energy.low >= 2", "energy.low", ">=", 2},
                       {"energy <= 9", "energy", "<=", 9}};
  EXPECT_EQ(statuses(frontsOf(study, frontPoints(), study.objectives)[0]),
            "constraints not met certain possible possible");
}

TEST(Front, OfModelsWithOtherSamplesAreApart) {
  Study study = laneStudy();
  study.models.push_back({});
  study.models[1].name = "other";
  auto points = frontPoints();
  points[2].point.design.model = "other";
  EXPECT_EQ(frontsOf(study, points, study.objectives).size(), 1u);
  study.models[1].labels = "y.npy";
  const auto fronts = frontsOf(study, points, study.objectives);
  ASSERT_EQ(fronts.size(), 2u);
  EXPECT_EQ(statuses(fronts[1]), "certain"); // nothing else is compared
  EXPECT_NE(textOf(study, points, fronts).find("other: Pareto front"),
            std::string::npos);
}

TEST(Front, ComparesAtTheSamePrices) {
  // Bands overlap, but the second does all that the first does, and more.
  std::vector<StoredPoint> points = {
      lanePoint(1, "1", "time", {{"energy", {3, 14}}, {"cores", {4, 4}}}),
      lanePoint(2, "4", "time", {{"energy", {4, 24}}, {"cores", {4, 4}}}),
      lanePoint(3, "1", "energy", {{"energy", {4, 8}}, {"cores", {4, 4}}})};
  points[0].point.energyByEvent = {{"spikes", {1, 10}}, {"hops", {2, 4}}};
  points[1].point.energyByEvent = {{"spikes", {2, 20}}, {"hops", {2, 4}}};
  points[2].point.energyByEvent = {{"hops", {4, 8}}};
  Study study = laneStudy();
  study.objectives = {{"energy", false}, {"cores", false}};
  // Whether the third is better than the first says the price of a spike.
  auto fronts = frontsOf(study, points, study.objectives);
  EXPECT_EQ(statuses(fronts[0]), "possible dominated possible");
  EXPECT_EQ(fronts[0].points[1].by, 0u);
  EXPECT_EQ(textOf(study, points, fronts).find("P2"), std::string::npos);
  // With prices of their own nothing is known.
  study.axes[0].name = "costs.lower.spikes";
  for (StoredPoint &point : points)
    point.point.design.values[0].first = "costs.lower.spikes";
  fronts = frontsOf(study, points, study.objectives);
  EXPECT_EQ(statuses(fronts[0]), "possible possible possible");
}

TEST(Front, ComparesChipsOfTheSameUnitAreas) {
  std::vector<StoredPoint> points = {
      lanePoint(1, "1", "time", {{"area", {16, 18}}, {"cores", {4, 4}}}),
      lanePoint(2, "4", "time", {{"area", {16, 18}}, {"cores", {5, 5}}}),
      lanePoint(3, "1", "energy", {{"area", {17, 20}}, {"cores", {4, 4}}})};
  for (StoredPoint &point : points)
    point.point.areaByPart = {{"fixed", {7, 7}}, {"memory", {9, 11}}};
  points[2].point.areaByPart = {{"fixed", {7, 7}}, {"memory", {10, 13}}};
  Study study = laneStudy();
  study.objectives = {{"area", false}, {"cores", false}};
  EXPECT_EQ(statuses(frontsOf(study, points, study.objectives)[0]),
            "certain dominated dominated");
  // Designs that have unit areas of their own stay undecided.
  study.axes[0].name = "area.cell";
  for (StoredPoint &point : points)
    point.point.design.values[0].first = "area.cell";
  points[2].point.design.values[0].second = "2";
  EXPECT_EQ(statuses(frontsOf(study, points, study.objectives)[0]),
            "possible possible possible");
}

TEST(Front, CountsPointsOfTheSameValuesOnce) {
  std::vector<StoredPoint> points;
  for (uint64_t i = 1; i <= 3; ++i)
    points.push_back(lanePoint(i, "1", "time",
                               {{"energy", {1, 2}}, {"latency.mean", {3, 3}}}));
  for (StoredPoint &point : points)
    point.point.energyByEvent = {{"spikes", {1, 2}}};
  points[2].point.energyByEvent = {{"hops", {1, 2}}}; // another price
  const Study study = laneStudy();
  const auto fronts = frontsOf(study, points, study.objectives);
  EXPECT_EQ(fronts[0].points[0].alike, 1u);
  EXPECT_EQ(fronts[0].points[1].sameAs, 0u);
  EXPECT_FALSE(fronts[0].points[2].sameAs);
  const std::string text = textOf(study, points, fronts);
  EXPECT_NE(text.find("1 more"), text.npos);
  EXPECT_EQ(text.find("P2"), text.npos);
}
