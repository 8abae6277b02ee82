// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formula of PaperModel.h beside the counted energy.

#include "runtime/driver/PaperModel.h"

#include "runtime/driver/TextTable.h"

#include <fmt/format.h>

#include <map>

namespace neurite::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNano = 1e3; // pJ

/// Groups of the bill, in the order they are printed.
const char *const kGroups[] = {
    "neuron arithmetic", "state and parameters", "instructions and visits",
    "synapses",          "spikes and messages",  "barriers and resets"};

const char *groupOf(const std::string &event) {
  auto starts = [&](const char *prefix) { return event.rfind(prefix, 0) == 0; };
  if (event == "microcode.load" || event == "microcode.store")
    return kGroups[1];
  if (event == "microcode.issue" || event == "microcode.control" ||
      event == "microcode.emit" || starts("neuron_updates"))
    return kGroups[2];
  if (starts("microcode.") || starts("join_ops") || event == "ssf_rungs")
    return kGroups[0];
  if (starts("synops") || event == "synmem_words" || event == "axon_reads")
    return kGroups[3];
  if (event == "barriers" || event == "resets")
    return kGroups[5];
  return kGroups[4];
}

/// One end of the band, or the only bill.
struct Bill {
  std::map<std::string, double> pJ;     // by group, per sample
  std::map<std::string, double> events; // by group, per sample
  double total = 0;

  Bill(const Json &energy, double samples)
      : total(energy.at("total_pJ").get<double>() / samples) {
    for (const auto &[event, entry] : energy.at("by_event").items()) {
      events[groupOf(event)] += entry.at("count").get<double>() / samples;
      if (entry.contains("energy_pJ"))
        pJ[groupOf(event)] += entry.at("energy_pJ").get<double>() / samples;
    }
  }
};

std::string nano(double pJ) { return fmt::format("{:.2f}", pJ / kNano); }

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

std::string billTable(const std::vector<Bill> &bills) {
  TextTable table(bills.size() > 1
                      ? std::vector<std::string>{"counted energy", "events",
                                                 "low (nJ)", "high (nJ)"}
                      : std::vector<std::string>{"counted energy", "events",
                                                 "energy (nJ)"});
  auto value = [](const std::map<std::string, double> &of, const char *group) {
    auto at = of.find(group);
    return at == of.end() ? 0.0 : at->second;
  };
  for (const char *group : kGroups) {
    std::vector<std::string> row = {
        group, fmt::format("{:.0f}", value(bills.front().events, group))};
    for (const Bill &bill : bills)
      row.push_back(nano(value(bill.pJ, group)));
    table.add(row);
  }
  std::vector<std::string> total = {"all", ""};
  for (const Bill &bill : bills)
    total.push_back(nano(bill.total));
  table.add(total);
  return table.text();
}

/// What the formula leaves out, with the numbers of this run.
std::string reasons(const Json &result, const std::vector<PaperLayer> &layers,
                    const std::vector<Bill> &bills) {
  const Bill &bill = bills.back();
  double samples = double(result.at("samples").get<uint64_t>()), macs = 0;
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
  auto share = [&](const char *group) {
    auto at = bill.pJ.find(group);
    return at == bill.pJ.end() || bill.total <= 0
               ? 0.0
               : 100 * at->second / bill.total;
  };
  auto events = [&](const char *group) {
    auto at = bill.events.find(group);
    return at == bill.events.end() ? 0.0 : at->second;
  };
  std::string out =
      std::string("Why they differ") +
      (bills.size() > 1 ? " (shares at the high end of the band)\n" : "\n");
  out += fmt::format(
      "- The formula prices arithmetic only. A core also reads and writes "
      "state, parameters and ports: {:.0f} words a sample here, {:.0f} % of "
      "the counted energy.\n",
      events(kGroups[1]), share(kGroups[1]));
  out += fmt::format(
      "- It pays for {:.0f} operations of neurons a sample, whatever is "
      "active; the programs did {:.0f} ({:.0f} % of the counted energy), each "
      "element "
      "at the price of its instruction, with instruction issue and visits of "
      "neurons beside them ({:.0f} %).{}\n",
      macs, events(kGroups[0]), share(kGroups[0]), share(kGroups[2]),
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
      share(kGroups[3]));
  double still = 0;
  const Json &last = result.contains("energy_band")
                         ? result.at("energy_band").at("high")
                         : result.at("energy");
  if (last.at("static_pJ").is_number())
    still = last.at("static_pJ").get<double>() / samples;
  out += fmt::format(
      "- It knows no messages, hops and barriers ({:.0f} % of the counted "
      "energy) and no static energy{}. Its 4.6 and 0.9 pJ are FP32 operations "
      "at 45 nm; the chip's prices are those of its cost table.\n",
      share(kGroups[4]) + share(kGroups[5]),
      still > 0 ? fmt::format(" ({} nJ a sample, not in the total above)",
                              nano(still))
                : "");
  return out;
}

} // namespace

std::string formatPaperModel(const Json &result,
                             const std::vector<PaperLayer> &layers) {
  double samples = double(result.at("samples").get<uint64_t>()), formula = 0;
  for (const PaperLayer &layer : layers)
    formula += paperCost(layer).pJ();
  std::vector<Bill> bills;
  if (result.contains("energy_band"))
    for (const char *end : {"low", "high"})
      bills.emplace_back(result.at("energy_band").at(end), samples);
  else
    bills.emplace_back(result.at("energy"), samples);
  std::string ratio;
  for (const Bill &bill : bills)
    ratio += fmt::format("{}{:.3g}", ratio.empty() ? "" : " to ",
                         bill.total / formula);
  return "MMDEND, section 5.4 and table 4: E_MAC Flops_neu + T R E_AC "
         "Flops_layer, per sample\n" +
         termTable(layers) +
         fmt::format("Formula: {} nJ per sample\n\n", nano(formula)) +
         billTable(bills) + fmt::format("Counted over formula: {}\n\n", ratio) +
         reasons(result, layers, bills);
}

} // namespace neurite::driver
