// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Table.h"

#include "StudyFixture.h"

#include <gtest/gtest.h>

using namespace dendrolith::explore;

namespace {

std::vector<StoredPoint> tablePoints() {
  std::vector<StoredPoint> points = {lanePoint(1, "1", "time",
                                               {{"latency.mean", {0.1, 0.1}},
                                                {"energy", {1, 2}},
                                                {"static", {3, 4}},
                                                {"area", {20, 30}},
                                                {"cores", {7, 7}}}),
                                     lanePoint(2, "4", "energy", {})};
  points[0].effort = Effort{
      1.25, 0, {{"quantise", true, 0}, {"map", true, 0}, {"price", false, 1}}};
  points[1].point.state = PointState::Unfit;
  points[1].point.reason = "L0 needs 5 cores, \"only\" 4 are there";
  return points;
}

} // namespace

TEST(Table, HasTheColumnsThatProgramsReadFirst) {
  EXPECT_EQ(csvOf(laneStudy(), tablePoints()),
            "id,state,reason,microcode.lanes,compile.map-for,score,accuracy,"
            "latency.mean,energy.low,energy.high,static.low,static.high,area,"
            "cores,wall_s,reused,area.low,area.high\n"
            "P1,done,,1,time,,,0.1,1,2,3,4,25,7,1.250,quantise map,20,30\n"
            "P2,unfit,\"L0 needs 5 cores, \"\"only\"\" 4 are there\",4,energy,"
            ",,,,,,,,,,all,,\n");
}

TEST(Table, HasWhatTheStudyAsksForBehindThem) {
  Study study = laneStudy();
  study.objectives = {
      {"latency.p99", false}, {"together", false}, {"energy.high", false}};
  study.constraints = {{"", "power.static", "<", 1}, {"", "accuracy", ">", 0}};
  const std::string csv = csvOf(study, {});
  EXPECT_NE(csv.find("reused,area.low,area.high,latency.p99,together.low,"
                     "together.high,power.static.low,power.static.high\n"),
            csv.npos)
      << csv;
}

TEST(Table, NamesModelTargetAndRepeatWhereThereAreSeveral) {
  Study study = laneStudy();
  study.models.resize(2);
  study.targets.push_back("loihi1");
  study.repeat = 2;
  const std::string csv = csvOf(study, tablePoints());
  EXPECT_NE(csv.find("reason,model,target,microcode.lanes,compile.map-for,"
                     "repeat,score"),
            csv.npos);
  EXPECT_NE(csv.find("P1,done,,net,loihi2,1,time,0,"), csv.npos);
}

TEST(Table, ForPeopleHasUnitsBandsAndReasons) {
  const std::string text = tableOf(laneStudy(), tablePoints());
  EXPECT_NE(text.find("energy (uJ)"), text.npos);
  EXPECT_NE(text.find("20 to 30"), text.npos);
  EXPECT_NE(text.find("only\" 4 are there"), text.npos);
  EXPECT_EQ(text.find("accuracy"), text.npos); // nobody has one
}
