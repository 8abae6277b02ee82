// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/DendriclPaper.h"

#include "simulator/report/paper/CountedBill.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

// An event is listed from so many per cent on.
constexpr double kLeastShare = 1;

std::string spikeTable(const SpikeCount &count) {
  TextTable table({"layer", "spikes per pass", "per token", "updates silent",
                   "at 0.9 pJ (nJ)", "at 30 pJ (nJ)"});
  double updates = 0;
  auto row = [&](const std::string &name, double spikes, double of) {
    table.add({name, fmt::format("{:.1f}", spikes),
               fmt::format("{:.1f}", spikes / count.tokens),
               fmt::format("{:.1f} %", of > 0 ? 100 * (1 - spikes / of) : 0),
               nano(kPaperLoihiPj * spikes), nano(kPaperSpinnakerPj * spikes)});
  };
  for (const SpikeCount::LayerSpikes &layer : count.layers) {
    row(layer.name, layer.spikes, layer.updates);
    updates += layer.updates;
  }
  row("all", count.spikes(), updates);
  return table.text();
}

/// Lists events with at least kLeastShare of a bill. The largest of the last
/// bill stands first.
std::string dominantTable(const std::vector<Bill> &bills) {
  std::vector<std::string> header = {"dominating event", "per sample"};
  for (size_t i = 0; i < bills.size(); ++i)
    header.push_back(bills.size() < 2 ? "of the energy"
                     : i              ? "of the high end"
                                      : "of the low end");
  std::vector<std::pair<std::string, Bill::EventSum>> events(
      bills.back().byEvent.begin(), bills.back().byEvent.end());
  std::stable_sort(events.begin(), events.end(),
                   [](auto &a, auto &b) { return a.second.pJ > b.second.pJ; });
  TextTable table(header);
  for (const auto &[event, last] : events) {
    std::vector<std::string> row = {event, fmt::format("{:.0f}", last.events)};
    double most = 0;
    for (const Bill &bill : bills) {
      auto at = bill.byEvent.find(event);
      double share = at == bill.byEvent.end() ? 0 : bill.share(at->second);
      most = std::max(most, share);
      row.push_back(fmt::format("{:.1f} %", share));
    }
    if (most >= kLeastShare)
      table.add(row);
  }
  return table.text();
}

/// Returns the synaptic operations of a sample: all, and those of graded
/// messages.
std::pair<double, double> synapticOperations(const Json &result) {
  double samples = double(result.at("samples").get<uint64_t>()), all = 0,
         graded = 0;
  const Json &synops = result.at("counts").at("total").at("synops");
  for (const char *kind : {"dense", "sparse", "conv"}) {
    all += synops.at(kind).get<double>() / samples;
    graded += synops.at("graded").at(kind).get<double>() / samples;
  }
  return {all, graded};
}

/// Says what the estimate leaves out, with the numbers of this run.
std::string dendriclReasons(const Json &result, const SpikeCount &count,
                            const std::vector<Bill> &bills) {
  const Bill &bill = bills.back();
  auto [synops, graded] = synapticOperations(result);
  double spikes = count.spikes();
  std::string out = whyHeading(bills);
  out += fmt::format(
      "- The estimate pays for a spike once, when it leaves. On a chip an "
      "event "
      "is work where it arrives: {:.0f} synaptic operations a sample are those "
      "of binary events, {:.0f} for each spike above; all synapses are {:.0f} "
      "% "
      "of the counted energy.\n",
      synops - graded, spikes > 0 ? (synops - graded) / spikes : 0,
      bill.share(Group::Synapses));
  if (graded > 0)
    out += fmt::format(
        "- It counts nothing that is no spike. Here inputs and compartments "
        "send real numbers as graded messages (an apical state is dense, in "
        "every token), whose {:.0f} synaptic operations a sample are {:.0f} % "
        "of all.\n",
        graded, 100 * graded / synops);
  out += fmt::format(
      "- It counts no update of a neuron. Silent or not, compartments are "
      "visited, their programs run and their state is read and written: {:.0f} "
      "visits and instructions ({:.0f} % of the counted energy), {:.0f} words "
      "({:.0f} %), arithmetic beside them ({:.0f} %).\n",
      bill.of(Group::Visits).events, bill.share(Group::Visits),
      bill.of(Group::State).events, bill.share(Group::State),
      bill.share(Group::Arithmetic));
  out += fmt::format(
      "- What it does pay for, sending, is {:.1f} % of the counted energy, "
      "messages and hops included; it knows no static energy{}.\n",
      bill.share(Group::Messages), bill.stillText());
  out +=
      "- It cites 0.9 pJ from Davies et al. (2018). Table 2 there, which our "
      "tables hold, has no such number: at least 23.6 pJ for a synaptic "
      "operation, 52 to 81 pJ for a neuron update, 1.7 pJ for a spike within "
      "a tile, 3 to 4 pJ for a hop. 0.9 pJ is the usual figure of an FP32 "
      "addition at 45 nm (Horowitz 2014).\n";
  return out;
}

} // namespace

double SpikeCount::spikes() const {
  double sum = 0;
  for (const LayerSpikes &layer : layers)
    sum += layer.spikes;
  return sum;
}

SpikeCount countSpikes(const Json &result, const std::string &where) {
  double samples = double(result.at("samples").get<uint64_t>());
  SpikeCount count;
  count.tokens = double(result.at("ticks").get<uint64_t>());
  for (const auto &[name, values] : result.at("spike_values").items()) {
    if (values.size() != 2 || !values.contains("0") || !values.contains("1"))
      continue;
    double spikes = values.at("1").get<double>() / samples;
    count.layers.push_back(
        {name, spikes, spikes + values.at("0").get<double>() / samples});
  }
  if (count.layers.empty())
    throw Error(where + ": --model dendricl-paper counts binary spikes, no "
                        "layer of the network sends any");
  return count;
}

std::string formatDendriclPaper(const Json &result, const SpikeCount &count) {
  double spikes = count.spikes();
  std::vector<Bill> bills = countedBills(result);
  std::string out =
      "DendriCL, appendix H and table 9: spikes of a forward pass x a price "
      "per "
      "spike (0.9 pJ Loihi, 30 pJ SpiNNaker)\n" +
      spikeTable(count) +
      fmt::format("Formula: {} nJ per forward pass of {:.0f} tokens at 0.9 pJ, "
                  "{} nJ at 30 pJ\n\n",
                  nano(kPaperLoihiPj * spikes), count.tokens,
                  nano(kPaperSpinnakerPj * spikes)) +
      billTable(bills);
  if (spikes > 0)
    out += fmt::format("Counted over formula: {} at 0.9 pJ, {} at 30 pJ; "
                       "counted per spike: {} pJ\n",
                       ratioText(bills, kPaperLoihiPj * spikes),
                       ratioText(bills, kPaperSpinnakerPj * spikes),
                       ratioText(bills, spikes));
  return out + "\n" + dominantTable(bills) + "\n" +
         dendriclReasons(result, count, bills);
}

Json dendriclPaperJson(const SpikeCount &count) {
  Json rows = Json::array();
  for (const SpikeCount::LayerSpikes &layer : count.layers)
    rows.push_back({{"layer", layer.name},
                    {"spikes_per_sample", layer.spikes},
                    {"spikes_per_token", layer.spikes / count.tokens},
                    {"updates_per_sample", layer.updates}});
  double spikes = count.spikes();
  return {{"name", "dendricl-paper"},
          {"spikes_per_sample", spikes},
          {"spikes_per_token", spikes / count.tokens},
          {"loihi",
           {{"spike_pJ", kPaperLoihiPj},
            {"per_sample_pJ", kPaperLoihiPj * spikes}}},
          {"spinnaker",
           {{"spike_pJ", kPaperSpinnakerPj},
            {"per_sample_pJ", kPaperSpinnakerPj * spikes}}},
          {"layers", rows}};
}

} // namespace dendrolith::report
