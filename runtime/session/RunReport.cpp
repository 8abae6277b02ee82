// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/RunReport.h"

#include "simulator/report/ReportText.h"
#include "simulator/report/Result.h"
#include "simulator/report/Utilisation.h"

#include <fmt/format.h>

namespace neurite::session {

using Json = nlohmann::ordered_json;

std::string beginReport(Workload &workload, Json &json) {
  const std::string &engine = workload.request.engine;
  json["neurite"] = NEURITE_VERSION;
  json["engine"] = engine;
  if (engine != "float") {
    Json facts = report::programFacts(workload.program);
    json.update(facts);
    return report::formatProgramFacts(facts) + "\n";
  }
  std::string text;
  json["model"] = {{"name", workload.model->name()}};
  for (const auto &[key, value] : workload.model->choices())
    text += key + ": " + value + "\n";
  for (const std::string &line : workload.model->rewriteLines())
    text += line + "\n";
  return text;
}

/// The report of a run without a chip.
static std::string plainText(const Json &json, const std::string &engine) {
  std::string text = std::to_string(json.at("samples").get<uint64_t>()) +
                     " samples of " +
                     std::to_string(json.at("ticks").get<uint64_t>()) +
                     " ticks in the " + engine + " engine\n";
  if (json.contains("accuracy"))
    text +=
        "Accuracy: " + std::to_string(100 * json.at("accuracy").get<double>()) +
        " %\n";
  if (json.contains("r2"))
    text += fmt::format("R2: {:.4f}\n", json.at("r2").get<double>());
  return text;
}

static std::string addChip(const Workload &workload,
                           const sim::RunResult &result, Json &json) {
  const RunRequest &request = workload.request;
  Target target = workload.chip();
  const TimingSet &timing = target.timing(request.timing);
  std::vector<CostTable> tables = report::chooseCosts(request.costs, target);
  json["program_sha256"] = workload.programDigest;
  json["target"] = {{"name", target.name},
                    {"sha256", target.hash},
                    {"file", target.filename},
                    {"yaml", target.yamlText}};
  json["timing"] = {{"name", timing.name}, {"sha256", timing.hash}};
  report::addExecution(json, result);
  report::addUtilisation(json, result);
  std::string bills =
      report::addEnergy(json, result.counts, tables, timing, result.timePs);
  json["peak_rss_mb"] = report::peakResidentMb();
  return report::formatResult(json, bills);
}

std::string endReport(const Workload &workload, const Engines &engines,
                      const Recording &recording, Json &json) {
  std::string text;
  if (onChip(workload.request.engine)) {
    text = addChip(workload, engines.result, json);
  } else {
    json["samples"] = recording.samples;
    json["ticks"] = recording.ticks;
    text = plainText(json, workload.request.engine);
  }
  json["peak_rss_mb"] = report::peakResidentMb();
  return text;
}

} // namespace neurite::session
