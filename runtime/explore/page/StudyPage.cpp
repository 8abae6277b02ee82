// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/StudyPage.h"

#include "runtime/explore/page/Assets.h"
#include "runtime/explore/page/FrontPicture.h"
#include "runtime/explore/page/ParallelPicture.h"
#include "runtime/explore/page/StudyHead.h"
#include "runtime/explore/page/StudyPoints.h"
#include "runtime/explore/page/TornadoPicture.h"
#include "simulator/report/html/Markup.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Text.h"

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
  return statusLegend() +
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
              html::escape(bandText(*tornado.at, tornado.value)),
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
  page.addHead(studyHeadline(view) + studyScope(view));
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
