// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/compare/Difference.h"

#include "simulator/report/result/NamedValues.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/TextTable.h"
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
using Values = NamedValues;

std::string shown(const Json &value) {
  std::string text = value.is_null()     ? "none"
                     : value.is_string() ? value.get<std::string>()
                                         : value.dump();
  // The beginning of a hash is enough to tell it from another.
  if (text.size() == 64 &&
      text.find_first_not_of("0123456789abcdef") == text.npos)
    text.resize(12);
  return printable(text, 40);
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

/// How much `after` is beside `before`.
std::string change(double before, double after) {
  return before == 0
             ? "new"
             : fmt::format("{:+.1f} %", 100 * (after - before) / before);
}

/// Pairs the values of both by name; what only one has stands beside null.
std::vector<std::pair<std::string, std::pair<Json, Json>>>
paired(const Values &a, const Values &b) {
  std::vector<std::pair<std::string, std::pair<Json, Json>>> all;
  std::map<std::string, size_t> places;
  for (const auto &[name, value] : a) {
    places.insert({name, all.size()});
    all.push_back({name, {value, Json()}});
  }
  for (const auto &[name, value] : b) {
    auto [place, isNew] = places.insert({name, all.size()});
    if (isNew)
      all.push_back({name, {Json(), Json()}});
    all[place->second].second.second = value;
  }
  return all;
}

std::string configuration(const Json &a, const Json &b) {
  TextTable table({"configuration", "first", "second"});
  bool differs = false;
  for (const auto &[name, values] :
       paired(configurationOf(a), configurationOf(b)))
    if (values.first != values.second) {
      differs = true;
      table.add({printable(name), shown(values.first), shown(values.second)});
    }
  return differs ? table.text() + "\n" : "Configuration: the same\n\n";
}

/// Score and latency, as far as both have them.
std::string outcome(const Json &a, const Json &b) {
  std::string out;
  const Json &one = a.at("score"), &two = b.at("score");
  if (!one.is_null() && !two.is_null() &&
      one.at("metric") == two.at("metric")) {
    const double before = one.at("value"), after = two.at("value");
    out += fmt::format("Score ({}): {:.4f} to {:.4f}, {:+.4f}",
                       one.at("metric").get<std::string>(), before, after,
                       after - before);
    if (before != after && !one.at("low").is_null() &&
        !two.at("low").is_null() && one.at("low") <= two.at("high") &&
        two.at("low") <= one.at("high"))
      out += "; the 95 % intervals overlap";
    out += "\n";
  }
  if (a.at("latency").is_null() || b.at("latency").is_null())
    return out;
  const double before = a.at("latency").at("per_sample_ns").at("mean"),
               after = b.at("latency").at("per_sample_ns").at("mean");
  out +=
      fmt::format("Latency (mean, ns): {} to {}, {}; by part:", number(before),
                  number(after), change(before, after));
  auto critical = [](const Json &result, const char *part) {
    return result.at("latency").at("critical").value(part, 0.0) /
           result.at("samples").get<double>();
  };
  for (const char *part :
       {"update_ns", "waiting_ns", "noc_ns", "receive_ns", "barrier_ns"})
    out +=
        fmt::format(" {} {:+.4g}", part, critical(b, part) - critical(a, part));
  return out + "\n";
}

std::string counts(const Json &a, const Json &b) {
  if (a.at("counts").is_null() || b.at("counts").is_null())
    return "";
  Values first, second;
  flatten(a.at("counts").at("total"), "", first);
  flatten(b.at("counts").at("total"), "", second);
  TextTable table({"count per sample", "first", "second", "change"});
  bool differs = false;
  auto perSample = [](const Json &value, const Json &result) -> double {
    return value.is_null()
               ? 0
               : value.get<double>() / result.at("samples").get<double>();
  };
  for (const auto &[name, values] : paired(first, second)) {
    const double before = perSample(values.first, a),
                 after = perSample(values.second, b);
    if (before == after ||
        name == "tiles") // in use, however many samples there are
      continue;
    differs = true;
    table.add({name, fmt::format("{:.1f}", before),
               fmt::format("{:.1f}", after), change(before, after)});
  }
  return "\n" + (differs ? table.text() : "Counts: the same\n");
}

/// An event on both bills, in pJ of a sample.
struct EventChange {
  std::string name;
  double before = 0, after = 0, byCount = 0;
};

/// Events whose energy differs, the largest difference first. Resets are no
/// part of a sample's energy.
std::vector<EventChange> changes(const Json &a, const Json &b,
                                 const char *end) {
  std::vector<EventChange> all;
  const Json &first = a.at("energy").at(end).at("by_event"),
             &second = b.at("energy").at(end).at("by_event");
  const double samplesA = a.at("samples"), samplesB = b.at("samples");
  Values namesA, namesB;
  for (const auto &[name, event] : first.items())
    namesA.push_back({name, event});
  for (const auto &[name, event] : second.items())
    namesB.push_back({name, event});
  for (const auto &[name, events] : paired(namesA, namesB)) {
    auto valueOf = [&](const Json &event, const char *key, double samples) {
      return event.is_null() || event.at(key).is_null()
                 ? 0
                 : event.at(key).get<double>() / samples;
    };
    EventChange change;
    change.name = name;
    change.before = valueOf(events.first, "energy_pJ", samplesA);
    change.after = valueOf(events.second, "energy_pJ", samplesB);
    if (name == "resets" || change.before == change.after)
      continue;
    change.byCount = (valueOf(events.second, "count", samplesB) -
                      valueOf(events.first, "count", samplesA)) *
                     valueOf(events.first, "price_pJ", 1);
    all.push_back(change);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto &x, const auto &y) {
    return std::fabs(x.after - x.before) > std::fabs(y.after - y.before);
  });
  return all;
}

/// What is left of a change but for the rounding of doubles.
double byPrice(const EventChange &event) {
  const double rest = event.after - event.before - event.byCount;
  return std::fabs(rest) > 1e-9 * std::max(event.before, event.after) ? rest
                                                                      : 0;
}

std::string energies(const Json &a, const Json &b, const char *end,
                     const std::string &title) {
  TextTable table(
      {title, "first", "second", "change", "by counts", "by prices"});
  auto add = [&](const std::string &name, double before, double after,
                 const std::string &counts, const std::string &prices) {
    table.add({name, number(before / 1e3), number(after / 1e3),
               fmt::format("{:+.4g}", (after - before) / 1e3), counts, prices});
  };
  for (const EventChange &event : changes(a, b, end))
    add(eventTitle(event.name), event.before, event.after,
        fmt::format("{:+.4g}", event.byCount / 1e3),
        fmt::format("{:+.4g}", byPrice(event) / 1e3));
  double before = 0, after = 0;
  bool hasStatic = true;
  for (const auto &[name, key] :
       {std::pair<const char *, const char *>{"events", "energy_per_sample_pJ"},
        {"static", "static_per_sample_pJ"}}) {
    const Json one = memberOf(a.at("summary").at(key), end),
               two = memberOf(b.at("summary").at(key), end);
    if (one.is_null() || two.is_null()) {
      hasStatic = false;
      continue;
    }
    add(name, one, two, "", "");
    before += one.get<double>();
    after += two.get<double>();
  }
  if (hasStatic)
    add("together", before, after, "", "");
  return "\n" + table.text();
}

void listDifferences(const Json &was, const Json &is, const std::string &where,
                     std::vector<std::string> &found) {
  if (was == is)
    return;
  if (was.is_object() && is.is_object()) {
    std::set<std::string> keys;
    for (const Json *side : {&was, &is})
      for (const auto &[key, value] : side->items())
        keys.insert(key);
    for (const std::string &key : keys)
      listDifferences(was.value(key, Json()), is.value(key, Json()),
                      where.empty() ? key : where + "." + key, found);
    return;
  }
  found.push_back(fmt::format("{}: was {}, is {}", where,
                              printable(was.dump(), 80),
                              printable(is.dump(), 80)));
}

} // namespace

std::string formatDifference(const Json &a, const Json &b) {
  std::string out = "Differences, the second against the first\n" +
                    configuration(a, b) + outcome(a, b) + counts(a, b);
  if (a.at("energy").is_null() || b.at("energy").is_null())
    return out;
  const bool isBand = a.at("costs").at("low") != a.at("costs").at("high") ||
                      b.at("costs").at("low") != b.at("costs").at("high");
  out += energies(a, b, "low",
                  isBand ? "nJ per sample, low end" : "nJ per sample");
  if (isBand)
    out += energies(a, b, "high", "nJ per sample, high end");
  return out;
}

std::vector<std::string> differentValues(const Json &was, const Json &is) {
  std::vector<std::string> found;
  listDifferences(was, is, "", found);
  return found;
}

} // namespace dendrolith::report
