// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/paper/Conventions.h"

#include "simulator/report/paper/CountRows.h"
#include "simulator/report/text/TextTable.h"
#include "targets/loader/chip/Counters.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

// A bill is the counted energy of a priced result.json per sample, by groups of
// events.

/// Groups are printed in their order in Counters.def.
using Group = EventGroup;

/// A bill is one end of the band, or the only one.
struct Bill {
  struct EventSum {
    double events = 0, pJ = 0; // per sample
    bool isPriced = false;     // some of what happened
  };
  std::array<EventSum, kEventGroups> groups;
  std::optional<double> total; // pJ per sample in events
};

std::string nano(double pJ) { return fmt::format("{:.3f}", pJ / 1e3); }

/// An unknown event stands with messages.
Group groupOf(const std::string &event) {
  std::optional<Counter> counter = counterOf(event);
  return counter ? rowOf(*counter).group : Group::Messages;
}

Bill billOf(const Json &energy, double samples) {
  Bill bill;
  if (energy.at("total_pJ").is_number())
    bill.total = energy.at("total_pJ").get<double>() / samples;
  for (const auto &[event, entry] : energy.at("by_event").items()) {
    Bill::EventSum &group = bill.groups[size_t(groupOf(event))];
    double count = entry.at("count").get<double>() / samples;
    group.events += count;
    if (entry.at("energy_pJ").is_null())
      continue;
    double pJ = entry.at("energy_pJ").get<double>() / samples;
    group.pJ += pJ;
    group.isPriced |= count > 0;
  }
  return bill;
}

/// Returns the two ends of a band, low first, or one bill where both are one
/// table.
std::vector<Bill> countedBills(const Json &result) {
  double samples = double(result.at("samples").get<uint64_t>());
  const Json &energy = result.at("energy");
  if (energy.at("low").at("costs") == energy.at("high").at("costs"))
    return {billOf(energy.at("low"), samples)};
  return {billOf(energy.at("low"), samples),
          billOf(energy.at("high"), samples)};
}

std::string billTable(const std::vector<Bill> &bills) {
  TextTable table(bills.size() > 1
                      ? std::vector<std::string>{"counted energy", "events",
                                                 "low (nJ)", "high (nJ)"}
                      : std::vector<std::string>{"counted energy", "events",
                                                 "energy (nJ)"});
  for (size_t group = 0; group < kEventGroups; ++group) {
    std::vector<std::string> row = {
        toString(Group(group)),
        fmt::format("{:.0f}", bills.front().groups[group].events)};
    for (const Bill &bill : bills) {
      const Bill::EventSum &sum = bill.groups[group];
      row.push_back(sum.events > 0 && !sum.isPriced ? "-" : nano(sum.pJ));
    }
    table.add(row);
  }
  std::vector<std::string> total = {"all", ""};
  for (const Bill &bill : bills)
    total.push_back(bill.total ? nano(*bill.total) : "-");
  table.add(total);
  return table.text();
}

/// What NeuroBench's effective operations of a float run say: one row of all
/// projections, and one of all layers, of which nothing is known.
std::optional<CountRows> floatRows(const Json &result) {
  const Json bench = result.value("neurobench", Json());
  if (!result.at("counts").is_null() || !bench.is_object() ||
      !bench.at("float").is_object())
    return std::nullopt;
  const Json &operations = bench.at("float").at("SynapticOperations");
  if (operations.at("Effective_ACs").is_null())
    return std::nullopt;
  CountRow row;
  row.label = "the float network";
  CountRows rows;
  rows.layers.push_back(row);
  row.numbers["accumulates"] = operations.at("Effective_ACs");
  row.numbers["multiplies"] = operations.at("Effective_MACs");
  rows.projections.push_back(row);
  return rows;
}

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
  Pricing(const Convention &convention, CountRows &rows)
      : convention(convention), rows(rows) {}

  /// Fills `per_sample_pJ` and `terms`. Throws Error with the reason why not.
  void execute(Json &into) {
    for (const ConventionNeed &need : convention.needs)
      check(need);
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
  void check(const ConventionNeed &need) {
    std::vector<CountRow> &all = of(need.scope);
    const auto fails = [&](const CountRow &row) {
      return !yaml::truthOf(*need.that.term, row);
    };
    if (need.some && std::all_of(all.begin(), all.end(), fails))
      throw Error(need.otherwise);
    const auto found =
        need.some ? all.end() : std::find_if(all.begin(), all.end(), fails);
    if (found != all.end())
      throw Error(found->label + ": " + need.otherwise);
  }

  std::vector<CountRow> &of(CountScope scope) {
    std::vector<CountRow> &all =
        scope == CountScope::Layer ? rows.layers : rows.projections;
    for (CountRow &row : all)
      row.convention = &convention;
    return all;
  }

  std::pair<double, double> sum(const ConventionTerm &term) {
    double count = 0, energy = 0;
    for (CountRow &row : of(term.scope)) {
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
  CountRows &rows;
};

/// {low, high}: the chip's events over the convention.
Json overOf(const Json &chip, double convention) {
  if (!chip.is_object() || chip.at("low").is_null() || !(convention > 0))
    return nullptr;
  return {{"low", chip.at("low").get<double>() / convention},
          {"high", chip.at("high").get<double>() / convention}};
}

/// Why there is a figure and no ratio to the chip.
std::string noRatio(const Json &result, double convention) {
  return result.at("counts").is_null() ? "no ratio: no chip ran"
         : convention > 0 ? "no ratio: the chip's events have no prices"
                          : "no ratio: the figure is 0";
}

std::string nanoJoules(const Json &pJ) {
  return pJ.is_null() ? "-" : fmt::format("{:.3f}", pJ.get<double>() / 1e3);
}

/// What the chip spends in every step, and what only where something fires.
struct Shares {
  double steps = 0, events = 0; // pJ per sample

  explicit Shares(const Bill &bill) {
    for (size_t group = 0; group < kEventGroups; ++group)
      (Group(group) == Group::Synapses || Group(group) == Group::Messages
           ? events
           : steps) += bill.groups[group].pJ;
  }
};

/// Whether it is priced once for each step.
bool growsWithSteps(const Convention &convention) {
  return std::any_of(convention.terms.begin(), convention.terms.end(),
                     [](const ConventionTerm &term) {
                       return term.count.text.find("steps") !=
                              std::string::npos;
                     });
}

/// At which activity, and at how many steps, in parts of this run's, the chip's
/// events cost as much as `pJ`, by the ends of its prices. An activity is null
/// where steps without an event cost more, and `steps` where both grow with
/// them.
Json breakEven(const std::vector<Bill> &bills, double pJ, bool grows) {
  Json activity, steps, quiet, firing;
  for (size_t end = 0; end < 2; ++end) {
    const Shares share(end ? bills.back() : bills.front());
    const double all = share.steps + share.events, left = pJ - share.steps;
    const char *name = end ? "high" : "low";
    quiet[name] = share.steps;
    firing[name] = share.events;
    activity[name] =
        share.events > 0 && left > 0 ? Json(left / share.events) : Json();
    steps[name] = all > 0 ? Json(pJ / all) : Json();
  }
  return {{"activity", activity},
          {"steps", grows ? Json() : steps},
          {"quiet_pJ", quiet},
          {"firing_pJ", firing}};
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

/// When the spiking network on this chip is as cheap as the artificial one.
std::string breakEvenText(const Json &even) {
  const Json &activity = even.at("activity"), &steps = even.at("steps");
  std::string text = "  the chip's events cost as much at ";
  if (activity.at("high").is_null())
    text += activity.at("low").is_null()
                ? "no activity (steps without an event cost more)"
                : fmt::format("{:.3g} times this activity at the low end of "
                              "its prices, at none at the high end",
                              activity.at("low").get<double>());
  else
    text += band(activity, 1, "{:.3g}") + " times this activity";
  if (steps.is_object())
    text += ", or at " + band(steps, 1, "{:.3g}") + " times as many steps";
  return text + "\n";
}

/// What enters a convention, what it leaves out and where it is from.
std::string noteOf(const Json &row) {
  std::string note = fmt::format("{}: {}\n", row.at("name").get<std::string>(),
                                 row.at("description").get<std::string>());
  if (!row.at("reason").is_null())
    note += (row.at("per_sample_pJ").is_null() ? "  no figure: " : "  ") +
            row.at("reason").get<std::string>() + "\n";
  if (!row.at("terms").is_null())
    for (const Json &term : row.at("terms"))
      note +=
          fmt::format("  {:.0f} {}{}\n", term.at("count").get<double>(),
                      term.at("name").get<std::string>(),
                      term.at("energy_pJ").is_null()
                          ? ""
                          : ", " + nanoJoules(term.at("energy_pJ")) + " nJ");
  if (!row.at("break_even").is_null())
    note += breakEvenText(row.at("break_even"));
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
  std::optional<CountRows> rows = floatRows(result);
  std::string reason = rows ? "" : reasonOf(result, flows);
  if (!rows && reason.empty())
    try {
      rows = countRows(result, flows);
    } catch (const Error &error) {
      reason = error.what();
    }
  Json all = Json::array();
  for (const Convention &convention : conventions) {
    Json sources = Json::object();
    for (const auto &[key, citation] : convention.sources)
      sources[key] = citation;
    Json row = {{"name", convention.name},
                {"description", convention.description},
                {"node", convention.node},
                {"per_sample_pJ", nullptr},
                {"chip_over", nullptr},
                {"network", convention.isArtificial ? "artificial" : "spiking"},
                {"break_even", nullptr},
                {"reason", nullptr},
                {"terms", nullptr},
                {"leaves_out", convention.leavesOut},
                {"sources", sources}};
    try {
      if (!rows)
        throw Error(reason);
      Pricing(convention, *rows).execute(row);
    } catch (const Error &error) {
      row["reason"] = error.what();
    }
    if (row["per_sample_pJ"].is_number()) {
      row["chip_over"] = overOf(result.at("summary").at("energy_per_sample_pJ"),
                                row["per_sample_pJ"]);
      if (row["chip_over"].is_null())
        row["reason"] = noRatio(result, row["per_sample_pJ"]);
    }
    if (convention.isArtificial && row["chip_over"].is_object())
      row["break_even"] = breakEven(countedBills(result), row["per_sample_pJ"],
                                    growsWithSteps(convention));
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
