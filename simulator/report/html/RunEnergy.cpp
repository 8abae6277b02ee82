// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunEnergy.h"

#include "simulator/report/html/Bars.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/PartTables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

/// Something that took energy, and what its table says besides.
struct EnergyPart {
  std::string name, note;
  Json low, high; ///< pJ of the run, null where there is no price
  std::vector<Cell> cells;
};

/// Bars of what a sample took, and a table with the energy of the run.
std::string partsFigure(std::vector<EnergyPart> parts, const std::string &file,
                        const std::string &caption,
                        std::vector<Table::Heading> columns, double samples) {
  constexpr size_t kMostBars = 16;
  auto value = [](const Json &pJ) {
    return pJ.is_null() ? 0.0 : pJ.get<double>();
  };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const EnergyPart &a, const EnergyPart &b) {
                     return value(a.high) > value(b.high);
                   });
  double sum = 0, most = 0;
  bool isBand = false;
  for (const EnergyPart &part : parts) {
    sum += value(part.high);
    most = std::max(most, value(part.high));
    isBand |= part.low != part.high;
  }
  const Unit unit = energyUnit(most);
  columns.push_back({"low (" + unit.name + ")", "energy_low_pJ"});
  columns.push_back({"high (" + unit.name + ")", "energy_high_pJ"});
  columns.push_back({"of high (%)", "share_of_high"});
  Table table(file, caption + ", whole run", columns);
  std::vector<Bar> rows;
  for (const EnergyPart &part : parts) {
    std::vector<Cell> cells = part.cells;
    cells.insert(cells.begin(), {escape(eventTitle(part.name)), part.name});
    cells.push_back(inUnit(part.low, unit));
    cells.push_back(inUnit(part.high, unit));
    cells.push_back(part.high.is_null() || !(sum > 0)
                        ? Cell{"", ""}
                        : number(value(part.high) / sum, "{:.1f}", 100));
    table.add(std::move(cells));
    if (value(part.high) > 0 && rows.size() < kMostBars)
      rows.push_back(
          {eventTitle(part.name), value(part.low), value(part.high),
           energyRange(value(part.low) / samples, value(part.high) / samples),
           part.note});
  }
  if (rows.empty())
    return figure("Nothing that happened has a price.", "",
                  folded("Table of counts", table.markup()));
  return figure(caption + ", per sample",
                bars(rows) + (isBand ? bandLegend() : ""),
                folded("Table of the whole run", table.markup()));
}

Json end(const Json &row, const char *which) {
  const Json band = row.value("energy_pJ", Json());
  return band.is_null() ? Json() : band.at(which);
}

} // namespace

std::string energyByEvent(const RunView &run) {
  const Json &energy = run.result.at("energy");
  if (energy.is_null())
    return "";
  std::vector<EnergyPart> parts;
  for (const auto &item : energy.at("high").at("by_event").items()) {
    const std::string &event = item.key();
    const Json &high = item.value(),
               &low = energy.at("low").at("by_event").at(event);
    if (high.at("count") == 0)
      continue;
    auto word = [&](const char *key) {
      const Json value = high.value(key, Json());
      return value.is_null() ? std::string() : value.get<std::string>();
    };
    const std::string kind =
        word("in").empty() ? word("kind") : "in " + word("in");
    parts.push_back(
        {event,
         escape(word("kind")),
         low.value("energy_pJ", Json()),
         high.value("energy_pJ", Json()),
         {count(high.at("count")), text(kind), text(word("source"))}});
  }
  return partsFigure(std::move(parts), "energy-by-event", "Energy by event",
                     {{"event", "event", false},
                      {"count", "count"},
                      {"kind of price", "kind", false},
                      {"source", "source", false}},
                     run.samples);
}

std::string energyByLayer(const RunView &run) {
  const Json &layers = run.result.at("layers");
  if (layers.is_null())
    return "";
  std::vector<EnergyPart> parts;
  for (const Json &row : layers) {
    const Json counts = row.value("counts", Json());
    if (counts.is_null())
      continue;
    auto of = [&](const char *name) { return count(sumOf(counts.at(name))); };
    parts.push_back(
        {layerName(row),
         "",
         end(row, "low"),
         end(row, "high"),
         {text(row.at("kind").get<std::string>()), count(row.at("neurons")),
          count(sumOf(counts.at("neuron_updates_active")) +
                sumOf(counts.at("neuron_updates_inactive"))),
          row.at("kind") == "input" ? of("inputs") : of("spikes"), of("synops"),
          of("messages")}});
  }
  if (parts.empty())
    return "";
  std::string out =
      partsFigure(std::move(parts), "energy-by-layer", "Energy by layer",
                  {{"layer", "layer", false},
                   {"kind", "kind", false},
                   {"neurons", "neurons"},
                   {"updates", "updates"},
                   {"spikes", "spikes"},
                   {"synaptic operations", "synops"},
                   {"messages", "messages"}},
                  run.samples);
  const Json flows =
      run.tables.is_null() ? Json() : run.tables.value("flows", Json());
  if (flows.is_null())
    return out;
  std::vector<EnergyPart> between;
  for (const Json &row : flows) {
    const Json &counts = row.at("counts");
    const std::string to = !row.at("target").is_null()
                               ? row.at("target").get<std::string>()
                           : row.at("to") == "host" ? "the host"
                                                    : "several at once";
    auto of = [&](const char *name) { return count(sumOf(counts.at(name))); };
    between.push_back(
        {row.at("source").get<std::string>() + " to " + to,
         "",
         end(row, "low"),
         end(row, "high"),
         {of("messages"),
          count(sumOf(counts.at("hops_ew")) + sumOf(counts.at("hops_ns"))),
          of("synops")}});
  }
  return out + partsFigure(std::move(between), "energy-by-flow",
                           "Of that, messages and the synapses that they read",
                           {{"from and to", "flow", false},
                            {"messages", "messages"},
                            {"hops", "hops"},
                            {"synaptic operations", "synops"}},
                           run.samples);
}

} // namespace dendrolith::report::html
