// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/LayerBill.h"

#include "simulator/energy/Pricer.h"
#include "simulator/record/CountsRecord.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

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
