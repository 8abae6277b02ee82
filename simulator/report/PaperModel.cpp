// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/PaperModel.h"

#include "simulator/report/SpikeText.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

PaperCost paperCost(const PaperLayer &layer) {
  PaperCost cost;
  for (const PaperLayer::Branch &branch : layer.branches) {
    cost.dendriteFlops +=
        branch.channels * (3 * branch.modes + 1) * layer.steps;
    cost.somaFlops += 2 * branch.channels * layer.steps;
  }
  if (!layer.branches.empty())
    cost.somaFlops += 3 * layer.channels * layer.steps;
  for (const PaperLayer::Source &source : layer.sources)
    if (source.fires) {
      double rate = source.mean / source.units;
      cost.adds += source.steps * source.units * rate * source.synapses;
    }
  return cost;
}

std::vector<PaperLayer> paperLayers(const Json &result,
                                    const std::string &where) {
  std::vector<PaperLayer> layers;
  const Json &populations = result.at("schedule").at("populations");
  auto stepsOf = [&](const std::string &population) {
    return double(result.at("ticks").get<uint64_t>()) *
           double(std::max<uint64_t>(
               populations.at(population).at("ticks").get<uint64_t>(), 1));
  };
  bool branches = false;
  for (const Json &row : result.at("layers")) {
    if (row.value("kind", "population") != "population")
      continue;
    PaperLayer layer;
    layer.name = row.at("population");
    layer.channels = row.at("neurons");
    layer.steps = stepsOf(layer.name);
    for (const Json &branch : row.at("branches"))
      layer.branches.push_back(
          {branch.at("end").get<double>() - branch.at("first").get<double>(),
           branch.at("modes")});
    branches |= !layer.branches.empty();
    for (const Json &from : row.at("sources")) {
      PaperLayer::Source source;
      source.name = from.at("name");
      source.synapses = from.at("synapses");
      source.fires = populations.contains(source.name);
      if (source.fires) {
        if (!result.at("spike_values").contains(source.name))
          throw Error(where +
                      ": --model mmdend-paper needs the spike values of "
                      "layer '" +
                      source.name + "', which sends to '" + layer.name +
                      "'; its values are no small integers");
        SpikeShares shares =
            spikeShares(result.at("spike_values").at(source.name));
        source.steps = stepsOf(source.name);
        source.units = std::max(shares.largest, 1.0);
        source.mean = shares.mean;
      }
      layer.sources.push_back(source);
    }
    layers.push_back(std::move(layer));
  }
  if (!branches)
    throw Error(where +
                ": --model mmdend-paper counts the branches of dendritic "
                "neurons (dend.branch), the network has none");
  return layers;
}

Json paperModelJson(const std::vector<PaperLayer> &layers) {
  Json rows = Json::array();
  double total = 0;
  for (const PaperLayer &layer : layers) {
    PaperCost cost = paperCost(layer);
    total += cost.pJ();
    Json sources = Json::array();
    for (const PaperLayer::Source &source : layer.sources)
      if (source.fires)
        sources.push_back({{"name", source.name},
                           {"steps", source.steps},
                           {"units", source.units},
                           {"rate", source.mean / source.units},
                           {"synapses", source.synapses}});
    rows.push_back({{"layer", layer.name},
                    {"sources", sources},
                    {"dendrite_flops", cost.dendriteFlops},
                    {"soma_flops", cost.somaFlops},
                    {"layer_adds", cost.adds},
                    {"energy_pJ", cost.pJ()}});
  }
  return {{"name", "mmdend-paper"},
          {"mac_pJ", kPaperMacPj},
          {"add_pJ", kPaperAddPj},
          {"per_sample_pJ", total},
          {"layers", rows}};
}

} // namespace dendrolith::report
