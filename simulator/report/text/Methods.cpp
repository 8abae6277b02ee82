// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/Methods.h"

#include "simulator/report/text/PartTables.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string textAt(const Json &json, const char *key) {
  return printable(json.at(key).get<std::string>());
}

/// A number to as many digits as its interval tells apart, at least two.
std::string digits(double value, double width) {
  int places = 4;
  if (width > 0 && value != 0)
    places = std::clamp(
        int(std::floor(std::log10(std::fabs(value) / width))) + 2, 2, 6);
  return fmt::format("{:.{}g}", value, places);
}

/// A mean number of events.
std::string mean(double value) {
  return value < 1000 ? fmt::format("{:.4g}", value)
                      : grouped(uint64_t(std::llround(value)));
}

struct Quantity {
  double low = 0, high = 0;
  std::string unit;

  std::string text() const {
    const std::string from = fmt::format("{:.4g}", low),
                      to = fmt::format("{:.4g}", high);
    return (from == to ? from : from + " to " + to) + " " + unit;
  }
};

/// In a unit in which the high end has one to three digits before the point.
Quantity scaled(double low, double high, const char *base) {
  // pJ and ns are what results have.
  const std::vector<std::pair<double, const char *>> steps =
      std::string(base) == "J"
          ? std::vector<std::pair<double, const char *>>{{1, "pJ"},
                                                         {1e3, "nJ"},
                                                         {1e6, "uJ"},
                                                         {1e9, "mJ"},
                                                         {1e12, "J"}}
          : std::vector<std::pair<double, const char *>>{
                {1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
  size_t at = 0;
  while (at + 1 < steps.size() && high >= steps[at + 1].first)
    ++at;
  return {low / steps[at].first, high / steps[at].first, steps[at].second};
}

bool isBand(const Json &ends) {
  return ends.is_object() && ends.at("low").is_number() &&
         ends.at("high").is_number();
}

Quantity energyOf(const Json &ends) {
  return scaled(ends.at("low"), ends.at("high"), "J");
}

class Methods {
public:
  explicit Methods(const Json &result)
      : result(result), summary(result.at("summary")),
        samples(double(result.at("samples").get<uint64_t>())) {}

  std::string execute() const {
    return network() + score() + counts() + energy() + time() + exclusions() +
           digests() + "\n\n" + table() + "\n" + bibtex();
  }

private:
  double perSample(const char *key) const {
    return double(sumOf(result.at("counts").at("total").at(key))) / samples;
  }

  std::string network() const {
    double neurons = 0, synapses = 0;
    for (const Json &layer : result.at("layers")) {
      if (layer.at("kind") != "population")
        continue;
      neurons += layer.at("neurons").get<double>();
      for (const Json &source : layer.at("sources"))
        synapses += source.at("synapses").get<double>();
    }
    std::string text = fmt::format(
        "The network '{}' ({} neurons, {} synapses) was simulated on a model "
        "of the chip '{}' with Dendrolith {} ({} engine), which executes it in "
        "the chip's integers on {} core{}.",
        textAt(result.at("model"), "name"), grouped(uint64_t(neurons)),
        grouped(uint64_t(synapses)), textAt(result.at("target"), "name"),
        textAt(result, "dendrolith"), textAt(result, "engine"),
        summary.at("cores").dump(), summary.at("cores") == 1 ? "" : "s");
    return text + bits() + calibration();
  }

  /// Over the projections that were quantised.
  std::string bits() const {
    std::set<uint64_t> widths;
    for (const Json &row : result.at("quantisation"))
      if (row.at("weight_bits").get<uint64_t>() > 0)
        widths.insert(row.at("weight_bits").get<uint64_t>());
    if (widths.empty())
      return "";
    return *widths.begin() == *widths.rbegin()
               ? fmt::format(" Weights have {} bits.", *widths.begin())
               : fmt::format(" Weights have {} to {} bits.", *widths.begin(),
                             *widths.rbegin());
  }

  std::string calibration() const {
    std::string text;
    for (const auto &[key, value] : result.at("policies").items())
      if (key.rfind("calibration of ", 0) == 0)
        text += fmt::format(" Ranges were calibrated on '{}': {}.",
                            printable(key.substr(15)),
                            printable(value.get<std::string>()));
    return text;
  }

  std::string score() const {
    const Json &score = result.at("score");
    if (score.is_null() || !score.at("value").is_number())
      return "";
    const bool percent = score.at("metric") == "accuracy";
    const double scale = percent ? 100 : 1, value = score.at("value");
    const char *unit = percent ? " %" : "";
    if (!score.at("low").is_number())
      return fmt::format(" Its {} is {}{} over {} answers.",
                         textAt(score, "metric"), digits(scale * value, 0),
                         unit, score.at("answers").dump());
    const double low = score.at("low"), high = score.at("high");
    return fmt::format(" Its {} is {}{} over {} answers ({:.0f} % interval "
                       "{} to {}{}).",
                       textAt(score, "metric"),
                       digits(scale * value, scale * (high - low)), unit,
                       score.at("answers").dump(),
                       100 * score.at("confidence").get<double>(),
                       digits(scale * low, scale * (high - low)),
                       digits(scale * high, scale * (high - low)), unit);
  }

  std::string counts() const {
    return fmt::format(
        " One inference of {} step{} takes on average {} spikes, {} synaptic "
        "operations, {} neuron updates and {} messages (means over {} "
        "samples).",
        result.at("ticks").dump(), result.at("ticks") == 1 ? "" : "s",
        mean(perSample("spikes")), mean(perSample("synops")),
        mean(perSample("neuron_updates_active") +
             perSample("neuron_updates_inactive")),
        mean(perSample("messages")), grouped(uint64_t(samples)));
  }

  /// Which kinds the prices are of, most events first.
  std::string kinds() const {
    std::map<std::string, unsigned> found;
    for (const char *end : {"low", "high"})
      for (const auto &[event, bill] :
           result.at("energy").at(end).at("by_event").items())
        if (bill.at("kind").is_string() && bill.at("price_pJ").is_number())
          ++found[bill.at("kind").get<std::string>()];
    std::vector<std::string> names;
    for (const auto &[kind, count] : found)
      names.push_back(kind);
    return joinWords(names);
  }

  std::string energy() const {
    const Json &ends = summary.at("energy_per_sample_pJ");
    if (!isBand(ends))
      return " The chip has no prices, so no energy is given.";
    const Json &costs = result.at("costs");
    std::string tables = textAt(costs.at("low"), "name");
    if (costs.at("high").at("name") != costs.at("low").at("name"))
      tables += "' to '" + textAt(costs.at("high"), "name");
    std::string text = fmt::format(
        " Its events cost {}{} by the prices of '{}' (kinds of prices: {}).",
        ends.at("bound") == ">=" ? "at least " : "", energyOf(ends).text(),
        tables, kinds());
    const Json &rest = summary.at("static_per_sample_pJ");
    if (isBand(rest))
      text += " Static power adds " + energyOf(rest).text() + ".";
    return text;
  }

  std::string time() const {
    const Json &latency = summary.at("latency_per_sample_ns"),
               &system = summary.at("system_latency_per_sample_ns");
    if (!latency.is_object())
      return " No time was simulated.";
    auto time = [](const Json &spread, const char *key) {
      const double value = spread.at(key);
      return scaled(value, value, "s").text();
    };
    std::string text = fmt::format(
        " The simulated time of an inference is {} on cores and mesh (95 % "
        "of samples within {}), by the timing set '{}'",
        time(latency, "mean"), time(latency, "p95"),
        textAt(result.at("timing"), "name"));
    if (system.is_object())
      text += fmt::format("; with management processors and host port {}",
                          time(system, "mean"));
    return text + ".";
  }

  std::string exclusions() const {
    std::vector<std::string> names;
    const Json &ends = summary.at("energy_per_sample_pJ");
    if (ends.is_object())
      for (const Json &name : ends.at("unpriced"))
        names.push_back(printable(name.get<std::string>()));
    const std::string none =
        names.empty() ? ""
                      : " Events without a price are not in these figures: " +
                            joinWords(names) + ".";
    return none + " Nothing here was measured on hardware.";
  }

  std::string digests() const {
    auto digest = [](const Json &of) {
      return of.get<std::string>().substr(0, 12);
    };
    return fmt::format(" SHA-256 of the model {}, of the chip {}, of the "
                       "program {}, of the outputs {}.",
                       digest(result.at("model").at("sha256")),
                       digest(result.at("target").at("sha256")),
                       digest(result.at("program_sha256")),
                       digest(result.at("hashes").at("outputs_sha256")));
  }

  /// Rows under NeuroBench's names where it has one.
  std::string table() const {
    std::vector<std::pair<std::string, std::string>> rows;
    auto add = [&](const std::string &name, const std::string &value) {
      rows.emplace_back(name, value);
    };
    const Json &score = result.at("score");
    if (score.is_object() && score.at("value").is_number())
      add(textAt(score, "metric"),
          fmt::format("{:.4g}", score.at("value").get<double>()));
    if (result.at("neurobench").is_object())
      for (const auto &[name, value] :
           result.at("neurobench").at("integer").items())
        if (value.is_number() && name != "ClassificationAccuracy")
          add(name, fmt::format("{:.6g}", value.get<double>()));
    add("Spikes", mean(perSample("spikes")));
    add("Synaptic operations", mean(perSample("synops")));
    const Json &ends = summary.at("energy_per_sample_pJ"),
               &rest = summary.at("static_per_sample_pJ"),
               &latency = summary.at("latency_per_sample_ns");
    if (isBand(ends))
      add("Energy of events", energyOf(ends).text());
    if (isBand(rest))
      add("Static energy", energyOf(rest).text());
    if (latency.is_object())
      add("Time, simulated",
          scaled(latency.at("mean"), latency.at("mean"), "s").text());
    std::string text = "\\begin{table}\n  \\caption{One inference of " +
                       latexText(textAt(result.at("model"), "name")) +
                       " on a simulated " +
                       latexText(textAt(result.at("target"), "name")) +
                       "; means over " + grouped(uint64_t(samples)) +
                       " samples.}\n  \\begin{tabular}{lr}\n    \\hline\n";
    for (const auto &[name, value] : rows)
      text += "    " + latexText(name) + " & " + latexText(value) + " \\\\\n";
    return text + "    \\hline\n  \\end{tabular}\n\\end{table}\n";
  }

  /// A source of a price is one line of text, so its entry is a note.
  std::string bibtex() const {
    std::map<std::string, std::string> cited;
    if (result.at("energy").is_object())
      for (const char *end : {"low", "high"})
        for (const auto &[key, citation] :
             result.at("energy").at(end).at("sources").items())
          cited[key] = citation.get<std::string>();
    std::string text = fmt::format(
        "@software{{dendrolith,\n  title = {{Dendrolith: a compiler and "
        "cycle-level simulator for dendritic and spiking networks on "
        "neuromorphic chips}},\n  author = {{{{The Dendrolith authors}}}},\n  "
        "version = {{{}}}\n}}\n",
        textAt(result, "dendrolith"));
    for (const auto &[key, citation] : cited)
      if (key != "dendrolith")
        text += fmt::format("@misc{{{},\n  note = {{{}}}\n}}\n", key,
                            latexText(printable(citation, 1000)));
    return text;
  }

  const Json &result, &summary;
  const double samples;
};

} // namespace

std::string formatMethods(const Json &result, const std::string &where) {
  if (result.at("counts").is_null() || result.at("layers").is_null())
    throw Error(fmt::format(
        "{}: --methods describes a run on a chip, and the {} engine has none; "
        "run with --target and --engine functional or cycle",
        where, printable(result.at("engine").get<std::string>())));
  return Methods(result).execute();
}

} // namespace dendrolith::report
