// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/CountRows.h"

#include "simulator/report/text/PartTables.h"
#include "simulator/report/text/SpikeText.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

double CountRow::number(const std::string &name) const {
  if (const auto found = numbers.find(name); found != numbers.end())
    return found->second;
  if (const auto found = convention->prices.find(name);
      found != convention->prices.end())
    return found->second.value;
  throw Error(fmt::format("{}: its '{}' are not known", label, name));
}

double CountRow::call(const std::string &function,
                      const std::vector<double> &of) const {
  if (const auto found = convention->curves.find(function);
      found != convention->curves.end())
    return found->second.at(of[0]);
  if (function == "ceil")
    return std::ceil(of[0]);
  if (function == "floor")
    return std::floor(of[0]);
  if (function == "log2")
    return std::log2(of[0]);
  return function == "min" ? *std::min_element(of.begin(), of.end())
                           : *std::max_element(of.begin(), of.end());
}

namespace {

class Reader {
public:
  Reader(const Json &result, const Json &flows)
      : result(result), flows(flows),
        populations(result.at("schedule").at("populations")),
        samples(double(result.at("samples").get<uint64_t>())) {}

  CountRows execute() {
    for (const Json &layer : result.at("layers")) {
      const std::string name = layer.at("population");
      if (layer.at("kind") == "population")
        rows.layers.push_back(layerRow(layer));
      senders[name] = &layer;
    }
    for (const CountRow &layer : rows.layers)
      for (const Json &source : senders.at(nameOf(layer))->at("sources"))
        rows.projections.push_back(projectionRow(layer, source));
    return std::move(rows);
  }

private:
  static std::string nameOf(const CountRow &layer) {
    return layer.label.substr(7, layer.label.size() - 8);
  }

  double perSample(const Json &count) const {
    return double(sumOf(count)) / samples;
  }

  double stepsOf(const std::string &name) const {
    const double ticks = double(result.at("ticks").get<uint64_t>());
    return populations.contains(name)
               ? ticks *
                     std::max(populations.at(name).at("ticks").get<double>(),
                              1.0)
               : ticks;
  }

  /// Weights that were quantised, or their bits, of a layer and of one source.
  double quantised(const std::string &layer, const std::string &source,
                   const char *key, bool most) const {
    double sum = 0;
    for (const Json &row : result.at("quantisation"))
      if (row.at("layer") == layer &&
          !row.at("source").get<std::string>().empty() &&
          (source.empty() || row.at("source") == source)) {
        const double value = row.at(key);
        sum = most ? std::max(sum, value) : sum + value;
      }
    return sum;
  }

  CountRow layerRow(const Json &layer) const {
    const std::string name = layer.at("population");
    const Json &counts = layer.at("counts"), &spikes = counts.at("spikes");
    CountRow row;
    row.label = "layer '" + name + "'";
    auto &to = row.numbers;
    to["neurons"] = layer.at("neurons");
    to["steps"] = stepsOf(name);
    to["updates"] = perSample(counts.at("neuron_updates_active")) +
                    perSample(counts.at("neuron_updates_inactive"));
    to["sent"] = perSample(spikes);
    to["graded_sent"] = perSample(spikes.at("graded"));
    to["binary_sent"] = to["sent"] - to["graded_sent"];
    to["synapses"] = to["inputs"] = to["branch_pairs"] = to["branch_modes"] = 0;
    for (const Json &source : layer.at("sources")) {
      to["synapses"] += source.at("synapses").get<double>();
      to["inputs"] += 1;
    }
    for (const Json &branch : layer.at("branches")) {
      const double channels =
          branch.at("end").get<double>() - branch.at("first").get<double>();
      to["branch_pairs"] += channels;
      to["branch_modes"] += channels * branch.at("modes").get<double>();
    }
    to["weights"] = quantised(name, "", "weights", false);
    return row;
  }

  CountRow projectionRow(const CountRow &layer, const Json &source) const {
    const std::string target = nameOf(layer), from = source.at("name");
    CountRow row = layer;
    row.label = "'" + from + "' to '" + target + "'";
    auto &to = row.numbers;
    const Json &sender = *senders.at(from);
    const bool input = sender.at("kind") == "input";
    to["synapses"] = source.at("synapses");
    to["source_neurons"] = sender.at("neurons");
    to["source_steps"] = stepsOf(from);
    to["from_input"] = input;
    to["events"] =
        perSample(sender.at("counts").at(input ? "inputs" : "spikes"));
    if (const Json &values = result.at("spike_values");
        !input && values.is_object() && values.contains(from)) {
      const SpikeShares shares = spikeShares(values.at(from));
      to["values"] = shares.mean * shares.updates / samples;
    }
    to["weights"] = quantised(target, from, "weights", false);
    to["weight_bits"] = quantised(target, from, "weight_bits", true);
    to["dense"] =
        to["synapses"] == to["source_neurons"] * to["neurons"] ? 1 : 0;
    addOperations(row, from, target);
    return row;
  }

  /// Operations by every weight, zero ones included, where each source reaches
  /// each neuron; else those that the chip did, which stores no zero weight.
  void addOperations(CountRow &row, const std::string &from,
                     const std::string &target) const {
    double all = 0, graded = 0;
    for (const Json &flow : flows)
      if (flow.at("source") == from && flow.at("target") == target) {
        const Json &synops = flow.at("counts").at("synops");
        graded += perSample(synops.at("graded"));
        for (const char *kind : {"dense", "sparse", "conv"})
          all += perSample(synops.at(kind));
      }
    auto &to = row.numbers;
    if (to["dense"] != 0) {
      const double logical = to["events"] * to["neurons"];
      graded = all > 0 ? logical * graded / all : 0;
      all = logical;
    }
    to["accumulates"] = all - graded;
    to["multiplies"] = graded;
  }

  const Json &result, &flows, &populations;
  const double samples;
  CountRows rows;
  std::map<std::string, const Json *> senders;
};

} // namespace

CountRows countRows(const Json &result, const Json &flows) {
  return Reader(result, flows).execute();
}

} // namespace dendrolith::report
