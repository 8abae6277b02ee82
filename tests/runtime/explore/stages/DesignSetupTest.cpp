// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/stages/DesignSetup.cpp: what the value of an axis is
// about.

#include "runtime/explore/stages/DesignSetup.h"

#include <gtest/gtest.h>

namespace dendrolith::explore {
namespace {

TEST(Setup, NamesSayWhatAValueChanges) {
  EXPECT_EQ(aboutOf("timing"), About::TimingName);
  EXPECT_EQ(aboutOf("timing.scaled.noc.local.buffer"), About::Times);
  EXPECT_EQ(aboutOf("clock"), About::Times);
  EXPECT_EQ(aboutOf("voltage.supply"), About::Times);
  EXPECT_EQ(aboutOf("costs"), About::CostsName);
  EXPECT_EQ(aboutOf("costs.lower.hops_ew"), About::Prices);
  EXPECT_EQ(aboutOf("area.cell"), About::Areas);
  EXPECT_EQ(aboutOf("leakage.bit"), About::Areas);
  EXPECT_EQ(aboutOf("microcode.lanes"), About::Shape);
  EXPECT_EQ(aboutOf("compile.map-for"), About::Flag);
  EXPECT_EQ(aboutOf("quantise.L1.weight_bits"), About::Bits);
  EXPECT_EQ(aboutOf("no.such"), About::Shape); // changes all, to be safe
}

TEST(Setup, TimesAndPricesOfTheBaselineAndAllElseOfTheDesign) {
  Study study;
  study.models = {StudyModel()};
  study.models[0].name = "m";
  study.axes = {{"clock", {"500", "1000"}, ""},
                {"mesh.tiles_x", {"1", "2"}, ""},
                {"costs", {"a", "b"}, ""}};
  study.baseline = {{"costs", "b"}};
  const Design design{
      "m",
      "tiny",
      {{"clock", "1000"}, {"mesh.tiles_x", "2"}, {"costs", "a"}},
      0};
  const DesignSetup setup = baselineSetup(study, design);
  EXPECT_EQ(setup.times, (Changes{{"clock", "500"}}));
  EXPECT_EQ(setup.costs, "b");
  EXPECT_EQ(setup.shape, (Changes{{"mesh.tiles_x", "2"}}));
  EXPECT_EQ(withChanges("tiny", {&setup.shape, &setup.times}),
            "tiny,mesh.tiles_x=2,clock=500");
}

} // namespace
} // namespace dendrolith::explore
