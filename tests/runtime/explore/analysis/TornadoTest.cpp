// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Tornado.h"

#include "StudyFixture.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

namespace {

std::vector<StoredPoint> tornadoPoints() {
  return {lanePoint(1, "1", "time", {{"energy", {1, 10}}}),
          lanePoint(2, "4", "time", {{"energy", {2, 10}}}),
          lanePoint(3, "1", "energy", {{"energy", {1.1, 9}}}),
          lanePoint(4, "4", "energy", {{"energy", {9, 99}}})};
}

} // namespace

TEST(Tornado, MovesOneAxisAtATimeTheFurthestFirst) {
  const auto tornados = tornadosOf(laneStudy(), tornadoPoints(), "energy");
  ASSERT_EQ(tornados.size(), 1u);
  const Tornado &tornado = tornados[0];
  EXPECT_EQ(tornado.baseline, 0u); // the first value of each axis
  ASSERT_EQ(tornado.bars.size(), 2u);
  EXPECT_EQ(tornado.bars[0].axis, "microcode.lanes");
  ASSERT_EQ(tornado.bars[0].steps.size(), 1u); // P4 differs in two
  EXPECT_EQ(tornado.bars[0].steps[0].at, 1u);
  EXPECT_DOUBLE_EQ(tornado.bars[0].reach, 1);
  EXPECT_DOUBLE_EQ(tornado.bars[1].steps[0].move->high, -0.1);
  const std::string text = textOf(tornadoPoints(), tornados);
  EXPECT_NE(text.find("energy around P1, which has 1 to 10 uJ"), text.npos);
  EXPECT_NE(text.find("+10.0 to -10.0 %"), text.npos);
}

TEST(Tornado, StandsAroundTheStudysBaseline) {
  Study study = laneStudy();
  study.baseline = {{"microcode.lanes", "4"}};
  const auto tornados = tornadosOf(study, tornadoPoints(), "energy");
  EXPECT_EQ(tornados[0].baseline, 1u);
  EXPECT_EQ(tornados[0].bars[0].axis, "compile.map-for");
}

TEST(Tornado, MovesAxesThatGoTogetherAsOne) {
  Study study = laneStudy();
  study.together = {{"microcode.lanes", "compile.map-for"}};
  const auto tornados = tornadosOf(study, tornadoPoints(), "energy");
  ASSERT_EQ(tornados[0].bars.size(), 1u);
  EXPECT_EQ(tornados[0].bars[0].axis, "microcode.lanes + compile.map-for");
  EXPECT_EQ(tornados[0].bars[0].steps[2].setting, "4, energy");
}

TEST(Tornado, SaysWhatIsMissing) {
  auto points = tornadoPoints();
  points[1].point.state = PointState::Unfit;
  auto tornados = tornadosOf(laneStudy(), points, "energy");
  EXPECT_FALSE(tornados[0].bars[1].steps[0].value);
  EXPECT_NE(textOf(points, tornados).find("unfit"), std::string::npos);
  const std::vector<StoredPoint> one(points.begin(), points.begin() + 1);
  EXPECT_NE(textOf(one, tornadosOf(laneStudy(), one, "energy"))
                .find("; no other point leaves it on one axis alone\n"),
            std::string::npos);
  points[0].point.state = PointState::Failed;
  points[0].point.reason = "signal 9";
  tornados = tornadosOf(laneStudy(), points, "energy");
  EXPECT_EQ(textOf(points, tornados),
            "P1, the baseline, has no energy: failed, signal 9\n");
  points.erase(points.begin());
  EXPECT_EQ(textOf(points, tornadosOf(laneStudy(), points, "energy")),
            "no point has the study's baseline\n");
}

TEST(Tornado, OfSeveralModelsIsOneForEach) {
  Study study = laneStudy();
  study.models.resize(2);
  auto points = tornadoPoints();
  points[2].point.design.model = points[3].point.design.model = "other";
  const auto tornados = tornadosOf(study, points, "energy");
  ASSERT_EQ(tornados.size(), 2u);
  EXPECT_EQ(tornados[0].model, "net");
  EXPECT_FALSE(tornados[1].baseline);
}
