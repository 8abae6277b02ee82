// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `dendrolith explore STUDY` says of the points of a study as text.

#include "runtime/driver/Explore.h"
#include "runtime/explore/analysis/Best.h"
#include "runtime/explore/analysis/Compare.h"
#include "runtime/explore/analysis/Front.h"
#include "runtime/explore/analysis/Sensitivity.h"
#include "runtime/explore/analysis/Table.h"
#include "runtime/explore/analysis/Tornado.h"
#include "runtime/explore/stages/Asked.h"
#include "runtime/explore/stages/Measure.h"
#include "runtime/explore/study/StudyParts.h"
#include "runtime/host/Files.h"
#include "simulator/report/Pricing.h"
#include "targets/loader/Target.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {
namespace {

using namespace explore;

struct ViewFlags {
  bool table = false;
  std::string pareto, tornado, sensitivity, csv;
  std::vector<std::string> best, diff;
};

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
    const Asked asked = askedBy(study, base.design);
    const Target chip = Target::load(
        withChanges(chipOf(study, asked.target),
                    {&asked.shape, &asked.times, &asked.prices, &asked.areas}));
    text += textOf(
        sensitivitiesOf(variationsOf(base.design, chip.timing(asked.timing),
                                     report::chooseCosts(asked.costs, chip),
                                     {0.5, 2}),
                        base, value,
                        [&](const Design &design) {
                          return measurer.measure(design).point;
                        }),
        base, value);
  }
  return text;
}

/// Each view that was asked for, one after the other.
void show(const Store &store, const ViewFlags &flags, bool pareto) {
  const Study &study = store.study();
  const std::vector<StoredPoint> points = store.points();
  std::vector<std::string> texts;
  if (flags.table)
    texts.push_back(tableOf(study, points));
  if (pareto)
    texts.push_back(
        textOf(study, points,
               frontsOf(study, points,
                        goalsFor(study, points, flags.pareto, "--pareto"))));
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
  for (size_t i = 0; i < texts.size(); ++i)
    std::printf("%s%s", i ? "\n" : "", texts[i].c_str());
}

} // namespace

ExploreView addViews(CLI::App &command) {
  auto flags = std::make_shared<ViewFlags>();
  command.add_flag("--table", flags->table, "All points, a row for each")
      ->group("Views");
  CLI::Option *pareto =
      command
          .add_option("--pareto", flags->pareto,
                      "The points that no other one beats in these values, "
                      "such as energy,latency,area: certainly or possibly, as "
                      "values are bands (without names: the study's "
                      "objectives)")
          ->expected(0, 1)
          ->group("Views");
  command
      .add_option("--tornado", flags->tornado,
                  "How far a value moves where one axis alone leaves the "
                  "baseline")
      ->group("Views");
  command
      .add_option("--sensitivity", flags->sensitivity,
                  "How far a value of the baseline moves where assumed, scaled "
                  "and inherited times and prices are halved and doubled: each "
                  "kind, and each number (this measures)")
      ->group("Views");
  command
      .add_option("--best", flags->best,
                  "The best point by a value: NAME 'energy.high < 5 uJ' ..., "
                  "with constraints beside the study's own")
      ->expected(1, 20)
      ->group("Views");
  command
      .add_option("--diff", flags->diff,
                  "Two points, P17 P42, beside each other: designs, values, "
                  "samples in pairs, energy by event and layer")
      ->expected(2)
      ->group("Views");
  command
      .add_option("--csv", flags->csv, "File for the points, a row for each")
      ->group("Views");
  return [flags, pareto](const Store &store) {
    const bool asked = flags->table || pareto->count() ||
                       !flags->tornado.empty() || !flags->sensitivity.empty() ||
                       !flags->best.empty() || !flags->diff.empty() ||
                       !flags->csv.empty();
    if (asked)
      show(store, *flags, pareto->count() > 0);
    return asked;
  };
}

} // namespace dendrolith::driver
