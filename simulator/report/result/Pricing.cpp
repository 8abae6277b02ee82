// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Pricing.h"

#include "simulator/energy/Energy.h"
#include "simulator/record/CountsRecord.h"
#include "simulator/record/Json.h"
#include "simulator/report/result/Bootstrap.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

std::vector<CostTable> chooseCosts(const std::string &name,
                                   const Target &target) {
  if (!name.empty() || !target.costBand)
    return {CostTable::load(name, target)};
  auto [low, high] = CostTable::loadBand(target);
  return {low, high};
}

std::string addEnergy(Json &result, const sim::Counts &counts,
                      const std::vector<CostTable> &tables, uint64_t timePs) {
  const bool band = tables.size() > 1;
  std::string text;
  Json costs = Json::object(), energy = Json::object();
  for (const char *end : {"low", "high"}) {
    const bool isHigh = end == std::string("high");
    const CostTable &table = isHigh ? tables.back() : tables.front();
    costs[end] = {{"name", table.name},
                  {"sha256", table.hash},
                  {"voltage", table.voltage},
                  {"scope", table.scope}};
    sim::Energy bill = sim::price(counts, table, timePs);
    energy[end] = sim::toJson(bill);
    if (band)
      text += fmt::format("{}{} end of the band\n", isHigh ? "\n" : "",
                          isHigh ? "High" : "Low");
    if (band || isHigh)
      text += sim::formatEnergy(bill);
  }
  result["costs"] = std::move(costs);
  energy["per_sample_pJ"] = nullptr;
  result["energy"] = std::move(energy);
  return text;
}

void addPartEnergy(Json &result, Json &tables,
                   const std::vector<CostTable> &costs,
                   const std::string &where) {
  if (!result.at("layers").is_null())
    priceRows(result["layers"], costs, where + ": layers");
  if (tables.is_null() || !tables.contains("flows") ||
      tables.at("flows").is_null())
    return;
  priceRows(tables["flows"], costs, where + ": flows");
  Json &samples = tables["samples"];
  samples["energy_pJ"] =
      priceSamples(samples.at("counts"), result.at("samples").get<uint64_t>(),
                   costs, where + ": samples.counts");
  Json spread;
  for (const auto &[end, column] : samples.at("energy_pJ").items()) {
    std::vector<double> known;
    for (const Json &energy : column)
      if (!energy.is_null())
        known.push_back(energy.get<double>());
    spread[end] = spreadOf(known);
  }
  result["energy"]["per_sample_pJ"] = std::move(spread);
}

std::optional<Warning> otherFamily(const std::vector<CostTable> &tables,
                                   const TimingSet &timing, uint64_t timePs) {
  for (const CostTable &table : tables)
    if (timePs && !table.matches(timing))
      return Warning{
          "other-family", fmt::format("costs '{}'", table.name),
          fmt::format("they are of family '{}', the run's timing '{}' of "
                      "family '{}'; static energy uses the time of the run",
                      table.family, timing.name, timing.family)};
  return std::nullopt;
}

void replaceWarning(Json &result, const std::string &code,
                    const std::optional<Warning> &warning) {
  Json rows = Json::array();
  for (const Json &row : result.at("warnings"))
    if (row.at("code") != code)
      rows.push_back(row);
  if (warning)
    rows.push_back({{"code", warning->code},
                    {"where", warning->where},
                    {"text", warning->text}});
  result["warnings"] = rows;
}

Json sampleCounts(const std::vector<sim::CoreCounts> &samples) {
  Json columns = Json::object();
  for (Counter event : energyEvents()) {
    std::vector<uint64_t> column;
    for (const sim::CoreCounts &sample : samples)
      column.push_back(sample[event]);
    if (std::any_of(column.begin(), column.end(),
                    [](uint64_t count) { return count > 0; }))
      columns[counterName(event)] = column;
  }
  return columns;
}

Json priceSamples(const Json &counts, uint64_t samples,
                  const std::vector<CostTable> &tables,
                  const std::string &where) {
  std::vector<sim::CoreCounts> all(samples);
  for (const auto &item : counts.items()) {
    const std::string place = where + "." + printable(item.key());
    const std::optional<Counter> event = counterOf(item.key());
    if (!event || rowOf(*event).order == 0)
      throw Error(place + ": expected an energy event");
    if (!item.value().is_array() || item.value().size() != samples)
      throw Error(
          fmt::format("{}: expected an array of {} counts", place, samples));
    for (uint64_t s = 0; s < samples; ++s)
      all[s][*event] = sim::readCount(nlohmann::json(item.value()[s]),
                                      fmt::format("{}[{}]", place, s));
  }
  Json energies;
  const char *ends[] = {"low", "high"};
  for (const char *end : ends) {
    const sim::Pricer pricer(end == ends[0] ? tables.front() : tables.back());
    Json &column = energies[end] = Json::array();
    for (const sim::CoreCounts &sample : all) {
      const std::optional<double> energy = pricer.energy(sample);
      column.push_back(energy ? Json(*energy) : Json());
    }
  }
  return energies;
}

void addLayerCounts(Json &layers, const sim::Attribution &attribution) {
  for (Json &row : layers)
    row["kind"] = "population";
  auto rowOf = [&](const std::string &name, const char *kind,
                   uint64_t neurons) -> Json & {
    for (Json &row : layers)
      if (row.at("population") == name && row.at("kind") == kind)
        return row;
    layers.push_back({{"population", name},
                      {"neurons", neurons},
                      {"branches", Json::array()},
                      {"sources", Json::array()},
                      {"counts", nullptr},
                      {"energy_pJ", nullptr},
                      {"kind", kind}});
    return layers.back();
  };
  for (const sim::LayerCounts &layer : attribution.layers)
    rowOf(layer.name, layer.isInput ? "input" : "population",
          layer.neurons)["counts"] = sim::toJson(layer.counts, false);
  rowOf("", "chip", 0)["counts"] = sim::toJson(attribution.chip, true);
}

Json flowRows(const sim::Attribution &attribution) {
  Json rows = Json::array();
  for (const sim::FlowCounts &flow : attribution.flows) {
    Json row = {{"source", attribution.layers[flow.source].name},
                {"target", nullptr},
                {"to", "population"}};
    if (flow.target == sim::FlowCounts::host)
      row["to"] = "host";
    else if (flow.target == sim::FlowCounts::several)
      row["to"] = "several";
    else
      row["target"] = attribution.layers[flow.target].name;
    row["counts"] = sim::toJson(flow.counts, false);
    row["energy_pJ"] = nullptr;
    rows.push_back(std::move(row));
  }
  return rows;
}

void priceRows(Json &rows, const std::vector<CostTable> &tables,
               const std::string &where) {
  const sim::Pricer low(tables.front()), high(tables.back());
  for (size_t i = 0; i < rows.size(); ++i) {
    Json &row = rows[i];
    if (row.at("counts").is_null())
      continue;
    const bool isChip = row.contains("kind") && row.at("kind") == "chip";
    const sim::CoreCounts counts =
        sim::coreCountsFromJson(nlohmann::json(row.at("counts")), isChip,
                                fmt::format("{}[{}].counts", where, i));
    const std::optional<double> least = low.energy(counts),
                                most = high.energy(counts);
    row["energy_pJ"] = nullptr;
    if (least && most)
      row["energy_pJ"] = {{"low", *least}, {"high", *most}};
  }
}

} // namespace dendrolith::report
