// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/StudyPage.h"

#include "runtime/explore/page/FrontPicture.h"
#include "runtime/explore/page/ParallelPicture.h"
#include "runtime/explore/page/StudyHead.h"
#include "runtime/explore/page/StudyPoints.h"
#include "runtime/explore/page/TornadoPicture.h"
#include "simulator/report/html/Markup.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <optional>

namespace dendrolith::explore {
namespace {

namespace html = report::html;

std::string subtitleOf(const StudyView &view) {
  size_t done = 0;
  for (const StoredPoint &stored : view.points)
    done += stored.point.state == PointState::Done;
  return "Study of " + report::grouped(view.points.size()) + " points, " +
         report::grouped(done) + " done, " + view.study.engine + " engine";
}

bool isConstant(const StudyView &view, const Goal &goal) {
  std::optional<Band> first;
  for (const StoredPoint &stored : view.points)
    if (const auto value = valueOf(stored.point, goal.name)) {
      if (first && !(*first == *value))
        return false;
      first = value;
    }
  return true;
}

/// Why a picture is missing, or says little.
std::string notesOf(const StudyView &view) {
  std::vector<std::string> notes;
  const auto done = [](const StoredPoint &stored) {
    return stored.point.state == PointState::Done;
  };
  if (std::none_of(view.points.begin(), view.points.end(), done))
    notes.push_back("No point is done, so that there is nothing to draw; what "
                    "became of them stands under States");
  else if (view.study.objectives.empty())
    notes.push_back("The study names no objectives, so that no point is better "
                    "than another; explore --pareto NAME,NAME asks for some");
  else if (view.goals.size() < 2)
    notes.push_back("A trade-off needs two objectives with values, and there " +
                    std::string(view.goals.empty() ? "is none" : "is one"));
  else
    for (const Goal &goal : view.goals)
      if (view.points.size() > 1 && isConstant(view, goal))
        notes.push_back("All points have the same " + goal.name +
                        ", which decides nothing");
  std::string out;
  for (const std::string &note : notes)
    out += "<p class=\"note\">" + html::escape(note) + ".</p>\n";
  return out;
}

std::string frontsMarkup(const StudyView &view) {
  if (view.goals.size() < 2)
    return "";
  std::string pictures, tables;
  for (const Front &front : view.fronts) {
    if (front.points.empty())
      continue;
    if (view.fronts.size() > 1)
      pictures += "<h3>" + html::escape(front.task.name) + "</h3>\n";
    for (size_t up = 1; up < front.goals.size(); ++up)
      pictures += frontPicture(view, front, 0, up);
    tables += frontTable(view, front);
    if (front.unknown)
      tables += "<p class=\"note\">" + report::grouped(front.unknown) +
                " points have no value of an objective.</p>\n";
  }
  std::vector<std::string> names;
  for (const Goal &goal : view.goals)
    names.push_back(goal.name);
  return shownNote(view) + statusLegend() +
         html::figure("Each point with the bands within which its numbers lie. "
                      "Prices and areas that are not known are the same for "
                      "all points, and " +
                          html::escape(joinWords(names)) +
                          " decide together who is on the front. The stairs "
                          "are the front of the two values that are shown: at "
                          "the low ends of bands, and at the high ones.",
                      pictures, html::folded("Table of the front", tables),
                      "front");
}

std::string tornadosMarkup(const StudyView &view) {
  std::string out;
  for (const std::vector<Tornado> &ofGoal : view.tornados)
    for (const Tornado &tornado : ofGoal) {
      const std::string name =
          html::escape(tornado.value) +
          (tornado.model.empty() ? "" : ", " + html::escape(tornado.model));
      if (!tornado.baseline || !tornado.at) {
        out += "<p class=\"note\">" + name + ": " + html::escape(tornado.why) +
               "</p>\n";
        continue;
      }
      if (tornado.bars.empty())
        continue;
      out += html::figure(
          "<b>" + name + "</b>, baseline " +
              html::escape(idOf(view.points[*tornado.baseline])) + " with " +
              html::withUnits(bandText(*tornado.at, tornado.value)),
          tornadoPicture(tornado),
          html::folded("Table of " + tornado.value,
                       tornadoTable(view, tornado)));
    }
  if (out.empty())
    return "";
  return "<p class=\"note\">How far one axis alone moves a value. Dark as far "
         "as "
         "both ends of the bands move, light up to the end that moves further."
         "</p>\n<div class=\"beside\">" +
         out + "</div>\n";
}

} // namespace

html::Page studyPage(const Study &study,
                     const std::vector<StoredPoint> &points) {
  const StudyView view(study, points);
  html::Page page(study.name, subtitleOf(view));
  page.addHead(studyHeadline(view) + studyScope(view) + notesOf(view));
  const html::Page::Shape wide = html::Page::Shape::Wide;
  page.addSection("front", "Trade-off", frontsMarkup(view), wide);
  page.addSection("chosen", "Chosen points", chosenPoints(view), wide);
  page.addSection("tornado", "What matters", tornadosMarkup(view), wide);
  if (const std::string lines = parallelPicture(view); !lines.empty())
    page.addSection(
        "parallel", "All settings",
        html::figure("A line for each point; of a band, its middle.", lines, "",
                     "parallel"),
        wide);
  page.addSection("states", "States", statesOf(view), wide);
  page.addSection("points", "All points", pointTable(view), wide);
  page.data = studyData(view);
  page.addScript(kStudyJs);
  return page;
}

} // namespace dendrolith::explore
