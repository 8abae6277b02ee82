// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Runs.h"

#include "runtime/explore/stages/Versions.h"
#include "runtime/session/Stopwatch.h"
#include "simulator/Run.h"
#include "simulator/report/Utilisation.h"
#include "targets/support/Sha256.h"

#include <algorithm>

namespace neurite::explore {
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
  times->runPs = run.timePs;
  times->samplePs = run.sampleLatencyPs;
  const auto closers = report::closersOf(run.stepTimes);
  times->closedBy.assign(closers.begin(), closers.end());
  std::stable_sort(
      times->closedBy.begin(), times->closedBy.end(),
      [](const auto &a, const auto &b) { return a.second > b.second; });
  return times;
}

} // namespace

Executed Runs::execute(const Asked &asked, const Mapped &mapped,
                       Effort &effort) {
  session::Stopwatch watch;
  const Target &chip = chips.chip(asked.target, {&asked.shape, &asked.times});
  const bool timed = study.engine == "cycle";
  const StudyModel &model = *asked.model;
  Json shape = Json::array();
  for (const Record &record : chip.records)
    shape.push_back({record.name, record.value});
  const std::string valuesKey =
      sha256(Json({"values", versionOfBuild(), mapped.digest, shape,
                   programs.hashesOf(model.input), model.samples,
                   model.labels.empty() ? "" : programs.hashOf(model.labels),
                   model.metric})
                 .dump());
  const std::string timesKey =
      sha256(Json({"time", valuesKey, chip.hash, asked.timing}).dump());
  Executed executed;
  executed.values = recall(values, valuesKey);
  executed.times = timed ? recall(times, timesKey) : nullptr;
  Effort::Stage computed{"values", true, 0}, clocked{"time", true, 0};
  if (!executed.values || (timed && !executed.times)) {
    sim::RunOptions options;
    options.timing = asked.timing;
    const auto &samples = programs.inputsOf(asked).samples;
    sim::RunResult run =
        timed ? sim::runCycle(mapped.program, chip, samples, options)
              : sim::runFunctional(mapped.program, chip, samples, options);
    if (timed) {
      executed.times = timesOf(run);
      remember(times, timesKey, executed.times, kRecentTimes);
    }
    auto found = std::make_shared<Values>();
    session::Recording recording = session::recordingOf(std::move(run));
    found->run = std::move(run);
    found->judged = judge(model, mapped.program, recording);
    executed.values = found;
    remember(values, valuesKey, executed.values, kRecentValues);
    computed = {"values", false, watch.seconds()};
    clocked.reused = !timed;
  }
  effort.stages.push_back(computed);
  effort.stages.push_back(clocked);
  return executed;
}

} // namespace neurite::explore
