// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunHead.h"

#include "simulator/report/html/Bars.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include "simulator/report/result/Result.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

/// "94.20 %" of an accuracy, ".9310" of another metric.
std::string scoreNumber(const Json &score, const char *key) {
  const double value = score.at(key).get<double>();
  return score.at("metric") == "accuracy"
             ? fmt::format("{:.2f}&nbsp;%", 100 * value)
             : fmt::format("{:.4f}", value);
}

std::string scoreCard(const Json &summary) {
  const Json &score = summary.at("score"), &beside = summary.at("float_score");
  if (score.is_null())
    return card("Score", "not judged", {"no labels were given"}, "unknown");
  std::vector<std::string> notes;
  if (!score.at("low").is_null())
    notes.push_back(fmt::format(
        "{} to {} ({:.0f}&nbsp;% interval, {})", scoreNumber(score, "low"),
        scoreNumber(score, "high"), 100 * score.at("confidence").get<double>(),
        escape(score.at("method"))));
  notes.push_back(grouped(score.at("answers").get<uint64_t>()) + " answers");
  if (!beside.is_null())
    notes.push_back("float network: " + scoreNumber(beside, "value"));
  return card(score.at("metric") == "accuracy" ? "Accuracy" : "R2",
              scoreNumber(score, "value"), notes);
}

bool isKnown(const Json &band) {
  return !band.is_null() && !band.at("low").is_null() &&
         !band.at("high").is_null();
}

std::string energyCards(const Json &summary) {
  const Json &events = summary.at("energy_per_sample_pJ"),
             &still = summary.at("static_per_sample_pJ");
  if (!isKnown(events))
    return card("Energy per sample", "not known",
                {"the chip has no prices, or nothing was counted"}, "unknown");
  const double low = events.at("low"), high = events.at("high");
  const std::string bound = events.at("bound");
  const std::string sign = bound == "="    ? ""
                           : bound == ">=" ? "&ge;&nbsp;"
                           : bound == "<=" ? "&le;&nbsp;"
                                           : "&asymp;&nbsp;";
  std::string unpriced;
  for (const Json &event : events.at("unpriced"))
    unpriced += (unpriced.empty() ? "not priced: " : ", ") +
                escape(event.get<std::string>());
  std::string out =
      card("Energy of events", sign + energyRange(low, high),
           {"per sample",
            low == high ? "" : "a band: the prices are not public", unpriced});
  if (!isKnown(still))
    return out + card("Static energy", "not known",
                      {"no time was simulated, or no power is known"},
                      "unknown");
  const double stillLow = still.at("low"), stillHigh = still.at("high");
  return out + card("Static energy", energyRange(stillLow, stillHigh),
                    {"per sample",
                     "together " + sign +
                         energyRange(low + stillLow, high + stillHigh)});
}

std::string latencyCard(const Json &summary) {
  const Json &ns = summary.at("latency_per_sample_ns");
  if (ns.is_null())
    return card("Latency", "not simulated", {"an engine without a clock"},
                "unknown");
  std::vector<std::string> notes = {
      "mean per sample, of cores and mesh",
      "median " + latencyText(ns.at("p50")) + ", 95th percentile " +
          latencyText(ns.at("p95")),
      latencyText(ns.at("min")) + " to " + latencyText(ns.at("max"))};
  const Json system = memberOf(summary, "system_latency_per_sample_ns");
  if (!system.is_null() && system != ns)
    notes.push_back("on its system " + latencyText(system.at("mean")));
  if (!summary.at("throughput_per_s").is_null())
    notes.push_back(fmt::format(
        "{} samples per second",
        grouped(uint64_t(summary.at("throughput_per_s").get<double>()))));
  return card("Latency", latencyText(ns.at("mean")), notes);
}

std::string coresCard(const RunView &run) {
  const Json &cores = run.result.at("summary").at("cores");
  if (cores.is_null() || !run.target)
    return "";
  const Json silicon = run.result.value("silicon", Json());
  std::string area;
  if (!silicon.is_null()) {
    const Json &mm2 = silicon.at("area_mm2");
    area =
        fmt::format("{:.4g} to {:.4g}&nbsp;mm&sup2; {}",
                    mm2.at("low").get<double>(), mm2.at("high").get<double>(),
                    run.target->mesh.chips() > 1 ? "for each chip" : "in all");
  }
  return card(
      "Cores", grouped(cores.get<uint64_t>()),
      {"of " + grouped(run.target->numCores()) + " on " +
           escape(run.target->name),
       fmt::format("{} by {} tiles of {}", run.target->mesh.tilesX,
                   run.target->mesh.tilesY, run.target->mesh.coresPerTile),
       area});
}

/// How much of the energy has prices of which kind, at the high end.
std::string priceKinds(const Json &energy) {
  if (energy.is_null())
    return "";
  std::map<std::string, double> byKind;
  for (const auto &item : energy.at("high").at("by_event").items()) {
    const Json &entry = item.value();
    const Json kind = entry.value("kind", Json()),
               pJ = entry.value("energy_pJ", Json());
    if (!kind.is_null() && !pJ.is_null() && pJ.get<double>() > 0)
      byKind[kind.get<std::string>()] += pJ.get<double>();
  }
  std::vector<Share> shares;
  for (const auto &[kind, pJ] : byKind)
    shares.push_back({kind, pJ, "k-" + escape(kind)});
  return shares.empty() ? "" : stack(shares);
}

std::string timeKinds(const RunView &run) {
  const Json &timing = run.result.at("timing");
  if (!run.target || timing.is_null() || run.result.at("latency").is_null())
    return "";
  std::map<std::string, size_t> byKind;
  const TimingSet &set =
      run.target->timing(timing.at("name").get<std::string>());
  for (const Record &record : set.records)
    ++byKind[toString(record.kind)];
  std::string out = "set '" + escape(set.name) + "': ";
  const char *separator = "";
  for (const auto &[kind, times] : byKind) {
    out += fmt::format("{}{} {}", separator, times, kind);
    separator = ", ";
  }
  return out + (set.records.empty() ? "no numbers" : " numbers");
}

} // namespace

std::string warningList(const RunView &run) {
  const Json &rows = run.result.at("warnings");
  if (rows.empty())
    return "";
  std::string out = fmt::format(
      "<section class=\"warnings\" aria-label=\"Warnings\">\n<h2>{} "
      "warning{}</h2>\n<ul>\n",
      rows.size(), rows.size() == 1 ? "" : "s");
  for (const Json &row : rows)
    out += "<li><code>" + escape(row.at("code")) + "</code> <b>" +
           escape(row.at("where")) + "</b> " + escape(row.at("text")) +
           "</li>\n";
  return out + "</ul>\n</section>\n";
}

std::string headline(const RunView &run) {
  const Json &summary = run.result.at("summary");
  return cards(scoreCard(summary) + energyCards(summary) +
               latencyCard(summary) + coresCard(run));
}

std::string scopeOf(const RunView &run) {
  if (!run.target)
    return "";
  const Json &costs = run.result.at("costs");
  std::vector<std::pair<std::string, std::string>> rows;
  std::string chip = escape(run.target->description);
  for (const Override &change : run.target->overrides)
    chip += "; <b>" + escape(change.key) + " = " + escape(change.value) +
            "</b> in place of " + escape(change.was);
  for (const std::string &limit : run.target->overriddenLimits)
    chip += "; the limit <b>" + escape(limit) + "</b> is lifted";
  rows.emplace_back("Chip", chip);
  rows.emplace_back("Times", timeKinds(run));
  if (!costs.is_null()) {
    const Json &low = costs.at("low"), &high = costs.at("high");
    auto table = [](const Json &of) {
      std::string name = "'" + escape(of.at("name")) + "'";
      for (const char *key : {"scope", "voltage"})
        if (!of.at(key).is_null())
          name += ", " + escape(of.at(key));
      return name;
    };
    rows.emplace_back("Prices", low == high
                                    ? "table " + table(low)
                                    : "low end: table " + table(low) +
                                          "; high end: table " + table(high));
    rows.emplace_back("Energy by kind of price" +
                          std::string(low == high ? "" : ", high end"),
                      priceKinds(run.result.at("energy")));
  }
  return scopeList(rows);
}

} // namespace dendrolith::report::html
