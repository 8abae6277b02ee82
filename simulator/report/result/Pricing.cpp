// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Pricing.h"

#include "simulator/report/result/LayerBill.h"
#include "simulator/report/result/SampleBill.h"
#include "simulator/report/result/Spread.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

} // namespace dendrolith::report
