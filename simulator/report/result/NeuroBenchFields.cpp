// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/NeuroBenchFields.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json optional(const std::optional<double> &value) {
  return value ? Json(*value) : Json();
}

/// A score of NeuroBench's metric of that name, or null.
Json scoreOf(const Json &score, const char *metric) {
  return score.is_null() || score.at("metric") != metric ? Json()
                                                         : score.at("value");
}

void addScore(Json &fields, const Json &score) {
  fields["ClassificationAccuracy"] = scoreOf(score, "accuracy");
  fields["R2"] = scoreOf(score, "r2");
  fields["MSE"] = score.is_null() ? Json() : score.at("mse");
  fields["SMAPE"] = score.is_null() ? Json() : score.at("smape");
}

/// What quantisation made of the weights.
struct Weights {
  uint64_t count = 0, bits = 0, zeroed = 0;

  explicit Weights(const Json &rows) {
    for (const Json &row : rows) {
      const uint64_t weights = row.at("weights");
      count += weights;
      bits += weights * row.at("weight_bits").get<uint64_t>();
      zeroed += row.at("zeroed").get<uint64_t>();
    }
  }
};

/// The share of silent updates of each layer whose values were counted.
Json sparsityByLayer(const std::vector<sim::SpikeValues> &layers) {
  Json shares = Json::object();
  for (const sim::SpikeValues &values : layers)
    if (const uint64_t updates = values.updates())
      shares[values.name] =
          double(values.counts[size_t(-values.low)]) / double(updates);
  return shares;
}

Json integerFields(const Json &result, const sim::RunResult &run,
                   const Weights &weights) {
  const sim::NeuroBench &metrics = run.neuroBench;
  Json fields = noNeuroBench();
  fields["ParameterCount"] = metrics.parameterCount;
  fields["Footprint"] = metrics.footprint;
  fields["ConnectionSparsity"] = optional(metrics.connectionSparsity);
  if (weights.count && weights.count <= metrics.parameterCount) {
    fields["Footprint"] =
        (weights.bits + 7) / 8 + 4 * (metrics.parameterCount - weights.count);
    if (metrics.connectionSparsity)
      fields["ConnectionSparsity"] =
          std::round(1000 * (*metrics.connectionSparsity +
                             double(weights.zeroed) / double(weights.count))) /
          1000;
  }
  // A pooling that was merged into the map behind it: what was quantised, and
  // what ran, is no layer that the harness counts.
  const bool isMerged = weights.count > metrics.parameterCount;
  if (isMerged)
    fields["Footprint"] = fields["ConnectionSparsity"] = nullptr;
  addScore(fields, result.at("score"));
  fields["ActivationSparsity"] = optional(metrics.activationSparsity);
  fields["ActivationSparsityByLayer"] = sparsityByLayer(run.spikeValues);
  fields["MembraneUpdates"] = metrics.membraneUpdates;
  fields["SynapticOperations"] = {{"Effective_MACs", metrics.effectiveMacs},
                                  {"Effective_ACs", metrics.effectiveAcs},
                                  {"Dense", metrics.dense}};
  if (isMerged)
    fields["SynapticOperations"]["Effective_MACs"] =
        fields["SynapticOperations"]["Effective_ACs"] = nullptr;
  return fields;
}

/// Activity of the float network, of the layers that were compared with it.
void addFloatActivity(Json &fields, const Json &layers) {
  double silent = 0, all = 0;
  Json shares = Json::object();
  for (const Json &layer : layers)
    for (const Json &output : layer.at("outputs"))
      if (!output.at("other_rate").is_null()) {
        const double rate = output.at("other_rate"),
                     values = output.at("values");
        shares[layer.at("population").get<std::string>()] = 1 - rate;
        silent += values * (1 - rate);
        all += values;
      }
  if (all > 0)
    fields["ActivationSparsity"] = silent / all;
  fields["ActivationSparsityByLayer"] = shares;
}

Json floatFields(const Json &result, const sim::NeuroBench &metrics) {
  Json fields = noNeuroBench();
  fields["Footprint"] = metrics.footprint;
  fields["ParameterCount"] = metrics.parameterCount;
  fields["ConnectionSparsity"] = optional(metrics.connectionSparsity);
  fields["SynapticOperations"]["Dense"] = metrics.dense;
  const Json &compare = result.at("compare");
  if (compare.is_null() || compare.at("engine") != "float")
    return fields;
  addScore(fields, compare.at("score"));
  if (!compare.at("layers").is_null())
    addFloatActivity(fields, compare.at("layers"));
  return fields;
}

} // namespace

Json noNeuroBench() {
  Json fields;
  for (const char *key :
       {"Footprint", "ParameterCount", "ConnectionSparsity",
        "ClassificationAccuracy", "R2", "MSE", "SMAPE", "ActivationSparsity",
        "ActivationSparsityByLayer", "MembraneUpdates"})
    fields[key] = nullptr;
  fields["SynapticOperations"] = {{"Effective_MACs", nullptr},
                                  {"Effective_ACs", nullptr},
                                  {"Dense", nullptr}};
  return fields;
}

Json neuroBenchFields(const Json &result, const sim::RunResult &run) {
  const Json &rows = result.at("quantisation");
  const Weights weights(rows.is_null() ? Json::array() : rows);
  return {
      {"integer", integerFields(result, run, weights)},
      {"float", weights.count ? floatFields(result, run.neuroBench) : Json()}};
}

Json floatNeuroBench(const Json &result, uint64_t acs, uint64_t macs) {
  const double samples = double(result.at("samples").get<uint64_t>());
  Json fields = noNeuroBench();
  addScore(fields, result.at("score"));
  Json &operations = fields["SynapticOperations"];
  operations["Effective_MACs"] = double(macs) / samples;
  operations["Effective_ACs"] = double(acs) / samples;
  return {{"integer", nullptr}, {"float", fields}};
}

} // namespace dendrolith::report
