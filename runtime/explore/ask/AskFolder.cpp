// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/ask/AskFolder.h"

#include "runtime/explore/analysis/Table.h"
#include "runtime/explore/study/Designs.h"
#include "runtime/explore/study/PointsFile.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

namespace dendrolith::explore {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// How long nothing is looked for; a point takes longer.
constexpr auto kPause = std::chrono::milliseconds(50);

std::string pathOf(const Study &study, const std::string &name) {
  return study.strategy.path + "/" + name;
}
std::string askOf(const Study &study, uint64_t number) {
  return pathOf(study, fmt::format("ask-{}.csv", number));
}
std::string answerOf(const Study &study, uint64_t number) {
  return pathOf(study, fmt::format("answer-{}.csv", number));
}

bool isThere(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Json aboutStudy(const Study &study) {
  Json axes = Json::object(), objectives = Json::object(),
       constraints = Json::array();
  for (const Axis &axis : study.axes)
    axes[axis.name] = axis.values;
  for (const Goal &goal : study.objectives)
    objectives[goal.name] = goal.max ? "max" : "min";
  for (const Constraint &constraint : study.constraints)
    constraints.push_back({{"name", constraint.name},
                           {"comparison", constraint.comparison},
                           {"bound", constraint.bound}});
  return {{"name", study.name},
          {"axes", axes},
          {"objectives", objectives},
          {"constraints", constraints},
          {"seed", study.seed}};
}

/// Why nothing more is asked; "" where more may be.
std::string spent(const Study &study, uint64_t points,
                  Clock::time_point since) {
  if (study.mostPoints && points >= study.mostPoints)
    return fmt::format("the budget of {} points is used up", study.mostPoints);
  if (study.mostSeconds &&
      Clock::now() - since >= std::chrono::seconds(study.mostSeconds))
    return fmt::format("the budget of {} s is used up", study.mostSeconds);
  return "";
}

/// The points of an ask, whose numbers go on from those of the asks before.
void answer(const Study &study, uint64_t number,
            std::vector<StoredPoint> points, size_t before, size_t asked) {
  if (points.size() != asked)
    throw Error(fmt::format("{}: {} of {} points have no result",
                            askOf(study, number), asked - points.size(),
                            asked));
  for (StoredPoint &point : points)
    point.number += before;
  writeAside(answerOf(study, number), csvOf(study, points));
}

} // namespace

void openAskFolder(const Study &study) {
  makeFolder(study.strategy.path);
  writeAside(pathOf(study, "study.json"), aboutStudy(study).dump(1) + "\n");
}

std::vector<Design> readAsk(const Study &study, uint64_t number) {
  const std::string path = askOf(study, number);
  Study asked = study; // its designs, and no others
  asked.axes.clear();
  asked.together.clear();
  asked.strategy = {Strategy::Method::File, 0, path, {}};
  asked.mostPoints = 0;
  readPointsFile(path, asked);
  for (const Axis &axis : study.axes)
    if (std::none_of(asked.axes.begin(), asked.axes.end(),
                     [&](const Axis &each) { return each.name == axis.name; }))
      throw Error(path +
                  ":1:1: expected a column for each axis of the study, "
                  "found none for '" +
                  axis.name + "'");
  for (const Axis &axis : asked.axes)
    if (std::none_of(study.axes.begin(), study.axes.end(),
                     [&](const Axis &each) { return each.name == axis.name; }))
      throw Error(axis.place + ": the study has no axis '" + axis.name + "'");
  const Designs listed(asked);
  std::vector<Design> designs;
  for (uint64_t i = 0; i < listed.size(); ++i) {
    Design design = listed.at(i);
    // A design is the same whatever the order of the columns.
    const auto given = std::move(design.values);
    design.values.clear();
    for (const Axis &axis : study.axes)
      design.values.push_back(
          *std::find_if(given.begin(), given.end(), [&](const auto &value) {
            return value.first == axis.name;
          }));
    designs.push_back(std::move(design));
  }
  return designs;
}

std::vector<Design> answeredDesigns(const Study &study) {
  std::vector<Design> all;
  for (uint64_t number = 1; isThere(answerOf(study, number)); ++number)
    for (Design &design : readAsk(study, number))
      all.push_back(std::move(design));
  return all;
}

uint64_t serveAsks(const Study &study, const AskServer &server) {
  openAskFolder(study);
  const Clock::time_point since = Clock::now();
  std::vector<Design> all;
  const auto end = [&](const std::string &why) {
    if (!isThere(pathOf(study, "end")))
      writeAside(pathOf(study, "end"), why + "\n");
  };
  for (uint64_t number = 1;
       !isThere(pathOf(study, "end")) && !server.stopped();) {
    const bool answered = isThere(answerOf(study, number));
    const std::string why = answered ? "" : spent(study, all.size(), since);
    if (!why.empty()) {
      end(why);
      break;
    }
    if (!isThere(askOf(study, number))) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    std::vector<Design> asked;
    try {
      asked = readAsk(study, number);
    } catch (const Error &error) {
      end(error.what());
      throw;
    }
    all.insert(all.end(), asked.begin(), asked.end());
    if (!answered) {
      const size_t before = all.size() - asked.size();
      if (!server.measure(all, before))
        break;
      answer(study, number, server.points(asked), before, asked.size());
      server.say(fmt::format("answered ask {}: {} points, {} in all", number,
                             asked.size(), all.size()));
    }
    ++number;
  }
  return all.size();
}

} // namespace dendrolith::explore
