// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Runs.h"

#include "runtime/explore/stages/StageFolder.h"
#include "runtime/session/Score.h"
#include "runtime/session/Stopwatch.h"
#include "simulator/FunctionalProgram.h"
#include "simulator/report/result/Utilisation.h"
#include "simulator/timing/workers/Transfer.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace dendrolith::explore {

std::optional<TaskScore> scoreTask(const StudyModel &model,
                                   const image::Program &program,
                                   const session::Recording &recording) {
  if (model.labels.empty())
    return std::nullopt;
  if (recording.outputs.empty())
    throw Error("model '" + model.name +
                "': labels judge the answers of an output, of which the "
                "network has none");
  const session::Metric metric =
      session::chooseMetric(model.metric, program.outputs(0).decode());
  const session::Answers answers = session::answers(recording, metric.decode);
  const std::vector<double> labels =
      session::loadLabels(model.labels, metric, answers, "",
                          /*first=*/model.samples > 0);
  TaskScore score{metric.name, session::score(metric, answers, labels), {}};
  if (metric.name == "accuracy" && !answers.ticks) {
    const std::vector<int64_t> classes = answers.classes();
    for (size_t i = 0; i < labels.size(); ++i)
      score.right.push_back(double(classes[i]) == labels[i]);
  }
  return score;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kRecentValues = 4, kRecentTimes = 64;

template <typename Kept>
std::shared_ptr<const Kept>
recall(std::vector<std::pair<std::string, std::shared_ptr<const Kept>>> &recent,
       const std::string &key) {
  auto found =
      std::find_if(recent.begin(), recent.end(),
                   [&](const auto &each) { return each.first == key; });
  if (found == recent.end())
    return nullptr;
  std::rotate(recent.begin(), found, found + 1);
  return recent.front().second;
}

template <typename Kept>
void remember(
    std::vector<std::pair<std::string, std::shared_ptr<const Kept>>> &recent,
    const std::string &key, std::shared_ptr<const Kept> kept, size_t most) {
  recent.insert(recent.begin(), {key, std::move(kept)});
  if (recent.size() > most)
    recent.pop_back();
}

std::shared_ptr<const Times> timesOf(const sim::RunResult &run) {
  auto times = std::make_shared<Times>();
  times->runPs = sim::systemPs(run);
  times->samplePs = run.sampleLatencyPs;
  const auto closers = report::closersOf(run.stepTimes);
  times->closedBy.assign(closers.begin(), closers.end());
  std::stable_sort(
      times->closedBy.begin(), times->closedBy.end(),
      [](const auto &a, const auto &b) { return a.second > b.second; });
  return times;
}

std::string timesText(const Times &times) {
  return Json({{"run_ps", times.runPs},
               {"sample_ps", times.samplePs},
               {"closed_by", times.closedBy}})
      .dump();
}

/// The number of bytes of the record stands before both.
std::string bytesOf(const sim::RunResult &run, const std::string &record) {
  return std::to_string(record.size()) + "\n" + record + sim::toBytes(run);
}

/// Takes what bytesOf() made apart.
sim::RunResult takeApart(const std::string &bytes, std::string &record) {
  const size_t line = bytes.find('\n');
  const size_t size = std::stoull(bytes.substr(0, line));
  record = bytes.substr(line + 1, size);
  return sim::fromBytes(bytes.substr(line + 1 + size));
}

std::shared_ptr<const Values> valuesOf(sim::RunResult run, std::string record,
                                       const StudyModel &model,
                                       const Mapped &mapped) {
  auto values = std::make_shared<Values>();
  const session::Recording recording = session::recordingOf(std::move(run));
  values->run = std::move(run);
  values->score = scoreTask(model, mapped.program, recording);
  values->record = std::move(record);
  return values;
}

} // namespace

/// Values and counts read nothing of the chip's shape but the mesh: everything
/// else is in the program. Times are those of the whole chip.
Runs::Keys Runs::keysOf(const DesignSetup &setup, const Mapped &mapped) {
  const Target &chip = chips.chip(setup.target, {&setup.shape, &setup.times});
  const StudyModel &model = *setup.model;
  Json mesh = Json::array();
  for (const Record &record : chip.records)
    if (record.name.compare(0, 5, "mesh.") == 0)
      mesh.push_back({record.name, record.value});
  Keys keys;
  keys.values =
      sha256(Json({"values", versionOfBuild(), study.engine, mapped.digest,
                   mesh, programs.hashesOf(model.input), model.samples,
                   model.labels.empty() ? "" : programs.hashOf(model.labels),
                   model.metric})
                 .dump());
  keys.time =
      sha256(Json({"time", keys.values, chip.hash, setup.timing}).dump());
  return keys;
}

std::shared_ptr<const Values> Runs::findValues(const DesignSetup &setup,
                                               const Mapped &mapped,
                                               const std::string &key) {
  if (auto known = recall(values, key))
    return known;
  const auto bytes = folder.find("values", key);
  if (!bytes)
    return nullptr;
  std::string record;
  sim::RunResult run = takeApart(*bytes, record);
  auto found =
      valuesOf(std::move(run), std::move(record), *setup.model, mapped);
  remember(values, key, found, kRecentValues);
  return found;
}

std::shared_ptr<const Times> Runs::findTimes(const std::string &key) {
  if (auto known = recall(times, key))
    return known;
  const auto bytes = folder.find("time", key);
  if (!bytes)
    return nullptr;
  const Json json = readJson<Json>(*bytes, "stage 'time' of " + key);
  auto found = std::make_shared<Times>();
  found->runPs = wholeFrom(json.at("run_ps"));
  for (const Json &sample : json.at("sample_ps"))
    found->samplePs.push_back(wholeFrom(sample));
  for (const Json &each : json.at("closed_by"))
    found->closedBy.emplace_back(each.at(0), wholeFrom(each.at(1)));
  remember<Times>(times, key, found, kRecentTimes);
  return found;
}

Executed Runs::run(const DesignSetup &setup, const Mapped &mapped,
                   const Keys &keys) {
  const Target &chip = chips.chip(setup.target, {&setup.shape, &setup.times});
  const auto &samples = programs.inputsOf(setup).samples;
  sim::RunOptions options;
  options.timing = setup.timing;
  std::string record;
  Executed executed;
  sim::RunResult run =
      study.engine == "cycle"
          ? sim::recordCycle(mapped.program, chip, samples, options, record)
          : sim::runFunctional(mapped.program, chip, samples, options);
  if (study.engine == "cycle") {
    executed.times = timesOf(run);
    folder.put("time", keys.time, timesText(*executed.times));
    remember(times, keys.time, executed.times, kRecentTimes);
    sim::putTimes(run, {}); // values have no times
  }
  folder.put("values", keys.values, bytesOf(run, record));
  executed.values =
      valuesOf(std::move(run), std::move(record), *setup.model, mapped);
  remember(values, keys.values, executed.values, kRecentValues);
  return executed;
}

std::shared_ptr<const Times>
Runs::replay(const DesignSetup &setup, const Mapped &mapped,
             const std::shared_ptr<const Values> &of, const Keys &keys) {
  if (prepared != of) {
    replays = nullptr; // before the record that it reads
    prepared = of;
    replays = std::make_unique<const sim::Replay>(mapped.program, of->record);
  }
  sim::RunOptions options;
  options.timing = setup.timing;
  const auto found = timesOf(replays->run(
      chips.chip(setup.target, {&setup.shape, &setup.times}), options));
  folder.put("time", keys.time, timesText(*found));
  remember(times, keys.time, found, kRecentTimes);
  return found;
}

Executed Runs::execute(const DesignSetup &setup, const Mapped &mapped,
                       Effort &effort) {
  session::Stopwatch watch;
  const Keys keys = keysOf(setup, mapped);
  const bool timed = study.engine == "cycle";
  Executed executed;
  executed.values = findValues(setup, mapped, keys.values);
  Effort::Stage computed{"values", executed.values != nullptr, 0},
      clocked{"time", true, 0};
  if (!executed.values) {
    executed = run(setup, mapped, keys);
    clocked.reused = !timed;
  } else if (timed && !(executed.times = findTimes(keys.time))) {
    computed.seconds = watch.seconds();
    executed.times = replay(setup, mapped, executed.values, keys);
    clocked.reused = false;
  }
  // A run computes values and times together.
  (computed.reused ? clocked : computed).seconds =
      watch.seconds() - computed.seconds;
  effort.stages.push_back(computed);
  effort.stages.push_back(clocked);
  return executed;
}

} // namespace dendrolith::explore
