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
#include "runtime/explore/analysis/ViewsJson.h"
#include "runtime/explore/page/StudyPage.h"
#include "runtime/explore/stages/DesignSetup.h"
#include "runtime/explore/stages/Measure.h"
#include "runtime/explore/study/ReadGoals.h"
#include "runtime/host/Files.h"
#include "simulator/report/result/Pricing.h"
#include "targets/loader/Target.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <functional>
#include <utility>

namespace dendrolith::driver {
namespace {

using namespace explore;
using Json = nlohmann::ordered_json;

/// A constraint of the command line; its place in errors is the flag.
Constraint constraintOf(const std::string &text) {
  yaml::Node place;
  place.file = std::make_shared<std::string>("--best");
  return readConstraint(text, place);
}

std::vector<Best> bestFor(const Study &study,
                          const std::vector<StoredPoint> &points,
                          const std::vector<std::string> &asked) {
  std::vector<Constraint> constraints;
  for (size_t i = 1; i < asked.size(); ++i)
    constraints.push_back(constraintOf(asked[i]));
  const Goal goal = goalFor(study, valueNamed(points, asked[0], "--best"));
  return bestOf(study, points, goal, constraints);
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

/// A view in both forms, of which one is printed.
struct View {
  const char *name;
  std::function<std::string()> text;
  std::function<Json()> json;
};

std::vector<View> viewsOf(const Store &store,
                          const std::vector<StoredPoint> &points,
                          const ViewFlags &flags) {
  const Study &study = store.study();
  std::vector<View> views;
  if (flags.table)
    views.push_back({"points", [&] { return tableOf(study, points); },
                     [&] { return pointsJson(study, points); }});
  if (flags.pareto) {
    const auto fronts = [&] {
      return frontsOf(study, points,
                      goalsFor(study, points, flags.paretoValues, "--pareto"));
    };
    views.push_back(
        {"pareto",
         [=, &study, &points] { return textOf(study, points, fronts()); },
         [=, &points] { return frontsJson(points, fronts()); }});
  }
  if (!flags.tornado.empty()) {
    const auto tornados = [&] {
      return tornadosOf(study, points,
                        valueNamed(points, flags.tornado, "--tornado"));
    };
    views.push_back(
        {"tornado", [=, &points] { return textOf(points, tornados()); },
         [=, &points] { return tornadosJson(points, tornados()); }});
  }
  if (!flags.sensitivity.empty())
    views.push_back({"sensitivity",
                     [&] {
                       return sensitivityText(store, points,
                                              valueNamed(points,
                                                         flags.sensitivity,
                                                         "--sensitivity"));
                     },
                     nullptr});
  if (!flags.best.empty()) {
    const auto best = [&] { return bestFor(study, points, flags.best); };
    views.push_back(
        {"best", [=, &study, &points] { return textOf(study, points, best()); },
         [=, &points] { return bestJson(points, best()); }});
  }
  if (!flags.diff.empty()) {
    const StoredPoint &a = pointNamed(points, flags.diff[0], "--diff"),
                      &b = pointNamed(points, flags.diff[1], "--diff");
    views.push_back(
        {"diff", [&] { return textOf(a, b, compare(study, a, b)); },
         [&] { return comparisonJson(a, b, compare(study, a, b)); }});
  }
  return views;
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
  options.bind("html", flags.html);
  options.bind("format", flags.format);
}

uint64_t designsLeft(const Store &store,
                     const std::vector<StoredPoint> &points) {
  // What an outside optimiser will ask for is not known.
  const bool listed = store.study().strategy.method != Strategy::Method::Ask;
  return listed ? store.designs().size() - points.size() : 0;
}

void showViews(const Store &store, const ViewFlags &flags) {
  const bool json = flags.format == "json", csv = flags.format == "csv";
  const std::vector<StoredPoint> points = store.points(/*withEffort=*/csv);
  if (csv)
    std::fputs(csvOf(store.study(), points).c_str(), stdout);
  Json all = {{"study", store.study().name},
              {"status", statusJson(points, designsLeft(store, points))}};
  const char *separator = "";
  for (const View &view : viewsOf(store, points, flags)) {
    if (csv && view.name == std::string("points"))
      continue;
    if (csv || (json && !view.json))
      throw Error(fmt::format("--{} is no {}; leave --format {} out", view.name,
                              csv ? "table" : "JSON", flags.format));
    if (json)
      all[view.name] = view.json();
    else
      std::printf("%s%s", std::exchange(separator, "\n"), view.text().c_str());
  }
  if (!flags.html.empty()) {
    PageFile file(flags.html);
    const std::string said = file.write(studyPage(store.study(), points));
    if (json)
      all["html"] = flags.html;
    else if (!csv)
      std::fputs(said.c_str(), stdout);
  }
  if (json)
    std::puts(all.dump(2).c_str());
}

} // namespace dendrolith::driver
