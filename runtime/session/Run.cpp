// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Run.h"

#include "runtime/session/Drift.h"
#include "runtime/session/Engines.h"
#include "runtime/session/LayerAgreement.h"
#include "runtime/session/RunChecks.h"
#include "runtime/session/RunReport.h"
#include "runtime/session/Score.h"
#include "runtime/session/Stopwatch.h"
#include "runtime/session/TraceUnits.h"
#include "simulator/record/Traces.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Summary.h"
#include "simulator/report/text/ReportText.h"
#include "simulator/report/text/ShortText.h"

#include <fmt/format.h>

#include <set>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;

/// Everything that a run carries from stage to stage.
class RunStages {
public:
  explicit RunStages(const RunRequest &given) : request(given) {
    // The listener hears of warnings as they come, and the result has all.
    request.model.listener.onWarning = [this, &given](const Warning &warning) {
      warnings.push_back(warning);
      given.model.listener.warn(warning);
    };
  }

  RunOutcome execute() {
    check(request);
    if (!request.expected.empty()) {
      expected.emplace(request.expected);
      request.keptValues = UINT64_MAX; // it compares arrays in memory
    }
    workload.emplace(request);
    if (request.ranked) {
      request.ranked->agreeOn(commonOf(*workload));
      workload->gatherWords(request.ranked->ranks());
    }
    engines.emplace(*workload);
    if (request.byLayer)
      agreement.emplace(workload->model->fixedNetwork(),
                        request.compare == "float"
                            ? workload->model->floatNetwork()
                            : workload->model->fixedNetwork(),
                        workload->program);
    if (expected)
      expected->resolve(workload->program);
    metric = chooseMetric(request.metric, workload->decode());
    if (!request.metric.empty() && request.labels.empty() &&
        request.compare.empty())
      throw Error("--metric " + request.metric +
                  " judges answers; give --labels, or --compare for the same "
                  "answers as another engine");
    Stopwatch run;
    outcome.recording = engines->run(request.engine, recorded());
    wallSimulate = run.seconds() - engines->wallPrepare;
    sinceRun.emplace();
    if (request.verify)
      engines->verify(outcome.recording, recorded());
    finish();
    return std::move(outcome);
  }

private:
  std::vector<sim::TraceRequest> requested() const {
    auto traces = parseTraces(request.traces);
    return request.engine == "float" ? traces
                                     : tracesOfParts(traces, workload->program);
  }

  /// Beside the traces asked for, those that comparisons need, each once.
  std::vector<sim::TraceRequest> recorded() const {
    std::vector<sim::TraceRequest> traces;
    std::set<std::string> names;
    auto add = [&](const std::vector<sim::TraceRequest> &more) {
      for (const sim::TraceRequest &trace : more)
        if (names.insert(sim::textOf(trace)).second)
          traces.push_back(trace);
    };
    add(requested());
    if (expected)
      add(expected->traces());
    if (agreement)
      add(agreement->ownTraces());
    return traces;
  }

  void finish() {
    Json &json = result.json;
    outcome.single = workload->inputs.single;
    outcome.report = beginReport(*workload, json);
    std::string raster = compareWithRaster(json);
    compareWithFile(json);
    addMetrics(json);
    keepTraces(json);
    std::string bills = addRun(*workload, *engines, outcome.recording, result);
    addSteps(json);
    for (const Warning &warning :
         checkRun(*workload, engines->result, outcome.recording, json))
      request.model.listener.warn(warning);
    report::addWarnings(json, warnings);
    report::addSummary(json);
    json["wall_s"] = {
        {"load", workload->wallLoad},      {"compile", workload->wallCompile},
        {"prepare", engines->wallPrepare}, {"simulate", wallSimulate},
        {"check", sinceRun->seconds()},    {"write", 0}}; // nothing yet
    outcome.report += report::formatResult(json, bills) + raster;
    outcome.brief = report::formatShort(json) + raster;
    outcome.result = std::move(result.json);
    outcome.tables = std::move(result.tables);
    outcome.timeline = std::move(engines->result.timeline);
  }

  /// The spikes that came with the input are those that came out.
  std::string compareWithRaster(Json &json) const {
    const LoadedInputs &inputs = workload->inputs;
    if (!inputs.expected)
      return "";
    checkRaster(outcome.recording.spikes.front(), *inputs.expected,
                inputs.expectedIn);
    json["raster"] = {{"spikes", inputs.expected->size()},
                      {"equal_to", inputs.expectedIn}};
    return fmt::format("Raster: {} spikes, equal to those of '{}'\n",
                       inputs.expected->size(), inputs.expectedIn);
  }

  void compareWithFile(Json &json) {
    if (!expected)
      return;
    outcome.expected = expected->compare(outcome.recording);
    json["compare_file"] = {{"file", request.expected},
                            {"values", outcome.expected->values},
                            {"different", outcome.expected->different}};
  }

  /// Drops the traces that only comparisons needed, and says what numbers of
  /// the others are worth.
  void keepTraces(Json &json) {
    const std::vector<sim::TraceRequest> traces = requested();
    std::map<std::string, Array> asked;
    for (const sim::TraceRequest &trace : traces) {
      std::string name = sim::textOf(trace);
      if (!outcome.recording.traceFile && !asked.count(name))
        asked[name] = std::move(outcome.recording.traces.at(name));
    }
    outcome.recording.traces = std::move(asked);
    if (!traces.empty() && workload->model)
      json["trace_units_per_real"] = traceUnits(
          request.engine == "float" ? workload->model->floatNetwork()
                                    : workload->model->fixedNetwork(),
          traces);
  }

  void addMetrics(Json &json) {
    if (outcome.recording.outputs.empty()) {
      if (!request.labels.empty() || !request.metric.empty())
        throw Error("--labels and --metric judge the answers of an output, of "
                    "which the network has none");
      if (!request.compare.empty())
        addSpikeComparison(json);
      return;
    }
    labels = judge(request, metric, outcome, result);
    if (!request.labels.empty() || !request.compare.empty())
      json["metric"] = {{"name", metric.name},
                        {"decode", toString(metric.decode)},
                        {"from", metric.from}};
    if (request.compare.empty())
      return;
    Recording other = engines->run(request.compare, otherTraces());
    const Agreement found =
        session::compare(other, outcome.recording, metric, labels);
    if (found.silent)
      request.model.listener.warn(
          {"silent-answers",
           "output '" + outcome.recording.outputs.front().name + "'",
           fmt::format("{} of {} answers are 0 in every element: they name no "
                       "class and agree with none; check the scale of the "
                       "input, the thresholds and what the chip's formats "
                       "leave of them",
                       found.silent, *found.answers)});
    Json compared = toJson(found);
    compared["engine"] = request.compare;
    compared["correlation"] = toJson(driftOf(other, outcome.recording));
    if (agreement)
      compared["layers"] = agreement->compare(outcome.recording, other);
    if (!labels.empty())
      compared["score"] =
          scoreJson(metric, answers(other, metric.decode), labels);
    json["compare"] = compared;
  }

  /// Where events come one by one, what the model computes step by step: the
  /// difference is what their order does.
  void addSteps(Json &json) {
    if (!json.contains("events") || json["events"].is_null() ||
        !workload->model || outcome.recording.outputs.empty())
      return;
    Json found = json["compare"];
    if (request.compare != "reference") {
      const Recording other = engines->run("reference", {});
      found =
          toJson(session::compare(other, outcome.recording, metric, labels));
      if (!labels.empty())
        found["score"] =
            scoreJson(metric, answers(other, metric.decode), labels);
    }
    Json &steps = json["events"]["by_steps"];
    for (const char *key : {"output_values", "different_values"})
      steps[key] = found.at(key);
    steps["score"] =
        found.at("score").is_null() ? Json() : found["score"].at("value");
  }

  std::vector<sim::TraceRequest> otherTraces() const {
    return agreement ? agreement->otherTraces()
                     : std::vector<sim::TraceRequest>();
  }

  /// Where nothing reaches the host, engines are compared spike by spike.
  void addSpikeComparison(Json &json) {
    Recording other = engines->run(request.compare, otherTraces());
    json["compare"] = toJson(Agreement{});
    if (agreement)
      json["compare"]["layers"] = agreement->compare(outcome.recording, other);
    for (const char *key : {"output_values", "different_values"})
      json["compare"][key] = nullptr; // there is no output
    json["compare"]["engine"] = request.compare;
    json["compare"]["samples"] = other.samples;
    json["compare"]["spikes_equal"] = other.spikes == outcome.recording.spikes;
  }

  RunRequest request;
  Warnings warnings;
  report::Result result = report::emptyResult();
  RunOutcome outcome;
  std::optional<Workload> workload;
  std::optional<Engines> engines;
  std::optional<Expected> expected;
  std::optional<LayerAgreement> agreement;
  Metric metric;
  std::vector<double> labels; ///< where answers are judged
  double wallSimulate = 0;    ///< seconds
  /// Comparing, judging and pricing begin where the run ends.
  std::optional<Stopwatch> sinceRun;
};

} // namespace

RunOutcome run(const RunRequest &request) {
  return withMemoryFor(request.path,
                       [&] { return RunStages(request).execute(); });
}

} // namespace dendrolith::session
