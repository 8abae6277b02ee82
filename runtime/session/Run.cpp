// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program image or a model on one of four engines, and what it leaves.

#include "runtime/session/Run.h"

#include "runtime/session/Engines.h"
#include "runtime/session/Expected.h"
#include "runtime/session/Metrics.h"
#include "runtime/session/Progress.h"
#include "simulator/report/ReportText.h"
#include "simulator/report/Result.h"
#include "simulator/report/TimelineFile.h"
#include "simulator/report/Utilisation.h"

#include "runtime/host/Files.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace neurite::session {
namespace {

using Json = nlohmann::ordered_json;

/// Everything a run carries from stage to stage.
class Run {
public:
  explicit Run(const RunRequest &flags) : flags(flags) {}

  void execute() {
    if (!flags.timeline.empty()) {
      if (flags.engine != "cycle")
        throw Error("--timeline shows when things happen, which the " +
                    flags.engine +
                    " engine does not know; choose --engine cycle");
      timeline.emplace(flags.timeline);
    }
    if (!flags.expected.empty()) {
      if (flags.engine == "float")
        throw Error("--compare " + flags.expected +
                    " compares integers, which the float engine has not; "
                    "choose another engine");
      expected.emplace(flags.expected);
    }
    workload.emplace(flags);
    engines.emplace(*workload);
    if (expected)
      expected->resolve(workload->program);
    metric = chooseMetric(flags.metric, workload->decode());
    if (!flags.metric.empty() && flags.labels.empty() && flags.compare.empty())
      throw Error("--metric " + flags.metric +
                  " judges answers; give --labels, or --compare for the same "
                  "answers as another engine");
    Stopwatch watch;
    Recording recording = engines->run(flags.engine, recorded());
    wallSimulate = watch.seconds() - engines->wallPrepare;
    if (flags.verify)
      engines->verify(recording, recorded());
    finish(recording);
  }

private:
  std::vector<sim::TraceRequest> requested() const {
    auto traces = parseTraces(flags.traces);
    return flags.engine == "float" ? traces
                                   : tracesOfParts(traces, workload->program);
  }

  /// What is recorded beside it to compare with a file.
  std::vector<sim::TraceRequest> recorded() const {
    std::vector<sim::TraceRequest> traces = requested();
    if (expected)
      traces.insert(traces.end(), expected->traces().begin(),
                    expected->traces().end());
    return traces;
  }

  /// Without the traces that only the comparison wanted. Throws Error for the
  /// first difference, once everything is written.
  void compareWithFile(Recording &recording, Json &json) {
    if (!expected)
      return;
    Expected::Outcome outcome = expected->compare(recording);
    json["compare_file"] = {{"file", flags.expected},
                            {"values", outcome.values},
                            {"different", outcome.different}};
    (outcome.different ? difference : equality) = outcome.text;
    std::map<std::string, Array> asked;
    for (const sim::TraceRequest &trace : requested()) {
      std::string name = trace.population;
      if (!trace.state.empty())
        name += ":" + trace.state;
      asked[name] = std::move(recording.traces.at(name));
    }
    recording.traces = std::move(asked);
  }

  /// The spikes that came with the input are the ones that came out.
  std::string checkExpected(const Recording &recording, Json &json) const {
    if (!workload->inputs.expected)
      return "";
    checkRaster(recording.spikes.front(), *workload->inputs.expected,
                workload->inputs.expectedIn);
    json["raster"] = {{"spikes", workload->inputs.expected->size()},
                      {"equal_to", workload->inputs.expectedIn}};
    return fmt::format("Raster: {} spikes, equal to those of '{}'\n",
                       workload->inputs.expected->size(),
                       workload->inputs.expectedIn);
  }

  void finish(Recording &recording) {
    Json json;
    json["neurite"] = NEURITE_VERSION;
    json["engine"] = flags.engine;
    std::string text;
    if (flags.engine != "float") {
      Json facts = report::programFacts(workload->program);
      json.update(facts);
      text += report::formatProgramFacts(facts) + "\n";
    } else {
      json["model"] = {{"name", workload->model->name()}};
      for (const auto &[key, value] : workload->model->choices())
        text += key + ": " + value + "\n";
      for (const std::string &line : workload->model->rewriteLines())
        text += line + "\n";
    }
    std::string raster = checkExpected(recording, json);
    compareWithFile(recording, json);
    addMetrics(json, recording);
    json["wall_s"] = {{"load", workload->wallLoad},
                      {"compile", workload->wallCompile},
                      {"prepare", engines->wallPrepare},
                      {"simulate", wallSimulate}};
    if (onChip(flags.engine)) {
      text += addChip(json);
    } else {
      json["samples"] = recording.samples;
      json["ticks"] = recording.ticks;
      text += plainText(json);
    }
    text += raster;
    json["peak_rss_mb"] = report::peakResidentMb();
    if (timeline) {
      timeline->write(report::timelineText(engines->result.timeline));
      timeline->commit();
    }
    if (!flags.out.empty()) {
      OutputDirectory out(flags.out);
      for (const auto &[name, bytes] :
           recordingFiles(recording, workload->inputs.single))
        out.write(name, bytes);
      // Last: a folder with a result is complete.
      out.write("result.json", json.dump(2) + "\n");
      out.commit();
    }
    std::fputs(text.c_str(), stdout);
    if (timeline)
      std::printf("Timeline: %s\nwrote %s\n",
                  report::timelineSummary(engines->result.timeline).c_str(),
                  flags.timeline.c_str());
    if (!flags.out.empty())
      std::printf("wrote %s\n", flags.out.c_str());
    if (!difference.empty())
      throw Error(difference);
    if (!equality.empty())
      std::printf("%s\n", equality.c_str());
  }

  void addMetrics(Json &json, const Recording &recording) {
    if (recording.outputs.empty()) {
      if (!flags.labels.empty() || !flags.metric.empty())
        throw Error("--labels and --metric judge the answers of an output, of "
                    "which the network has none");
      if (!flags.compare.empty())
        addSpikeComparison(json, recording);
      return;
    }
    std::vector<double> labels;
    if (!flags.labels.empty()) {
      Answers given = answers(recording, metric.decode);
      labels = loadLabels(flags.labels, metric, given);
      json[metric.name] = score(metric, given, labels);
    }
    if (!flags.labels.empty() || !flags.compare.empty())
      json["metric"] = {{"name", metric.name},
                        {"decode", toString(metric.decode)},
                        {"from", metric.from}};
    if (flags.compare.empty())
      return;
    Recording other = engines->run(flags.compare, {});
    Json compared = toJson(session::compare(other, recording, metric));
    compared["engine"] = flags.compare;
    if (!labels.empty())
      compared[metric.name] =
          score(metric, answers(other, metric.decode), labels);
    json["compare"] = compared;
  }

  /// --compare where nothing reaches the host: spike by spike.
  void addSpikeComparison(Json &json, const Recording &recording) {
    Recording other = engines->run(flags.compare, {});
    json["compare"] = {{"engine", flags.compare},
                       {"spikes_equal", other.spikes == recording.spikes}};
  }

  std::string plainText(const Json &json) {
    std::string text = std::to_string(json.at("samples").get<uint64_t>()) +
                       " samples of " +
                       std::to_string(json.at("ticks").get<uint64_t>()) +
                       " ticks in the " + flags.engine + " engine\n";
    if (json.contains("accuracy"))
      text += "Accuracy: " +
              std::to_string(100 * json.at("accuracy").get<double>()) + " %\n";
    if (json.contains("r2"))
      text += fmt::format("R2: {:.4f}\n", json.at("r2").get<double>());
    return text;
  }

  std::string addChip(Json &json) {
    Target target = workload->chip();
    const TimingSet &timing = target.timing(flags.timing);
    std::vector<CostTable> tables = report::chooseCosts(flags.costs, target);
    json["program_sha256"] = workload->programDigest;
    json["target"] = {{"name", target.name},
                      {"sha256", target.hash},
                      {"file", target.filename},
                      {"yaml", target.yamlText}};
    json["timing"] = {{"name", timing.name}, {"sha256", timing.hash}};
    report::addExecution(json, engines->result);
    report::addUtilisation(json, engines->result);
    std::string bills = report::addEnergy(json, engines->result.counts, tables,
                                          timing, engines->result.timePs);
    json["peak_rss_mb"] = report::peakResidentMb();
    return report::formatResult(json, bills);
  }

  const RunRequest &flags;
  std::optional<Workload> workload;
  std::optional<Engines> engines;
  std::optional<Expected> expected;
  std::string difference, equality;   // of --compare FILE
  std::optional<AtomicFile> timeline; // opened first: a bad path fails early
  Metric metric;
  double wallSimulate = 0; // seconds
};

} // namespace

void execute(const RunRequest &flags) {
  withMemoryFor(flags.path, [&] { Run(flags).execute(); });
}

} // namespace neurite::session
