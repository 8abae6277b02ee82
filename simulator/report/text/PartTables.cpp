// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/PartTables.h"

#include "simulator/energy/Energy.h"
#include "simulator/report/result/Bootstrap.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// Rows of a table with their energy in pJ, at both ends of a band.
class PartTable {
public:
  /// `before` and `after` are the headers of the cells on both sides of the
  /// energy.
  PartTable(std::vector<std::string> before, std::vector<std::string> after,
            double per = 1)
      : before(std::move(before)), after(std::move(after)), per(per) {}

  void add(std::vector<std::string> left, std::vector<std::string> right,
           std::optional<double> low, std::optional<double> high) {
    for (std::optional<double> *end : {&low, &high})
      if (*end && per != 1)
        **end /= per;
    rows.push_back({std::move(left), std::move(right), low, high});
  }
  void add(std::vector<std::string> left, std::vector<std::string> right,
           const Json &energy) {
    std::optional<double> low, high;
    if (!energy.is_null()) {
      low = energy.at("low").get<double>();
      high = energy.at("high").get<double>();
    }
    add(std::move(left), std::move(right), low, high);
  }

  /// Prints at most so many rows, the largest first; rows of equal energy stay
  /// in their order. Shares are of the sum of all rows.
  std::string text(size_t most = SIZE_MAX) {
    std::stable_sort(
        rows.begin(), rows.end(), [](const PartRow &a, const PartRow &b) {
          return std::pair(a.high, a.low) > std::pair(b.high, b.low);
        });
    sim::ExactSum low, high;
    bool band = false;
    for (const PartRow &row : rows) {
      low.add(1, row.low.value_or(0));
      high.add(1, row.high.value_or(0));
      band |= row.low != row.high;
    }
    const auto [unit, picojoules] = unitOf(high.value());
    const double scale = picojoules; // lambdas take no binding in C++17
    std::vector<std::string> header = before;
    header.push_back("share");
    if (band)
      header.push_back(fmt::format("low ({})", unit));
    header.push_back(fmt::format("{} ({})", band ? "high" : "energy", unit));
    header.insert(header.end(), after.begin(), after.end());
    TextTable table(header);
    auto put = [&](const PartRow &row) {
      std::vector<std::string> cells = row.left;
      cells.push_back(
          row.high && high.value() > 0
              ? fmt::format("{:.1f} %", 100 * *row.high / high.value())
              : "-");
      if (band)
        cells.push_back(number(row.low, scale));
      cells.push_back(number(row.high, scale));
      cells.insert(cells.end(), row.right.begin(), row.right.end());
      table.add(cells);
    };
    for (size_t i = 0; i < rows.size() && i < most; ++i)
      put(rows[i]);
    PartRow total{{"total"}, {}, low.value(), high.value()};
    total.left.resize(before.size());
    put(total);
    std::string more;
    if (rows.size() > most)
      more = fmt::format("  and {} with less energy; tables.json has all\n",
                         grouped(rows.size() - most));
    return table.text() + more;
  }

private:
  struct PartRow {
    std::vector<std::string> left, right;
    std::optional<double> low, high;
  };

  static std::pair<const char *, double> unitOf(double most) {
    return most >= 1e10  ? std::pair("mJ", 1e9)
           : most >= 1e7 ? std::pair("uJ", 1e6)
           : most >= 1e4 ? std::pair("nJ", 1e3)
                         : std::pair("pJ", 1.0);
  }
  static std::string number(std::optional<double> picojoules, double scale) {
    return picojoules ? fmt::format("{:.3f}", *picojoules / scale) : "-";
  }

  std::vector<std::string> before, after;
  double per;
  std::vector<PartRow> rows;
};

/// A count of the run, or its mean.
std::string countText(uint64_t count, const Per &per) {
  return per.count == 1 ? grouped(count)
                        : fmt::format("{:.4g}", double(count) / per.count);
}

} // namespace

Per Per::of(const std::string &word, const Json &result) {
  const uint64_t samples = result.at("samples").get<uint64_t>();
  if (word == "run")
    return {totalsLine(samples), 1};
  if (word == "sample")
    return {fmt::format("Of one sample, the mean of {}\n", grouped(samples)),
            double(samples)};
  const Json &total = result.at("counts").at("total");
  const uint64_t steps = total.at("steps").get<uint64_t>();
  if (steps == 0)
    throw Error("--per step: the run had no step");
  return {fmt::format("Of one step, the mean of {} in {} samples\n",
                      grouped(steps), grouped(samples)),
          double(steps)};
}

uint64_t sumOf(const Json &value) {
  if (!value.is_object())
    return value.get<uint64_t>();
  uint64_t sum = 0;
  for (const auto &[key, part] : value.items())
    if (key != "graded" || !part.is_object()) // as an object, a part of others
      sum += sumOf(part);
  return sum;
}

std::string layerName(const Json &row) {
  return row.at("kind") == "chip" ? "chip: barriers and resets"
                                  : row.at("population").get<std::string>();
}

std::string formatByLayer(const Json &layers, const Json &flows,
                          const Per &per) {
  PartTable parts({"layer", "kind", "neurons"},
                  {"updates", "spikes", "synops", "messages"}, per.count);
  for (const Json &row : layers) {
    const Json &counts = row.at("counts");
    if (counts.is_null())
      continue;
    auto count = [&](const char *name) {
      return countText(sumOf(counts.at(name)), per);
    };
    parts.add({layerName(row), row.at("kind"), grouped(row.at("neurons"))},
              {countText(sumOf(counts.at("neuron_updates_active")) +
                             sumOf(counts.at("neuron_updates_inactive")),
                         per),
               row.at("kind") == "input" ? count("inputs") : count("spikes"),
               count("synops"), count("messages")},
              row.at("energy_pJ"));
  }
  PartTable between({"from", "to"}, {"messages", "hops", "synops", "words"},
                    per.count);
  for (const Json &row : flows) {
    const Json &counts = row.at("counts");
    const std::string target = !row.at("target").is_null()
                                   ? row.at("target").get<std::string>()
                               : row.at("to") == "host" ? "(the host)"
                                                        : "(several at once)";
    between.add(
        {row.at("source"), target},
        {countText(sumOf(counts.at("messages")), per),
         countText(sumOf(counts.at("hops_ew")) + sumOf(counts.at("hops_ns")),
                   per),
         countText(sumOf(counts.at("synops")), per),
         countText(sumOf(counts.at("synmem_words")), per)},
        row.at("energy_pJ"));
  }
  return "Energy by layer: updates, spikes and messages of the layer, and the "
         "synapses that it reads\n" +
         parts.text() +
         "\nOf that, energy by flow: messages, and the synapses that they "
         "read\n" +
         between.text();
}

std::string formatByCore(const sim::Counts &counts,
                         const std::vector<CostTable> &tables, const Per &per) {
  using sim::Counter;
  const sim::Pricer low(tables.front()), high(tables.back());
  PartTable parts({"core"}, {"updates", "spikes", "synops", "messages"},
                  per.count);
  auto add = [&](const std::string &name, const sim::CoreCounts &core) {
    auto sum = [&](std::initializer_list<Counter> counters) {
      uint64_t all = 0;
      for (Counter c : counters)
        all += core[c];
      return countText(all, per);
    };
    parts.add({name},
              {sum({Counter::UpdatesActive, Counter::UpdatesInactive}),
               sum({Counter::SpikesBinary, Counter::SpikesUnary,
                    Counter::SpikesGraded}),
               sum({Counter::SynopsDense, Counter::SynopsSparse,
                    Counter::SynopsConv}),
               sum({Counter::Messages})},
              low.energy(core), high.energy(core));
  };
  for (const auto &[id, core] : counts.cores)
    add(std::to_string(id), core);
  add("host", counts.host);
  add("chip: barriers and resets", counts.chip);
  return "Energy by core\n" + parts.text();
}

std::string formatByEvent(const Json &low, const Json &high, const Per &per) {
  PartTable parts({"event"}, {"count", "kind", "source"}, per.count);
  for (const auto &item : high.at("by_event").items()) {
    const std::string &event = item.key();
    const Json &entry = item.value();
    if (entry.at("count") == 0)
      continue;
    auto text = [&](const char *key) {
      const auto at = entry.find(key);
      return at == entry.end() || at->is_null() ? std::string()
                                                : at->get<std::string>();
    };
    auto energyOf = [&](const Json &bill) -> std::optional<double> {
      const Json &row = bill.at("by_event").at(event);
      const auto at = row.find("energy_pJ");
      return at == row.end() || at->is_null()
                 ? std::nullopt
                 : std::optional(at->get<double>());
    };
    parts.add({eventTitle(event)},
              {countText(entry.at("count"), per),
               text("in").empty() ? text("kind") : "in " + text("in"),
               text("source")},
              energyOf(low), energyOf(high));
  }
  return "Energy by event\n" + parts.text();
}

std::string formatBySample(const Json &energies, const Json &latencies,
                           const Json &correct, const Json &asked) {
  constexpr size_t kMost = 20;
  std::vector<std::string> after;
  if (!latencies.is_null())
    after.push_back("latency (ns)");
  if (!correct.is_null())
    after.push_back("correct");
  PartTable parts({"sample"}, after);
  std::vector<double> known;
  for (size_t s = 0; s < energies.at("high").size(); ++s) {
    std::vector<std::string> right;
    if (!latencies.is_null())
      right.push_back(fmt::format("{:.3f}", latencies.at(s).get<double>()));
    if (!correct.is_null())
      right.push_back(!asked.is_null()
                          ? fmt::format("{} of {}", wholeFrom(correct.at(s)),
                                        wholeFrom(asked.at(s)))
                      : correct.at(s).get<bool>() ? "yes"
                                                  : "no");
    auto at = [&](const char *end) -> std::optional<double> {
      const Json &value = energies.at(end).at(s);
      return value.is_null() ? std::nullopt
                             : std::optional(value.get<double>());
    };
    if (at("high"))
      known.push_back(*at("high"));
    parts.add({std::to_string(s)}, right, at("low"), at("high"));
  }
  std::string mean;
  if (const auto interval = sim::bootstrapInterval(known))
    mean = fmt::format("Mean energy of all such samples: {:.6g} to {:.6g} pJ "
                       "(95 %, bootstrap)\n",
                       interval->low, interval->high);
  return "Energy by sample\n" + parts.text(kMost) + mean;
}

} // namespace dendrolith::report
