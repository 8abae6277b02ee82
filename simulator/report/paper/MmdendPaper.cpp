// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/MmdendPaper.h"

#include "simulator/report/paper/CountedBill.h"
#include "simulator/report/text/SpikeText.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

namespace {

std::string termTable(const std::vector<PaperLayer> &layers) {
  TextTable table(
      {"layer", "term", "operations", "pJ each", "energy (nJ)", "from"});
  for (const PaperLayer &layer : layers) {
    PaperCost cost = paperCost(layer);
    auto row = [&](const char *term, double flops, double each,
                   const std::string &from) {
      table.add({layer.name, term, fmt::format("{:.0f}", flops),
                 fmt::format("{}", each), nano(flops * each), from});
    };
    double pairs = 0;
    for (const PaperLayer::Branch &branch : layer.branches)
      pairs += branch.channels;
    if (!layer.branches.empty()) {
      row("dendrite", cost.dendriteFlops, kPaperMacPj,
          fmt::format("{} branches, {:.0f} (channel, branch) pairs x (3K + 1) "
                      "x {:.0f} steps",
                      layer.branches.size(), pairs, layer.steps));
      row("soma", cost.somaFlops, kPaperMacPj,
          fmt::format("(2 x {:.0f} pairs + 3 x {:.0f} channels) x {:.0f} steps",
                      pairs, layer.channels, layer.steps));
    }
    for (const PaperLayer::Source &source : layer.sources) {
      if (!source.fires) {
        table.add({layer.name, "synapses", "-", "-", "-",
                   fmt::format("{}: an input, for which the formula has no "
                               "term ({:.0f} synapses)",
                               source.name, source.synapses)});
        continue;
      }
      PaperLayer only = layer;
      only.branches.clear();
      only.sources = {source};
      row("synapses", paperCost(only).adds, kPaperAddPj,
          fmt::format(
              "{}: T = {:.0f} steps x Ubar {:.0f}, R = {:.4f} (mean |S| "
              "{:.4f} / Ubar), {:.0f} synapses",
              source.name, source.steps, source.units,
              source.mean / source.units, source.mean, source.synapses));
    }
  }
  return table.text();
}

/// What the formula leaves out, with the numbers of this run.
std::string mmdendReasons(const Json &result,
                          const std::vector<PaperLayer> &layers,
                          const std::vector<Bill> &bills) {
  const Bill &bill = bills.back();
  double macs = 0;
  double modes = 0, real = 0; // MACs of branches as the paper and as reals
  bool complex = false;
  for (const PaperLayer &layer : layers) {
    PaperCost cost = paperCost(layer);
    macs += cost.dendriteFlops + cost.somaFlops;
    for (const PaperLayer::Branch &branch : layer.branches) {
      modes += branch.channels * (3 * branch.modes + 1);
      real += branch.channels * (8 * branch.modes + 1);
    }
  }
  for (const Json &layer : result.at("layers"))
    for (const Json &branch : layer.at("branches"))
      complex |= branch.at("complex").get<bool>();
  auto share = [&](Group group) { return bill.share(group); };
  auto events = [&](Group group) { return bill.of(group).events; };
  std::string out = whyHeading(bills);
  out += fmt::format(
      "- The formula prices arithmetic only. A core also reads and writes "
      "state, parameters and ports: {:.0f} words a sample here, {:.0f} % of "
      "the counted energy.\n",
      events(Group::State), share(Group::State));
  out += fmt::format(
      "- It pays for {:.0f} operations of neurons a sample, whatever is "
      "active; the programs did {:.0f} ({:.0f} % of the counted energy), each "
      "element "
      "at the price of its instruction, with instruction issue and visits of "
      "neurons beside them ({:.0f} %).{}\n",
      macs, events(Group::Arithmetic), share(Group::Arithmetic),
      share(Group::Visits),
      complex
          ? fmt::format(" It counts a complex multiplication once: a branch "
                        "takes 8K + 1 real ones (6K + 1 in the gauge that "
                        "programs run), not 3K + 1: {:.2f} times as many here.",
                        real / modes)
          : "");
  const Json &spikes = result.at("counts").at("total").at("spikes");
  out += fmt::format(
      "- It pays one addition per synapse and unit spike. Here {}; the input's "
      "synapses are counted too, and reading them from memory is part of their "
      "price ({:.0f} % of the counted energy).\n",
      spikes.at("graded").get<uint64_t>() > 0
          ? "a graded spike carries all of S, so that its synapses are applied "
            "once"
          : "unary spikes do the same",
      share(Group::Synapses));
  out += fmt::format(
      "- It knows no messages, hops and barriers ({:.0f} % of the counted "
      "energy) and no static energy{}. Its 4.6 and 0.9 pJ are FP32 operations "
      "at 45 nm; the chip's prices are those of its cost table.\n",
      share(Group::Messages) + share(Group::Rest), bill.stillText());
  return out;
}

} // namespace

std::string formatPaperModel(const Json &result,
                             const std::vector<PaperLayer> &layers) {
  double formula = 0;
  for (const PaperLayer &layer : layers)
    formula += paperCost(layer).pJ();
  std::vector<Bill> bills = countedBills(result);
  return "MMDEND, section 5.4 and table 4: E_MAC Flops_neu + T R E_AC "
         "Flops_layer, per sample;\nT is taken once, although table 4 has it "
         "in Flops_layer, too\n" +
         termTable(layers) +
         fmt::format("Formula: {} nJ per sample\n\n", nano(formula)) +
         billTable(bills) +
         fmt::format("Counted over formula: {}\n\n",
                     ratioText(bills, formula)) +
         mmdendReasons(result, layers, bills);
}

} // namespace dendrolith::report
