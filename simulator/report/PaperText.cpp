// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formula of PaperModel.h beside the counted energy.

#include "simulator/report/PaperModel.h"

#include "simulator/report/CountedBill.h"
#include "simulator/report/TextTable.h"

#include <fmt/format.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

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
std::string formulaReasons(const Json &result,
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
         formulaReasons(result, layers, bills);
}

} // namespace dendrolith::report
