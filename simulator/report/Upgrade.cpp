// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/Bootstrap.h"
#include "simulator/report/NeuroBenchFields.h"
#include "simulator/report/ReadResult.h"
#include "simulator/report/Result.h"
#include "simulator/report/Spread.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// A member, or null where it is absent, as schema 1 left out what it had not.
Json find(const Json &object, const std::string &key) {
  return object.is_object() && object.contains(key) ? object.at(key) : Json();
}

/// The score that stood in `object` under its metric's name.
Json scoreIn(const Json &object, double samples) {
  for (const char *metric : {"accuracy", "r2"}) {
    Json value = find(object, metric);
    if (value.is_null())
      continue;
    Json score = {{"metric", metric},
                  {"value", value.get<double>()},
                  {"answers", uint64_t(samples)},
                  {"low", nullptr},
                  {"high", nullptr},
                  {"confidence", nullptr},
                  {"method", nullptr},
                  {"mse", nullptr},
                  {"smape", nullptr}};
    if (metric == std::string("accuracy")) {
      sim::Interval interval = sim::wilsonInterval(
          uint64_t(std::llround(value.get<double>() * samples)),
          uint64_t(samples));
      score["low"] = interval.low;
      score["high"] = interval.high;
      score["confidence"] = 0.95;
      score["method"] = "wilson";
    }
    return score;
  }
  return nullptr;
}

/// The entry with the largest share among `parts`, with `keys` of it.
Json busiest(const Json &entries, const std::vector<const char *> &parts,
             const std::vector<const char *> &keys, bool namesPart) {
  Json most = nullptr;
  double share = 0;
  for (const Json &entry : entries)
    for (const char *part : parts)
      if (entry.at(part).get<double>() > share) {
        share = entry.at(part).get<double>();
        most = Json::object();
        for (const char *key : keys)
          most[key] = entry.at(key);
        if (namesPart)
          most["part"] = part;
        most["share"] = share;
      }
  return most;
}

/// What the cycle engine measured.
void addTimes(Json &result, const Json &old) {
  const Json latency = find(old, "latency"),
             samples = find(latency, "per_sample_ns");
  if (samples.is_null() || samples.empty())
    return;
  Json stalls = find(find(old.at("counts"), "total"), "stalls");
  result["times"] = {{"run_ps", old.at("time_ps")},
                     {"stalled_ps", stalls.is_null() ? Json(0) : stalls},
                     {"waiting_ps", nullptr}};
  result["latency"] = {
      {"per_sample_ns", spreadOf(samples.get<std::vector<double>>())},
      {"critical", latency.at("critical")},
      {"steps_overlap", latency.contains("steps_overlap")},
      {"closed_by", find(latency, "closed_by")}};
  if (old.contains("utilisation"))
    result["utilisation"] = {
        {"busiest_core",
         busiest(old.at("utilisation").at("cores"),
                 {"update", "stalled", "receive"}, {"core"}, true)},
        {"busiest_link", busiest(old.at("utilisation").at("links"), {"busy"},
                                 {"from", "to"}, false)}};
}

void addComparison(Json &result, const Json &old, double samples) {
  const Json compare = find(old, "compare");
  if (compare.is_null())
    return;
  result["compare"] = Json::object();
  for (const char *key :
       {"engine", "score", "samples", "output_values", "different_values",
        "answers", "same_class", "answer_rms", "rate_cosine", "correlation",
        "spikes_equal", "layers"})
    result["compare"][key] = find(compare, key);
  if (!result["compare"]["same_class"].is_null())
    result["compare"]["answers"] = uint64_t(samples);
  result["compare"]["score"] = scoreIn(compare, samples);
}

/// Static metrics were the float network's, the others those of the run.
void addNeuroBench(Json &result, const Json &old) {
  const Json fields = find(old, "neurobench");
  if (fields.is_null())
    return;
  Json ran = noNeuroBench(), floats = noNeuroBench();
  floats["Footprint"] = find(fields, "footprint");
  floats["ParameterCount"] = ran["ParameterCount"] =
      find(fields, "parameter_count");
  floats["ConnectionSparsity"] = find(fields, "connection_sparsity");
  ran["ActivationSparsity"] = find(fields, "activation_sparsity");
  ran["MembraneUpdates"] = find(fields, "membrane_updates");
  ran["SynapticOperations"] = find(fields, "synaptic_operations");
  floats["SynapticOperations"]["Dense"] =
      find(ran["SynapticOperations"], "Dense");
  result["neurobench"] = {{"integer", ran}, {"float", floats}};
}

} // namespace

Json upgraded(const Json &old) {
  Json result = emptyResult().json;
  for (const char *key : {"dendrolith",
                          "engine",
                          "model",
                          "program_sha256",
                          "target",
                          "timing",
                          "policies",
                          "rewrites",
                          "schedule",
                          "mapping",
                          "fit",
                          "quantisation",
                          "overridden_limits",
                          "layers",
                          "samples",
                          "ticks",
                          "steps",
                          "metric",
                          "compare_file",
                          "raster",
                          "saturations",
                          "spike_values",
                          "wall_s"})
    result[key] = find(old, key);
  const double samples = old.at("samples").get<double>();
  result["model"] = {{"name", old.at("model").at("name")},
                     {"sha256", find(old.at("model"), "sha256")},
                     {"file", nullptr}};
  if (!result["target"].is_null())
    result["target"]["overrides"] = Json::array();
  if (!result["timing"].is_null())
    result["timing"]["family"] = nullptr;
  if (!result["rewrites"].is_null())
    for (Json &row : result["rewrites"])
      row["removed_ids"] = find(row, "removed_ids");
  if (!result["mapping"].is_null())
    for (Json &row : result["mapping"].at("trade_off"))
      if (row["step_pj"] == 0)
        row["step_pj"] = nullptr;
  if (!result["schedule"].is_null())
    for (Json &row : result["schedule"].at("populations"))
      if (row["units_per_real"] == 0)
        row["units_per_real"] = nullptr;
  if (!result["layers"].is_null())
    for (Json &row : result["layers"]) {
      row["counts"] = row["energy_pJ"] = nullptr;
      row["kind"] = "population";
    }
  if (!result["wall_s"].contains("prepare"))
    result["wall_s"]["prepare"] = 0; // it was part of another time
  if (old.contains("counts")) {
    Json total = old.at("counts").at("total"),
         host = old.at("counts").at("host");
    total.erase("stalls");
    host.erase("stalls");
    result["counts"] = {{"total", total}, {"host", host}};
    addTimes(result, old);
  }
  result["score"] = scoreIn(old, samples);
  addComparison(result, old, samples);
  addNeuroBench(result, old);
  if (old.contains("peak_rss_mb"))
    result["peak_rss_bytes"] =
        std::llround(old.at("peak_rss_mb").get<double>() * 1e6);
  return result;
}

} // namespace dendrolith::report
