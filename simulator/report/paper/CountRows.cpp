// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/CountRows.h"

#include "simulator/report/text/PartTables.h"
#include "simulator/report/text/SpikeText.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

double CountRow::number(const std::string &name) const {
  if (const auto found = numbers.find(name); found != numbers.end())
    return found->second;
  if (const auto found = convention->prices.find(name);
      found != convention->prices.end())
    return found->second.value;
  throw Error(fmt::format("{}: its '{}' are not in the result", label, name));
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

/// Adds the numbers of `more` to those of the same keys.
void addNumbers(Json &sum, const Json &more) {
  if (sum.is_null())
    sum = more;
  else if (sum.is_object())
    for (const auto &[key, value] : more.items())
      addNumbers(sum[key], value);
  else if (sum.is_number())
    sum = sum.get<double>() + more.get<double>();
}

/// The layer of each part that cores do of one, `layer.part` -> `layer`.
std::map<std::string, std::string> layersOfParts(const Json &layers) {
  std::set<std::string> divided;
  for (const Json &layer : layers)
    if (layer.at("kind") == "population" && layer.at("counts").is_null())
      divided.insert(layer.at("population"));
  std::map<std::string, std::string> layerOf;
  for (const Json &layer : layers) {
    const std::string part = layer.at("population");
    const std::string name = part.substr(0, part.rfind('.'));
    if (name != part && divided.count(name))
      layerOf[part] = name;
  }
  return layerOf;
}

/// The layers of the network. One that cores do in parts has their counts.
Json wholeLayers(Json layers,
                 const std::map<std::string, std::string> &layerOf) {
  std::map<std::string, Json> sums;
  Json whole = Json::array();
  for (Json &layer : layers)
    if (const auto part = layerOf.find(layer.at("population"));
        part != layerOf.end())
      addNumbers(sums[part->second], layer.at("counts"));
    else
      whole.push_back(std::move(layer));
  for (Json &layer : whole)
    if (const auto sum = sums.find(layer.at("population")); sum != sums.end())
      layer["counts"] = std::move(sum->second);
  return whole;
}

class FlowReader {
public:
  FlowReader(const Json &result, const Json &flows)
      : flows(flows), result(result),
        layerOf(layersOfParts(result.at("layers"))),
        layers(wholeLayers(result.at("layers"), layerOf)),
        populations(result.at("schedule").at("populations")),
        samples(double(result.at("samples").get<uint64_t>())) {}

  CountRows execute() {
    for (const Json &layer : layers) {
      const std::string name = layer.at("population");
      if (layer.at("kind") == "population")
        rows.layers.push_back(layerRow(layer));
      senders[name] = &layer;
    }
    if (rows.layers.empty())
      throw Error("the result has no layers");
    for (CountRow &layer : rows.layers) {
      double weights = 0;
      for (const Json &source : senders.at(nameOf(layer))->at("sources")) {
        const std::string from = source.at("name");
        if (!senders.count(from))
          throw Error(fmt::format("{}: its source '{}' is no layer of the "
                                  "result",
                                  layer.label, printable(from)));
        rows.projections.push_back(projectionRow(layer, source));
        weights += rows.projections.back().numbers.at("weights");
      }
      layer.numbers["weights"] = weights;
    }
    return std::move(rows);
  }

private:
  static std::string nameOf(const CountRow &layer) {
    return layer.label.substr(7, layer.label.size() - 8);
  }

  std::string layerNamed(const std::string &population) const {
    const auto found = layerOf.find(population);
    return found == layerOf.end() ? population : found->second;
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

  /// Weights that were quantised, and their bits. A network that was written in
  /// integers has as many as its shape says.
  void addWeights(CountRow &row, const std::string &from,
                  const std::string &target) const {
    auto &to = row.numbers;
    double weights = 0, bits = 0;
    if (const Json &rows = result.at("quantisation"); rows.is_array())
      for (const Json &each : rows)
        if (each.at("layer") == target && each.at("source") == from) {
          weights += each.at("weights").get<double>();
          bits = std::max(bits, each.at("weight_bits").get<double>());
        }
    if (bits > 0)
      to["weight_bits"] = bits;
    else if (to.count("convolution") && to["convolution"] != 0)
      weights = to["channels_in"] / to["groups"] * to["channels_out"] *
                to["kernel_height"] * to["kernel_width"];
    else
      weights = to["synapses"];
    to["weights"] = weights;
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
    to["dense"] =
        to["synapses"] == to["source_neurons"] * to["neurons"] ? 1 : 0;
    addOperations(row, from, target);
    addShape(row.numbers, source);
    addWeights(row, from, target);
    return row;
  }

  /// A dense projection is a convolution of one site with a kernel of one. A
  /// sparse one, or a pooling, has no such numbers.
  static void addShape(std::map<std::string, double> &to, const Json &source) {
    const Json kind = source.value("kind", Json()),
               window = source.value("window", Json());
    if (kind.is_null())
      return;
    to["biases"] = source.at("biases");
    to["convolution"] = kind == "convolution" ? 1 : 0;
    if (kind == "convolution") {
      const Json &output = window.at("output");
      to["channels_in"] = window.at("input")[0];
      to["channels_out"] = output[0];
      to["sites"] = output[1].get<double>() * output[2].get<double>();
      to["groups"] = window.at("groups");
      const char *axes[] = {"height", "width"};
      for (size_t axis = 0; axis < 2; ++axis) {
        to[std::string("kernel_") + axes[axis]] = window.at("kernel")[axis];
        to[std::string("stride_") + axes[axis]] = window.at("stride")[axis];
      }
    } else if (to["dense"] != 0) {
      to["channels_in"] = to["source_neurons"];
      to["channels_out"] = to["neurons"];
      for (const char *one : {"kernel_height", "kernel_width", "stride_height",
                              "stride_width", "groups", "sites"})
        to[one] = 1;
    }
  }

  /// Operations by every weight, zero ones included, where each source reaches
  /// each neuron; else those that the chip did, which stores no zero weight.
  double parallelSynapses(const std::string &from,
                          const std::string &target) const {
    double sum = 0;
    for (const Json &source : senders.at(target)->at("sources"))
      if (source.at("name") == from)
        sum += source.at("synapses").get<double>();
    return sum;
  }

  void addOperations(CountRow &row, const std::string &from,
                     const std::string &target) const {
    double all = 0, graded = 0;
    for (const Json &flow : flows)
      if (layerNamed(flow.at("source")) == from &&
          layerNamed(flow.at("target")) == target) {
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
    } else if (double both = parallelSynapses(from, target); both > 0) {
      // A flow is of all projections between two layers.
      all *= to["synapses"] / both;
      graded *= to["synapses"] / both;
    }
    to["accumulates"] = all - graded;
    to["multiplies"] = graded;
  }

  const Json &flows, &result;
  const std::map<std::string, std::string> layerOf;
  const Json layers;
  const Json &populations;
  const double samples;
  CountRows rows;
  std::map<std::string, const Json *> senders;
};

} // namespace

CountRows countRows(const Json &result, const Json &flows) {
  return FlowReader(result, flows).execute();
}

} // namespace dendrolith::report
