// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/ExploreViews.h"

#include "runtime/driver/OutputFiles.h"
#include "runtime/explore/analysis/Best.h"
#include "runtime/explore/analysis/Compare.h"
#include "runtime/explore/analysis/CompareText.h"
#include "runtime/explore/analysis/Front.h"
#include "runtime/explore/analysis/Sensitivity.h"
#include "runtime/explore/analysis/Table.h"
#include "runtime/explore/analysis/Tornado.h"
#include "runtime/explore/page/StudyPage.h"
#include "runtime/explore/stages/DesignSetup.h"
#include "runtime/explore/stages/Measure.h"
#include "runtime/explore/study/ReadGoals.h"
#include "runtime/host/Files.h"
#include "simulator/report/result/Pricing.h"
#include "targets/loader/Target.h"

#include <cstdio>

namespace dendrolith::driver {
namespace {

using namespace explore;

/// A constraint of the command line; its place in errors is the flag.
Constraint constraintOf(const std::string &text) {
  yaml::Node place;
  place.file = std::make_shared<std::string>("--best");
  return readConstraint(text, place);
}

std::string bestText(const Study &study, const std::vector<StoredPoint> &points,
                     const std::vector<std::string> &asked) {
  std::vector<Constraint> constraints;
  for (size_t i = 1; i < asked.size(); ++i)
    constraints.push_back(constraintOf(asked[i]));
  const Goal goal = goalFor(study, valueNamed(points, asked[0], "--best"));
  return textOf(study, points, bestOf(study, points, goal, constraints));
}

std::string diffText(const Study &study, const std::vector<StoredPoint> &points,
                     const std::vector<std::string> &ids) {
  const StoredPoint &a = pointNamed(points, ids[0], "--diff"),
                    &b = pointNamed(points, ids[1], "--diff");
  return textOf(a, b, compare(study, a, b));
}

/// Measures the neighbours of each baseline, for which the program is there.
std::string sensitivityText(const Store &store,
                            const std::vector<StoredPoint> &points,
                            const std::string &value) {
  const Study &study = store.study();
  Measurer measurer(study, store.folder() + "/stages");
  std::string text;
  for (const Tornado &tornado : tornadosOf(study, points, value)) {
    text += (text.empty() ? "" : "\n") +
            (tornado.model.empty() ? "" : tornado.model + ": ");
    if (!tornado.at) {
      text += tornado.why + "\n";
      continue;
    }
    const Point &base = points[*tornado.baseline].point;
    const DesignSetup setup = setupOf(study, base.design);
    const Target chip = Target::load(
        withChanges(chipOf(study, setup.target),
                    {&setup.shape, &setup.times, &setup.prices, &setup.areas}));
    text += textOf(
        sensitivitiesOf(variationsOf(base.design, chip.timing(setup.timing),
                                     report::chooseCosts(setup.costs, chip),
                                     {0.5, 2}),
                        base, value,
                        [&](const Design &design) {
                          return measurer.measure(design).point;
                        }),
        base, value);
  }
  return text;
}

std::vector<std::string> textsOf(const Store &store, const ViewFlags &flags) {
  const Study &study = store.study();
  const std::vector<StoredPoint> points = store.points();
  std::vector<std::string> texts;
  if (flags.table)
    texts.push_back(tableOf(study, points));
  if (flags.pareto)
    texts.push_back(textOf(
        study, points,
        frontsOf(study, points,
                 goalsFor(study, points, flags.paretoValues, "--pareto"))));
  if (!flags.tornado.empty())
    texts.push_back(textOf(
        points, tornadosOf(study, points,
                           valueNamed(points, flags.tornado, "--tornado"))));
  if (!flags.sensitivity.empty())
    texts.push_back(sensitivityText(
        store, points, valueNamed(points, flags.sensitivity, "--sensitivity")));
  if (!flags.best.empty())
    texts.push_back(bestText(study, points, flags.best));
  if (!flags.diff.empty())
    texts.push_back(diffText(study, points, flags.diff));
  if (!flags.csv.empty()) {
    writeAside(flags.csv, csvOf(study, points));
    texts.push_back("wrote " + flags.csv + "\n");
  }
  return texts;
}

} // namespace

void bindViews(options::CommandOptions &options, ViewFlags &flags) {
  options.bind("table", flags.table);
  options.bindTo("pareto",
                 [&flags](const options::CommandOptions::Values &values) {
                   flags.pareto = true;
                   flags.paretoValues = values.empty() ? "" : values.back();
                 });
  options.bind("tornado", flags.tornado);
  options.bind("sensitivity", flags.sensitivity);
  options.bind("best", flags.best);
  options.bind("diff", flags.diff);
  options.bind("csv", flags.csv);
  options.bind("html", flags.html);
}

void showViews(const Store &store, const ViewFlags &flags) {
  const std::vector<std::string> texts = textsOf(store, flags);
  for (size_t i = 0; i < texts.size(); ++i)
    std::printf("%s%s", i ? "\n" : "", texts[i].c_str());
  if (flags.html.empty())
    return;
  PageFile file(flags.html);
  const std::string said = file.write(studyPage(store.study(), store.points()));
  std::fputs(said.c_str(), stdout);
}

} // namespace dendrolith::driver
