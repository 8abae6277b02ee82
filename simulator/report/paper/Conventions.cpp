// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/Conventions.h"

#include "simulator/report/paper/CountedBill.h"
#include "simulator/report/text/PartTables.h"
#include "simulator/report/text/SpikeText.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// What a formula reads: the counts of a layer or projection, per sample, the
/// prices and the curves of a convention.
class Row : public yaml::Meaning {
public:
  double number(const std::string &name) const override {
    if (const auto found = numbers.find(name); found != numbers.end())
      return found->second;
    if (const auto found = convention->prices.find(name);
        found != convention->prices.end())
      return found->second.value;
    throw Error(fmt::format("{}: {} of it {} not known", label, name,
                            name == "values" ? "(its magnitudes)" : "is"));
  }

  std::string text(const std::string &) const override { return ""; }

  double call(const std::string &function,
              const std::vector<double> &of) const override {
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

  std::string label; // "layer 'lif1'" or "'input' to 'lif1'"
  std::map<std::string, double> numbers;
  const Convention *convention = nullptr;
};

class RowReader {
public:
  RowReader(const Json &result, const Json &flows)
      : result(result), flows(flows),
        populations(result.at("schedule").at("populations")),
        samples(double(result.at("samples").get<uint64_t>())) {}

  void execute() {
    for (const Json &layer : result.at("layers")) {
      const std::string name = layer.at("population");
      if (layer.at("kind") == "population")
        layers.push_back(layerRow(layer));
      senders[name] = &layer;
    }
    for (const Row &layer : layers)
      for (const Json &source : senders.at(nameOf(layer))->at("sources"))
        projections.push_back(projectionRow(layer, source));
  }

  std::vector<Row> layers, projections;

private:
  static std::string nameOf(const Row &layer) {
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

  Row layerRow(const Json &layer) const {
    const std::string name = layer.at("population");
    const Json &counts = layer.at("counts"), &spikes = counts.at("spikes");
    Row row;
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

  Row projectionRow(const Row &layer, const Json &source) const {
    const std::string target = nameOf(layer), from = source.at("name");
    Row row = layer;
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
  void addOperations(Row &row, const std::string &from,
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
  std::map<std::string, const Json *> senders;
};

/// Why no formula can be evaluated; "" where they can.
std::string reasonOf(const Json &result, const Json &flows) {
  if (result.at("counts").is_null() || result.at("layers").is_null())
    return fmt::format("a run of the {} engine counts no events",
                       printable(result.at("engine").get<std::string>()));
  if (result.at("schedule").is_null())
    return "the run has no schedule";
  return flows.is_null() ? "tables.json of the run is missing" : "";
}

class Pricing {
public:
  Pricing(const Convention &convention, RowReader &rows)
      : convention(convention), rows(rows) {}

  /// Fills `per_sample_pJ` and `terms`. Throws Error with the reason why not.
  void execute(Json &into) {
    for (const ConventionNeed &need : convention.needs)
      for (Row &row : of(need.scope))
        if (!yaml::truthOf(*need.that.term, row))
          throw Error(row.label + ": " + need.otherwise);
    double total = 0;
    Json terms = Json::array();
    for (const ConventionTerm &term : convention.terms) {
      auto [count, energy] = sum(term);
      const bool priced = !term.each.text.empty();
      terms.push_back(
          {{"name", term.name},
           {"per", term.scope == CountScope::Layer ? "layer" : "projection"},
           {"formula", term.count.text},
           {"each", priced ? Json(term.each.text) : Json()},
           {"count", count},
           {"energy_pJ", priced ? Json(energy) : Json()}});
      total += energy;
    }
    into["terms"] = terms;
    if (convention.isPriced())
      into["per_sample_pJ"] = total;
    else
      into["reason"] = "counts operations and has no prices";
  }

private:
  std::vector<Row> &of(CountScope scope) {
    std::vector<Row> &all =
        scope == CountScope::Layer ? rows.layers : rows.projections;
    for (Row &row : all)
      row.convention = &convention;
    return all;
  }

  std::pair<double, double> sum(const ConventionTerm &term) {
    double count = 0, energy = 0;
    for (Row &row : of(term.scope)) {
      if (term.when.term && !yaml::truthOf(*term.when.term, row))
        continue;
      const double here = yaml::numberOf(*term.count.term, row);
      count += here;
      if (term.each.term)
        energy += here * yaml::numberOf(*term.each.term, row);
    }
    return {count, energy};
  }

  const Convention &convention;
  RowReader &rows;
};

/// {low, high}: the chip's events over the convention.
Json overOf(const Json &chip, double convention) {
  if (!chip.is_object() || chip.at("low").is_null() || !(convention > 0))
    return nullptr;
  return {{"low", chip.at("low").get<double>() / convention},
          {"high", chip.at("high").get<double>() / convention}};
}

std::string nanoJoules(const Json &pJ) {
  return pJ.is_null() ? "-" : fmt::format("{:.3f}", pJ.get<double>() / 1e3);
}

std::string band(const Json &ends, double scale, const char *form) {
  if (!ends.is_object() || ends.at("low").is_null())
    return "-";
  const std::string low = fmt::format(fmt::runtime(form),
                                      ends.at("low").get<double>() / scale),
                    high = fmt::format(fmt::runtime(form),
                                       ends.at("high").get<double>() / scale);
  return low == high ? low : low + " to " + high;
}

/// What enters a convention, what it leaves out and where it is from.
std::string noteOf(const Json &row) {
  std::string note = fmt::format("{}: {}\n", row.at("name").get<std::string>(),
                                 row.at("description").get<std::string>());
  if (!row.at("reason").is_null())
    note += "  no figure: " + row.at("reason").get<std::string>() + "\n";
  if (!row.at("terms").is_null())
    for (const Json &term : row.at("terms"))
      note +=
          fmt::format("  {:.0f} {}{}\n", term.at("count").get<double>(),
                      term.at("name").get<std::string>(),
                      term.at("energy_pJ").is_null()
                          ? ""
                          : ", " + nanoJoules(term.at("energy_pJ")) + " nJ");
  std::string left;
  for (const Json &item : row.at("leaves_out"))
    left += (left.empty() ? "" : ", ") + item.get<std::string>();
  note += "  leaves out " + left + "\n";
  for (const auto &[key, citation] : row.at("sources").items())
    note += fmt::format("  source {}: {}\n", key, citation.get<std::string>());
  return note;
}

/// Events and static energy of a sample.
Json eventsAndStatic(const Json &summary) {
  const Json &events = summary.at("energy_per_sample_pJ"),
             &rest = summary.at("static_per_sample_pJ");
  if (!events.is_object() || !rest.is_object() || events.at("low").is_null() ||
      rest.at("low").is_null())
    return nullptr;
  Json sum;
  for (const char *end : {"low", "high"})
    sum[end] = events.at(end).get<double>() + rest.at(end).get<double>();
  return sum;
}

} // namespace

Json conventionRows(const Json &result, const Json &flows,
                    const std::vector<Convention> &conventions) {
  const std::string reason = reasonOf(result, flows);
  std::optional<RowReader> reader;
  if (reason.empty())
    reader.emplace(result, flows).execute();
  Json all = Json::array();
  for (const Convention &convention : conventions) {
    Json sources = Json::object();
    for (const auto &[key, citation] : convention.sources)
      sources[key] = citation;
    Json row = {
        {"name", convention.name}, {"description", convention.description},
        {"node", convention.node}, {"per_sample_pJ", nullptr},
        {"chip_over", nullptr},    {"reason", nullptr},
        {"terms", nullptr},        {"leaves_out", convention.leavesOut},
        {"sources", sources}};
    try {
      if (!reader)
        throw Error(reason);
      Pricing(convention, *reader).execute(row);
    } catch (const Error &error) {
      row["reason"] = error.what();
    }
    if (row["per_sample_pJ"].is_number())
      row["chip_over"] = overOf(result.at("summary").at("energy_per_sample_pJ"),
                                row["per_sample_pJ"]);
    all.push_back(std::move(row));
  }
  return all;
}

std::string formatConventions(const Json &result, const Json &rows) {
  const Json &summary = result.at("summary");
  TextTable table(
      {"convention", "energy (nJ)", "chip's events over it", "process"});
  std::string notes;
  for (const Json &row : rows) {
    table.add({row.at("name"), nanoJoules(row.at("per_sample_pJ")),
               band(row.at("chip_over"), 1, "{:.3g}"), row.at("node")});
    notes += noteOf(row);
  }
  if (summary.at("energy_per_sample_pJ").is_object()) {
    const std::string chip =
        printable(result.at("target").at("name").get<std::string>());
    table.add({chip + ", events",
               band(summary.at("energy_per_sample_pJ"), 1e3, "{:.3f}"), "1",
               ""});
    table.add({chip + ", with static",
               band(eventsAndStatic(summary), 1e3, "{:.3f}"), "", ""});
    notes = billTable(countedBills(result)) + "\n" + notes;
  }
  return "One sample of this run by published conventions; the last rows are "
         "the chip's\n" +
         table.text() + "\n" + notes;
}

} // namespace dendrolith::report
