// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Sensitivity.h"

#include "StudyFixture.h"

#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::explore;

namespace {

TimingSet someTimes() {
  TimingSet timing;
  timing.name = "scaled";
  timing.records = {{"visit", "100", "ps", Provenance::Scaled, "a"},
                    {"word", "0", "ps", Provenance::Assumed, "a"},
                    {"emit", "3", "ps", Provenance::Assumed, "a"},
                    {"hop", "50", "ps", Provenance::Measured, "a"},
                    {"buffer", "24", "flits", Provenance::Assumed, "a"}};
  return timing;
}

CostTable someTable(const std::string &name, double spike, Provenance kind) {
  CostTable table;
  table.name = name;
  table.prices = {
      {"spikes", {Price::Decision::Priced, spike, "", kind, {}, "a"}},
      {"hops", {}}};
  return table;
}

std::vector<Variation> someVariations() {
  return variationsOf(lanePoint(1, "1", "time", {}).point.design, someTimes(),
                      {someTable("lower", 2, Provenance::Scaled),
                       someTable("upper", 8, Provenance::Assumed)},
                      {0.5, 2});
}

std::string settings(const Variation &variation) {
  std::string text =
      variation.name + " x" + std::to_string(variation.factor)[0];
  for (size_t i = 2; i < variation.design.values.size(); ++i)
    text += " " + variation.design.values[i].first + "=" +
            variation.design.values[i].second;
  return text;
}

} // namespace

TEST(Sensitivity, ChangesKindsAndNumbersThatNobodyMeasured) {
  std::vector<std::string> texts;
  for (const Variation &variation : someVariations())
    if (variation.factor == 2)
      texts.push_back(settings(variation));
  EXPECT_EQ(texts,
            (std::vector<std::string>{
                "all assumed x2 timing.scaled.emit=6 costs.upper.spikes=16",
                "all scaled x2 timing.scaled.visit=200 costs.lower.spikes=4",
                "all of these x2 timing.scaled.visit=200 timing.scaled.emit=6 "
                "costs.lower.spikes=4 costs.upper.spikes=16",
                "timing.scaled.visit x2 timing.scaled.visit=200",
                "timing.scaled.emit x2 timing.scaled.emit=6",
                "costs.spikes x2 costs.lower.spikes=4 costs.upper.spikes=16"}));
  EXPECT_EQ(someVariations().back().usual, "2 to 8 pJ");
  EXPECT_EQ(someVariations().back().kind, "scaled, assumed");
}

TEST(Sensitivity, RoundsTimesAndReplacesWhatTheBaselineHas) {
  Design baseline = lanePoint(1, "1", "time", {}).point.design;
  baseline.values.emplace_back("timing.scaled.emit", "3");
  for (const Variation &variation :
       variationsOf(baseline, someTimes(), {}, {0.5}))
    if (variation.name == "timing.scaled.emit") {
      ASSERT_EQ(variation.design.values.size(), 3u);
      EXPECT_EQ(variation.design.values[2].second, "2"); // 1.5
    }
}

TEST(Sensitivity, SaysWhatMovesTheValueMost) {
  const Point base =
      lanePoint(1, "1", "time", {{"latency.mean", {10, 10}}}).point;
  const auto measure = [&](const Design &design) {
    Point point = base;
    for (const auto &[name, value] : design.values) {
      if (name == "timing.scaled.visit" && value == "200")
        point.values["latency.mean"] = {14, 14};
      if (name == "timing.scaled.emit" && value == "6")
        point.state = PointState::Invalid;
    }
    return point;
  };
  const auto found =
      sensitivitiesOf(someVariations(), base, "latency.mean", measure);
  const std::string text = textOf(found, base, "latency.mean");
  EXPECT_NE(text.find("latency.mean is 10 us where nothing is changed"),
            text.npos);
  EXPECT_NE(text.find("+40.0 %"), text.npos);
  // An energy moves no latency; what could not be measured is shown.
  EXPECT_NE(text.find("1 other numbers move it by less"), text.npos) << text;
  EXPECT_LT(text.find("timing.scaled.emit"), text.find("timing.scaled.visit"));
}
