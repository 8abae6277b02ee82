// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of a study and its pictures (runtime/explore/page/FrontPicture.cpp,
// runtime/explore/page/TornadoPicture.cpp,
// runtime/explore/page/StudyPoints.cpp) on points made by a formula.
// study_page_test.py opens it in a browser.

#include "runtime/explore/page/StudyPage.h"

#include "runtime/explore/page/FrontPicture.h"
#include "runtime/explore/page/ParallelPicture.h"
#include "runtime/explore/page/StudyHead.h"
#include "runtime/explore/page/StudyPoints.h"
#include "runtime/explore/page/TornadoPicture.h"
#include "runtime/host/Files.h"
#include "tests/runtime/explore/page/ManyPoints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace dendrolith::explore {
namespace {

using Json = nlohmann::ordered_json;

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

size_t times(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

class StudyPage : public testing::Test {
protected:
  Study study = memoryStudy();
  std::vector<StoredPoint> points = memoryPoints(study);
  StudyView view{study, points};
};

TEST_F(StudyPage, ChoosesBaselineAndBest) {
  ASSERT_EQ(view.fronts.size(), 1u);
  ASSERT_TRUE(view.baseline);
  EXPECT_EQ(idOf(points[*view.baseline]), "P1") << "its axes' first values";
  EXPECT_EQ(view.chosen.front(), *view.baseline);
  EXPECT_EQ(view.statuses[12], std::nullopt) << "P13 does not fit";
  EXPECT_EQ(view.statuses[0], FrontStatus::Unmet) << ".88 of .9";
  EXPECT_EQ(labelOf(view, 0), "P1: microcode.lanes = 1, "
                              "limits.core_memory_bytes = 32768, "
                              "compile.map-for = time");
}

TEST_F(StudyPage, FrontHasAMarkForEachPoint) {
  const std::string picture = frontPicture(view, view.fronts[0], 0, 1);
  EXPECT_EQ(times(picture, "<title>"), 16u)
      << "18 points, of which 2 do not fit";
  EXPECT_EQ(times(picture, "class=\"m unmet\""), 2u);
  EXPECT_EQ(times(picture, "class=\"bandline\""), 16u)
      << "energies are bands, latencies are none";
  EXPECT_TRUE(has(picture, "energy 1.3 to 1.56 &micro;J")) << picture.substr(0, 2000);
  const std::string table = frontTable(view, view.fronts[0]);
  size_t onFront = 0;
  for (const FrontPoint &point : view.fronts[0].points)
    onFront += point.status <= FrontStatus::Possible;
  EXPECT_EQ(times(table, "<tr>"), onFront + 1) << "and the heading";
}

TEST_F(StudyPage, TornadoIsAsFarAsTheTableSays) {
  const Tornado &tornado = view.tornados[0].front();
  ASSERT_TRUE(tornado.baseline);
  const std::string picture = tornadoPicture(tornado);
  EXPECT_LT(picture.find("microcode.lanes</text>"),
            picture.find("compile.map-for</text>"))
      << "the furthest first";
  // 26 us with one lane, 7.25 us with sixteen.
  EXPECT_TRUE(has(tornadoTable(view, tornado), "data-v=\"-0."));
}

TEST_F(StudyPage, ParallelAxesHaveNumbersInOrder) {
  EXPECT_EQ(settingsOf(view, "microcode.lanes"),
            (std::vector<std::string>{"1", "4", "16"}));
  std::reverse(points.begin(), points.end());
  const StudyView turned(study, points);
  EXPECT_EQ(settingsOf(turned, "microcode.lanes"),
            (std::vector<std::string>{"1", "4", "16"}));
  EXPECT_EQ(settingsOf(turned, "compile.map-for").front(), "energy")
      << "words stay as they come";
  EXPECT_EQ(times(parallelPicture(view), "<path class=\"line"), 16u);
}

TEST_F(StudyPage, DataAreThePoints) {
  const Json data = studyData(view);
  ASSERT_EQ(data["points"].size(), points.size());
  for (size_t p = 0; p < points.size(); ++p) {
    const Json &row = data["points"][p];
    EXPECT_EQ(row["id"], idOf(points[p]));
    for (const auto &[name, band] : points[p].point.values)
      EXPECT_EQ(row["values"][name].dump(), Json({band.low, band.high}).dump());
  }
  EXPECT_EQ(data["points"][12]["state"], "unfit");
  EXPECT_EQ(data["points"][0]["standing"], "unmet");
  EXPECT_EQ(data["points"][0]["events"].size(), 2u);
}

TEST_F(StudyPage, OfVeryManyPointsHasAPart) {
  std::vector<StoredPoint> many;
  while (many.size() < 20000)
    for (StoredPoint stored : points) {
      stored.number = many.size() + 1;
      if (stored.point.state == PointState::Done)
        stored.point.values["latency.mean"].low =
            stored.point.values["latency.mean"].high += double(many.size());
      many.push_back(std::move(stored));
    }
  const StudyView all(study, many);
  const Json data = studyData(all);
  EXPECT_EQ(data["points"].size(), 4000u);
  EXPECT_EQ(data["all"], many.size());
  ASSERT_EQ(data["chosen"].size(), all.chosen.size());
  for (size_t c = 0; c < all.chosen.size(); ++c)
    EXPECT_EQ(data["points"][data["chosen"][c].get<size_t>()]["id"],
              idOf(many[all.chosen[c]]));
  size_t onFront = 0, shown = 0;
  for (const auto &status : all.statuses)
    onFront += status && *status <= FrontStatus::Possible;
  for (const Json &point : data["points"])
    shown += point["standing"] == "certain" || point["standing"] == "possible";
  EXPECT_EQ(shown, onFront);
  const std::string text = studyPage(study, many).text(std::nullopt);
  EXPECT_TRUE(has(text, "show 4,000 of 20,016 points"));
  EXPECT_LT(text.size(), size_t(8) << 20);
  EXPECT_FALSE(
      has(studyPage(study, points).text(std::nullopt), "The pictures"));
}

TEST_F(StudyPage, SaysWhyPointsAreNotDone) {
  const std::string states = statesOf(view);
  EXPECT_TRUE(has(states, "16 points"));
  EXPECT_TRUE(has(states, "41200 of 32768 bytes &lt;/script&gt;"));
}

// The browser test opens this file.
TEST_F(StudyPage, IsTheSameWhoeverMeasured) {
  const auto library = report::html::findLibrary();
  const std::string text = studyPage(study, points).text(library);
  EXPECT_FALSE(has(text, "</script><b>")) << "names are text";
  EXPECT_TRUE(has(text, "<h1>memory &amp; lanes</h1>"));
  if (const char *path = std::getenv("DENDROLITH_STUDY_PAGE"))
    writeAside(path, text);
  for (StoredPoint &stored : points)
    stored.effort = Effort{99, 5, {{"map", true, 0}}};
  EXPECT_EQ(studyPage(study, points).text(library), text);
}

TEST_F(StudyPage, SaysWhichObjectiveNoPointHas) {
  EXPECT_FALSE(has(studyScope(view), "Not known"));
  study.objectives.push_back({"power.static", false});
  EXPECT_TRUE(has(studyScope(StudyView(study, points)),
                  "<dt>Not known</dt><dd>power.static of any point</dd>"));
}

TEST_F(StudyPage, OfAStudyThatHasJustBegun) {
  EXPECT_TRUE(has(studyPage(study, {}).text(std::nullopt), "of 0"));
  points.resize(13);
  points.erase(points.begin(), points.end() - 1);
  const std::string text = studyPage(study, points).text(std::nullopt);
  EXPECT_TRUE(has(text, "1 unfit"));
  EXPECT_FALSE(has(text, "id=\"front\""));
  EXPECT_TRUE(has(text, "No point is done"));
}

TEST_F(StudyPage, SaysWhyAPictureIsMissing) {
  const auto page = [&] { return studyPage(study, points).text(std::nullopt); };
  EXPECT_FALSE(has(page(), "All points have the same"));
  for (StoredPoint &stored : points)
    if (stored.point.state == PointState::Done)
      stored.point.values["energy"] = {2, 3};
  EXPECT_TRUE(has(page(), "All points have the same energy, which decides"));
  study.objectives.pop_back();
  EXPECT_TRUE(has(page(), "A trade-off needs two objectives with values, and "
                          "there is one"));
  study.objectives.clear();
  EXPECT_TRUE(has(page(), "The study names no objectives"));
  points.resize(1);
  EXPECT_TRUE(has(page(), "of 1"));
}

} // namespace
} // namespace dendrolith::explore
