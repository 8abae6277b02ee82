// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Result.h"

#include "runtime/image/Tables.h"
#include "simulator/record/CountsRecord.h"
#include "simulator/report/result/Bootstrap.h"
#include "simulator/report/result/MessageJson.h"
#include "simulator/report/result/NeuroBenchFields.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Utilisation.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

Result emptyResult() {
  Result result;
  result.json["schema"] = kResultSchema;
  for (const char *key : {"dendrolith",
                          "engine",
                          "summary",
                          "warnings",
                          "model",
                          "program_sha256",
                          "target",
                          "timing",
                          "silicon",
                          "costs",
                          "policies",
                          "rewrites",
                          "schedule",
                          "mapping",
                          "map_verify",
                          "fit",
                          "quantisation",
                          "overridden_limits",
                          "layers",
                          "network",
                          "samples",
                          "ticks",
                          "steps",
                          "metric",
                          "score",
                          "confusion",
                          "compare",
                          "compare_file",
                          "trace_units_per_real",
                          "raster",
                          "counts",
                          "times",
                          "energy",
                          "latency",
                          "utilisation",
                          "saturations",
                          "spike_values",
                          "neurobench",
                          "hashes",
                          "wall_s",
                          "peak_rss_bytes"})
    result.json[key] = nullptr;
  result.json["warnings"] = Json::array();
  result.json["hashes"] = {{"outputs_sha256", nullptr},
                           {"predicted_sha256", nullptr},
                           {"traces_sha256", nullptr},
                           {"spikes_sha256", nullptr},
                           {"tables_sha256", nullptr}};
  result.tables = {{"schema", kResultSchema},
                   {"samples",
                    {{"latency_ns", nullptr},
                     {"energy_pJ", nullptr},
                     {"counts", nullptr},
                     {"predicted", nullptr},
                     {"correct", nullptr},
                     {"asked", nullptr}}},
                   {"flows", nullptr},
                   {"counts", nullptr},
                   {"latency", nullptr},
                   {"utilisation", nullptr}};
  return result;
}

/// 0 stands for "none" or "not known" in the rows of an image.
static void zeroIsNull(Json &rows, const char *key) {
  for (Json &row : rows)
    if (row[key] == 0)
      row[key] = nullptr;
}

void addModel(Json &result, const image::Program &program) {
  result["model"] = {{"name", program.model_name()},
                     {"sha256", program.model_sha256()},
                     {"file", nullptr}};
  Json policies = Json::object();
  for (const image::Note &note : program.policies())
    policies[note.key()] = note.value();
  result["policies"] = policies;
  result["rewrites"] = rowsToJson(program.rewrites());
  for (Json &row : result["rewrites"])
    if (row["removed_ids"] == "") // the rewrite removed no neurons by number
      row["removed_ids"] = nullptr;
}

/// How many neurons of which population each core holds.
static Json placementOf(const image::Program &program) {
  Json rows = Json::array();
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups()) {
      const bool same = !rows.empty() && rows.back()["core"] == core.id() &&
                        rows.back()["population"] == group.population();
      if (!same)
        rows.push_back({{"core", core.id()},
                        {"population", group.population()},
                        {"neurons", 0}});
      Json &neurons = rows.back()["neurons"];
      neurons = neurons.get<uint64_t>() + group.count();
    }
  return rows;
}

void addCompiled(Json &result, const image::Program &program) {
  Json phases = Json::object();
  for (const image::Population &population : program.populations())
    phases[population.name()] = {{"phase", population.phase()},
                                 {"ticks", population.ticks()},
                                 {"stride_steps", population.stride()},
                                 {"neurons", population.size()},
                                 {"units_per_real", population.scale()}};
  zeroIsNull(phases, "units_per_real"); // states have units of their own
  result["schedule"] = {{"period_steps", program.schedule().period()},
                        {"depth_steps", program.schedule().depth()},
                        {"critical_cycle", program.schedule().critical()},
                        {"populations", phases}};
  const image::MappingReport &mapping = program.mapping();
  result["mapping"] = {{"solver", mapping.solver()},
                       {"cores", mapping.cores()},
                       {"cost", mapping.cost()},
                       {"round_robin_cost", mapping.baseline_cost()},
                       {"unit", mapping.cost_unit()},
                       {"objective", mapping.objective()},
                       {"activity", mapping.activity()},
                       {"fewer_cores", mapping.fewer_cores()},
                       {"terms", rowsToJson(mapping.terms())},
                       {"bounds", rowsToJson(mapping.bounds())},
                       {"trade_off", rowsToJson(mapping.trade_off())},
                       {"hotspots", rowsToJson(mapping.hotspots())},
                       {"placement", placementOf(program)}};
  result["fit"] = rowsToJson(program.fit());
  zeroIsNull(result["fit"], "limit");
  result["quantisation"] = rowsToJson(program.quantisation());
  result["overridden_limits"] = rowsToJson(program.overridden_limits());
  zeroIsNull(result["mapping"]["trade_off"], "step_pj"); // no prices
  result["layers"] = rowsToJson(program.layers());
  for (Json &layer : result["layers"]) {
    layer["counts"] = nullptr;
    layer["energy_pJ"] = nullptr;
    layer["kind"] = "population";
    for (Json &source : layer["sources"]) // an image does not say them
      for (const char *key : {"kind", "biases", "window"})
        source[key] = nullptr;
  }
}

std::vector<uint64_t> memoryOf(const image::Program &program) {
  std::vector<uint64_t> words;
  for (const image::Core &core : program.cores()) {
    const PackedLists lists(core.synapses().lists());
    words.push_back(0);
    for (size_t i = 0; i < lists.size; ++i)
      words.back() += lists.shapes.at(lists.code[i]).words;
  }
  return words;
}

void addMemory(Json &result, const image::Program &program,
               const std::vector<uint64_t> &words) {
  Json rows = Json::array();
  for (size_t i = 0; i < words.size(); ++i)
    rows.push_back({{"core", program.cores(int(i)).id()}, {"words", words[i]}});
  result["mapping"]["memory"] = std::move(rows);
}

Json programFacts(const image::Program &program) {
  Json facts;
  addModel(facts, program);
  addCompiled(facts, program);
  return facts;
}

void addTarget(Json &result, const Target &target) {
  result["target"] = {{"name", target.name},
                      {"sha256", target.hash},
                      {"file", target.filename},
                      {"yaml", target.yamlText},
                      {"overrides", Json::array()}};
  for (const Override &change : target.overrides)
    result["target"]["overrides"].push_back(
        {{"key", change.key}, {"value", change.value}, {"was", change.was}});
}

static Json toJson(LowHigh band) {
  return {{"low", band.low}, {"high", band.high}};
}

void addSilicon(Json &result, const Target &target, const TimingSet &timing) {
  const std::optional<Silicon> silicon = siliconOf(target, timing);
  if (!silicon)
    return;
  Json parts = Json::array();
  for (const SiliconPart &part : silicon->parts) {
    parts.push_back({{"part", part.name},
                     {"count", part.count},
                     {"area_mm2", toJson(part.area)},
                     {"leakage_mW", nullptr},
                     {"kind", toString(part.kind)},
                     {"source", part.source}});
    if (silicon->leakage)
      parts.back()["leakage_mW"] = toJson(part.leakage);
  }
  result["silicon"] = {{"node_nm", target.area->node},
                       {"area_mm2", toJson(silicon->area)},
                       {"core_mm2", toJson(silicon->core)},
                       {"leakage_mW", nullptr},
                       {"parts", std::move(parts)}};
  if (silicon->leakage)
    result["silicon"]["leakage_mW"] = toJson(*silicon->leakage);
}

static Json spikeValues(const std::vector<sim::SpikeValues> &populations) {
  Json all = Json::object();
  for (const sim::SpikeValues &values : populations) {
    Json &of = all[values.name] = Json::object();
    for (size_t i = 0; i < values.counts.size(); ++i)
      of[std::to_string(values.low + int64_t(i))] = values.counts[i];
  }
  return all;
}

void addExecution(Result &result, const sim::RunResult &run) {
  Json &json = result.json;
  json["samples"] = run.samples;
  json["ticks"] = run.ticks;
  json["steps"] = run.steps;
  Json counts = sim::toJson(run.counts);
  result.tables["counts"] = {{"cores", std::move(counts["cores"])},
                             {"links", std::move(counts["links"])}};
  json["counts"] = {{"total", std::move(counts["total"])},
                    {"host", std::move(counts["host"])}};
  json["neurobench"] = neuroBenchFields(json, run);
  json["saturations"] = {{"inputs", run.saturations.inputs},
                         {"u_wrapped", run.saturations.wrapped},
                         {"v_clipped", run.saturations.clipped},
                         {"states_at_end", run.saturations.ended}};
  if (run.events)
    json["events"] = {{"places", run.events->places},
                      {"taken", run.events->taken},
                      {"lost", run.events->lost}};
  json["spike_values"] = spikeValues(run.spikeValues);
  addLayerCounts(json["layers"], run.attribution);
  result.tables["flows"] = flowRows(run.attribution);
  result.tables["samples"]["counts"] = sampleCounts(run.sampleCounts);
  addTimes(result, run);
}

void addWarnings(Json &result, const Warnings &warnings) {
  Json &rows = result["warnings"] = Json::array();
  for (const Warning &warning : warnings)
    rows.push_back({{"code", warning.code},
                    {"where", warning.where},
                    {"text", warning.text}});
}

Json memberOf(const Json &object, const char *key) {
  return object.contains(key) ? object.at(key) : Json();
}

/// The peak of this program alone: getrusage's own figure survives exec, and so
/// starts with what the process that started it held. 0 where there is no
/// /proc.
static uint64_t ownPeakKib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::strtoull(line.c_str() + 6, nullptr, 10);
  return 0;
}

uint64_t peakResidentBytes() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  return std::max(ownPeakKib(), uint64_t(children.ru_maxrss)) * 1024;
}

} // namespace dendrolith::report
