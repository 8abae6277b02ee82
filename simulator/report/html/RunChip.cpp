// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/RunChip.h"

#include "simulator/report/html/Bars.h"
#include "simulator/report/html/ChipPicture.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include "simulator/energy/Energy.h"
#include "simulator/record/CountsRecord.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

/// Cores of a page that offers other colours; more would make it large.
constexpr size_t kMostColoured = 4096;

uint64_t synopsOf(const Json &counts) {
  uint64_t sum = 0;
  for (const char *kind : {"dense", "sparse", "conv"})
    sum += counts.at("synops").at(kind).get<uint64_t>();
  return sum;
}

/// By core: ns of a sample in each of its engines, and what it counted.
std::string coreTable(const RunView &run, const Json &activity,
                      double nsPerShare) {
  Table table("cores", "Cores",
              {{"core", "core"},
               {"tile", "tile"},
               {"updating (ns)", "update_ns_per_sample"},
               {"stalled (ns)", "stalled_ns_per_sample"},
               {"receiving (ns)", "receive_ns_per_sample"},
               {"synaptic operations", "synops"},
               {"active updates", "neuron_updates_active"},
               {"messages out", "messages"}});
  std::map<uint64_t, const Json *> busy;
  if (!activity.is_null())
    for (const Json &row : activity.at("cores"))
      busy[row.at("core")] = &row;
  for (const auto &item : run.tables.at("counts").at("cores").items()) {
    const Json &counts = item.value();
    const uint64_t core = std::stoull(item.key());
    const auto found = busy.find(core);
    auto ns = [&](const char *key) {
      return found == busy.end()
                 ? Cell{"", ""}
                 : number(found->second->at(key).get<double>() * nsPerShare,
                          "{:.1f}");
    };
    table.add({count(core), count(run.target->tileOf(core)), ns("update"),
               ns("stalled"), ns("receive"), count(synopsOf(counts)),
               count(counts.at("neuron_updates_active")),
               count(counts.at("messages"))});
  }
  return table.markup();
}

std::string linkTable(const Json &links) {
  Table table("links",
              "Links of the mesh; a tile to itself is its port to its "
              "cores",
              {{"from tile", "from"},
               {"to tile", "to"},
               {"flits", "flits"},
               {"busy (%)", "busy_share"},
               {"flits waited (ns)", "waited_ps"}});
  for (const Json &link : links)
    table.add({count(link.at("from")), count(link.at("to")),
               count(link.at("flits")),
               number(link.value("busy", Json()), "{:.2f}", 100),
               number(link.value("waited_ps", Json()), "{:.1f}", 1e-3)});
  return table.markup();
}

/// Steps that a core closed, of the names "core 3 update".
std::map<uint64_t, double> closedBy(const Json &result) {
  std::map<uint64_t, double> steps;
  const Json latency = result.value("latency", Json());
  if (latency.is_null() || latency.at("closed_by").is_null())
    return steps;
  for (const auto &[name, times] : latency.at("closed_by").items())
    if (name.rfind("core ", 0) == 0)
      steps[std::strtoull(name.c_str() + 5, nullptr, 10)] +=
          times.get<double>();
  return steps;
}

/// What a core's events cost in a sample, at the high end of the band.
double energyOf(const Json &counts, const RunView &run, uint64_t core) {
  const Json energy = run.result.value("energy", Json());
  if (energy.is_null())
    return 0;
  const Json &rows = energy.at("high").at("by_event");
  const sim::CoreCounts events = sim::coreCountsFromJson(
      nlohmann::json(counts), false, fmt::format("counts of core {}", core));
  double sum = 0;
  for (sim::Counter event : energyEvents())
    if (const auto row = rows.find(sim::counterName(event)); row != rows.end())
      if (const Json price = row->value("price_pJ", Json()); price.is_number())
        sum += double(events[event]) * price.get<double>();
  return sum / run.samples;
}

/// "1.5", or "1.5 to 2" where the ends differ.
std::string bandText(const Json &band) {
  const double low = band.at("low"), high = band.at("high");
  return low == high ? fmt::format("{:.4g}", low)
                     : fmt::format("{:.4g} to {:.4g}", low, high);
}

} // namespace

std::string chipLoad(const RunView &run) {
  if (run.tables.is_null() || !run.target)
    return "";
  const Json counts = run.tables.value("counts", Json()),
             activity = run.tables.value("utilisation", Json());
  if (counts.is_null() || counts.at("cores").empty())
    return "";
  double nsPerShare = 0;
  ChipLoad load{run.target->mesh, "synaptic operations in the run", {}, {}};
  for (const auto &item : counts.at("cores").items())
    load.cores[std::stoull(item.key())] = double(synopsOf(item.value()));
  if (!activity.is_null()) {
    nsPerShare =
        run.result.at("times").at("run_ps").get<double>() / 1e3 / run.samples;
    double most = 0;
    for (const Json &row : activity.at("cores")) {
      double &ns = load.cores[row.at("core")];
      ns = nsPerShare *
           (row.at("update").get<double>() + row.at("stalled").get<double>() +
            row.at("receive").get<double>());
      most = std::max(most, ns);
    }
    const Unit unit = timeUnit(most);
    for (auto &[core, time] : load.cores)
      time /= unit.size;
    load.what = unit.name + " of work per sample";
  }
  const Json &links =
      activity.is_null() ? counts.at("links") : activity.at("links");
  for (const Json &link : links)
    load.links[{link.at("from"), link.at("to")}] = link.at("flits");
  return figure(
      "Each core is filled as far as it is loaded. Between tiles, "
      "the right-hand lane in the direction of travel carries it.",
      "<div class=\"colours\"></div>" + chipPicture(load),
      folded("Tables of cores and links",
             coreTable(run, activity, nsPerShare) + linkTable(links)));
}

Json chipData(const RunView &run) {
  const Json counts =
      run.tables.is_null() ? Json() : run.tables.value("counts", Json());
  if (!run.target || counts.is_null() ||
      counts.at("cores").size() > kMostColoured)
    return nullptr;
  const Json activity = run.tables.value("utilisation", Json());
  std::map<uint64_t, double> received, neurons, words;
  if (!activity.is_null()) {
    const double ns =
        run.result.at("times").at("run_ps").get<double>() / 1e3 / run.samples;
    for (const Json &row : activity.at("cores"))
      received[row.at("core")] = ns * row.at("receive").get<double>();
  }
  if (const Json mapping = run.result.value("mapping", Json());
      !mapping.is_null()) {
    for (const Json &row : mapping.at("placement"))
      neurons[row.at("core")] += row.at("neurons").get<double>();
    for (const Json &row : mapping.value("memory", Json::array()))
      words[row.at("core")] = row.at("words");
  }
  const std::map<uint64_t, double> closed = closedBy(run.result);
  Json data = {{"cores", Json::array()}, {"measures", Json::array()}};
  auto add = [&](const std::string &name, auto valueOf) {
    Json values = Json::array();
    bool any = false;
    for (const auto &item : counts.at("cores").items()) {
      const double value = valueOf(std::stoull(item.key()), item.value());
      any |= value != 0;
      values.push_back(value);
    }
    if (any) // a map without any colour says nothing
      data["measures"].push_back({{"name", name}, {"values", values}});
  };
  auto of = [](const std::map<uint64_t, double> &values) {
    return [&values](uint64_t core, const Json &) {
      const auto found = values.find(core);
      return found == values.end() ? 0.0 : found->second;
    };
  };
  for (const auto &item : counts.at("cores").items())
    data["cores"].push_back(std::stoull(item.key()));
  add("steps closed", of(closed));
  add("pJ per sample, high end",
      [&](uint64_t core, const Json &row) { return energyOf(row, run, core); });
  add("ns of receiving per sample", of(received));
  add("messages sent per sample", [&](uint64_t, const Json &row) {
    return row.at("messages").get<double>() / run.samples;
  });
  add("neurons", of(neurons));
  std::string memory = "words of synapse memory";
  for (const Json &row : run.result.at("fit"))
    if (row.at("resource") == "synapse memory" && !row.at("limit").is_null())
      memory += ", of " + grouped(row.at("limit").get<uint64_t>());
  add(memory, of(words));
  return data;
}

std::string siliconOf(const RunView &run) {
  const Json silicon = run.result.value("silicon", Json());
  if (silicon.is_null())
    return "";
  Table table("silicon", "Parts of the chip, used or not",
              {{"part", "part", false},
               {"how many", "count"},
               {"area low (mm&sup2;)", "area_low_mm2"},
               {"area high (mm&sup2;)", "area_high_mm2"},
               {"leakage low (mW)", "leakage_low_mW"},
               {"leakage high (mW)", "leakage_high_mW"},
               {"kind", "kind", false},
               {"source", "source", false}});
  std::vector<Bar> rows;
  for (const Json &part : silicon.at("parts")) {
    const Json &area = part.at("area_mm2"), &leakage = part.at("leakage_mW");
    auto leak = [&](const char *end) {
      return leakage.is_null() ? Cell{"", ""}
                               : number(leakage.at(end), "{:.4g}");
    };
    table.add({text(part.at("part")), count(part.at("count")),
               number(area.at("low"), "{:.4g}"),
               number(area.at("high"), "{:.4g}"), leak("low"), leak("high"),
               text(part.at("kind")), text(part.at("source"))});
    rows.push_back({part.at("part"), area.at("low"), area.at("high"),
                    bandText(area) + "&nbsp;mm&sup2;",
                    escape(part.at("kind").get<std::string>())});
  }
  std::string caption = fmt::format(
      "The whole chip at {} nm: {}&nbsp;mm&sup2;, a core {}&nbsp;"
      "mm&sup2;",
      silicon.at("node_nm").get<uint64_t>(), bandText(silicon.at("area_mm2")),
      bandText(silicon.at("core_mm2")));
  if (!silicon.at("leakage_mW").is_null())
    caption += "; it leaks " + bandText(silicon.at("leakage_mW")) + "&nbsp;mW";
  return figure(caption, bars(rows) + bandLegend(),
                folded("Table of parts", table.markup()));
}

std::string fitOf(const RunView &run) {
  const Json &fit = run.result.at("fit");
  if (fit.is_null() || fit.empty())
    return "";
  Table table("fit", "The most that a core uses of each resource",
              {{"resource", "resource", false},
               {"unit", "unit", false},
               {"used", "used"},
               {"limit", "limit"},
               {"worst core", "worst_core"},
               {"most of it for", "population", false}});
  std::vector<Bar> rows;
  for (const Json &row : fit) {
    table.add({text(row.at("resource")), text(row.at("unit")),
               count(row.at("used")), count(row.at("limit")),
               count(row.at("worst_core")), text(row.at("population"))});
    const double used = row.at("used").get<double>();
    const bool isBounded = !row.at("limit").is_null();
    const double share =
        isBounded ? 100 * used / row.at("limit").get<double>() : 0;
    rows.push_back(
        {row.at("resource"), share, share,
         isBounded
             ? fmt::format("{} of {} ({:.1f}&nbsp;%){}",
                           grouped(row.at("used")), grouped(row.at("limit")),
                           share, share > 100 ? " over the limit" : "")
             : grouped(row.at("used")) + ", unlimited",
         row.at("resource") == "cores" || row.at("unit") == "axons"
             ? ""
             : fmt::format("core {}, {}", row.at("worst_core").get<uint64_t>(),
                           escape(row.at("population"))),
         share > 100 ? "over" : "one", isBounded});
  }
  return figure(
      "What the fullest core uses of what a core has; the whole track "
      "is the limit",
      bars(rows, 100), folded("Table of resources", table.markup()));
}

} // namespace dendrolith::report::html
