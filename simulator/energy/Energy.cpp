// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/energy/Energy.h"

#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace dendrolith::sim {

static uint64_t countOf(const CoreCounts &total, const std::string &event,
                        const CostTable &table) {
  std::optional<Counter> counter = counterOf(event);
  if (!counter)
    throw Error(fmt::format("cost table '{}': event '{}' is not counted by the "
                            "engines",
                            table.name, event));
  return total[*counter];
}

bool Energy::isPriced() const {
  return unpriced.empty() ||
         std::any_of(events.begin(), events.end(),
                     [](const EventEnergy &entry) {
                       return entry.count > 0 &&
                              entry.price.form != Price::Decision::Unpriced;
                     });
}

Energy price(const Counts &counts, const CostTable &table, uint64_t timePs) {
  Energy bill;
  bill.costs = table.name;
  const CoreCounts total = counts.total();
  bool minimum = false, maximum = false;
  ExactSum sum;
  std::map<std::string, std::string> sources;

  auto add = [&](const std::string &event, const Price *decision) {
    EventEnergy entry;
    entry.event = event;
    entry.count = countOf(total, event, table);
    if (decision)
      entry.price = *decision;
    if (entry.count == 0 && !decision)
      return;
    if (entry.price.form == Price::Decision::Priced) {
      ExactSum energy;
      energy.add(entry.count, entry.price.value);
      entry.energy = energy.value();
      sum.add(entry.count, entry.price.value);
      if (entry.energy > 0) {
        minimum |= entry.price.bound == PriceBound::Min;
        maximum |= entry.price.bound == PriceBound::Max;
      }
    } else if (entry.price.form == Price::Decision::Unpriced &&
               entry.count > 0) {
      bill.unpriced.push_back(event);
    }
    if (!entry.price.source.empty())
      sources[entry.price.source] = table.citation(entry.price.source);
    bill.events.push_back(std::move(entry));
  };
  for (const std::string &event : allEvents())
    add(event, table.find(event));

  bill.total = sum.value();
  // What has no price is missing from the total.
  minimum |= !bill.unpriced.empty();
  bill.bound = minimum && maximum ? "~" : minimum ? ">=" : maximum ? "<=" : "=";
  bill.staticPower = table.staticPower;
  bill.chips = counts.chips;
  if (table.staticPower && timePs > 0)
    // 1 mW over 1 ps is 10^-15 J = 10^-3 pJ.
    bill.staticEnergy = table.staticPower->milliwatts *
                        static_cast<double>(counts.chips) *
                        static_cast<double>(timePs) * 1e-3;
  if (table.staticPower && !table.staticPower->source.empty())
    sources[table.staticPower->source] =
        table.citation(table.staticPower->source);
  bill.sources.assign(sources.begin(), sources.end());
  return bill;
}

static nlohmann::ordered_json toJson(const EventEnergy &entry) {
  nlohmann::ordered_json json;
  json["count"] = entry.count;
  for (const char *key :
       {"price_pJ", "energy_pJ", "in", "kind", "bound", "source"})
    json[key] = nullptr; // all of them where there is no price
  if (entry.price.form == Price::Decision::Unpriced)
    return json;
  json["kind"] = toString(entry.price.kind);
  json["source"] = entry.price.source;
  if (entry.price.form == Price::Decision::Inside) {
    json["in"] = entry.price.inside;
    return json;
  }
  json["price_pJ"] = entry.price.value;
  json["energy_pJ"] = entry.energy;
  json["bound"] = toString(entry.price.bound);
  return json;
}

nlohmann::ordered_json toJson(const Energy &energy) {
  nlohmann::ordered_json json;
  json["costs"] = energy.costs;
  json["total_pJ"] = nullptr;
  if (energy.isPriced())
    json["total_pJ"] = energy.total;
  json["bound"] = energy.bound;
  json["by_event"] = nlohmann::ordered_json::object();
  for (const EventEnergy &entry : energy.events)
    json["by_event"][entry.event] = toJson(entry);
  json["static_pJ"] = nullptr;
  if (energy.staticEnergy)
    json["static_pJ"] = *energy.staticEnergy;
  json["unpriced"] = energy.unpriced;
  json["sources"] = nlohmann::ordered_json::object();
  for (const auto &[key, citation] : energy.sources)
    json["sources"][key] = citation;
  return json;
}

/// Prints an energy in the unit that keeps the digits few.
static std::string quantity(double picojoules) {
  static const char *const units[] = {"pJ", "nJ", "uJ", "mJ", "J"};
  size_t unit = 0;
  while (picojoules >= 1e4 && unit + 1 < std::size(units)) {
    picojoules /= 1e3;
    ++unit;
  }
  return fmt::format("{:.6g} {}", picojoules, units[unit]);
}

static std::string line(const std::string &event, const std::string &count,
                        const std::string &price, const std::string &energy,
                        const std::string &kind, const std::string &source) {
  std::string text = fmt::format("{:<24} {:>14} {:>12} {:>14}  {:<12} {}",
                                 event, count, price, energy, kind, source);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

static std::string line(const EventEnergy &entry) {
  const Price &price = entry.price;
  std::string count = fmt::format("{}", entry.count);
  switch (price.form) {
  case Price::Decision::Priced: {
    const char *sign = price.bound == PriceBound::Min   ? ">="
                       : price.bound == PriceBound::Max ? "<="
                                                        : "";
    return line(entry.event, count, fmt::format("{}{}", sign, price.value),
                quantity(entry.energy), toString(price.kind), price.source);
  }
  case Price::Decision::Inside:
    return line(entry.event, count, "-", "in " + price.inside,
                toString(price.kind), price.source);
  case Price::Decision::Unpriced:
    break;
  }
  return line(entry.event, count, "-", "unpriced", "", "");
}

std::string formatEnergy(const Energy &energy) {
  std::string text =
      line("event", "count", "price (pJ)", "energy", "kind", "source");
  for (const EventEnergy &entry : energy.events)
    if (entry.count > 0)
      text += line(entry);
  std::string bound = energy.bound == "=" ? "" : energy.bound + " ";
  text += energy.isPriced()
              ? fmt::format("total of events ({}): {}{}\n", energy.costs, bound,
                            quantity(energy.total))
              : fmt::format("total of events ({}): not known\n", energy.costs);
  if (!energy.unpriced.empty())
    text += fmt::format("  partial, unpriced: {}\n",
                        fmt::join(energy.unpriced, ", "));
  if (energy.staticEnergy)
    text += fmt::format(
        "static ({} mW{}, {}), not in the total: {}; together: "
        "{}{}\n",
        energy.staticPower->milliwatts,
        energy.chips > 1 ? fmt::format(" of each of {} chips", energy.chips)
                         : "",
        toString(energy.staticPower->kind), quantity(*energy.staticEnergy),
        energy.isPriced() ? bound : ">= ",
        quantity(energy.total + *energy.staticEnergy));
  if (!energy.sources.empty())
    text += "sources:\n";
  for (const auto &[key, citation] : energy.sources)
    text += fmt::format("  {}: {}\n", key, citation);
  return text;
}

constexpr int64_t kUnits = 1'000'000'000;

void ExactSum::add(uint64_t count, double price) {
  // The fewest digits of which the price is the next double are those with
  // which it was written.
  int64_t power = 1;
  for (; power <= kUnits; power *= 10) {
    const double digits = std::nearbyint(price * double(power));
    if (std::fabs(digits) >= 1e15)
      break;
    if (digits / double(power) != price)
      continue;
    Wide more, sum;
    if (__builtin_mul_overflow(static_cast<Wide>(count),
                               static_cast<Wide>(digits) * (kUnits / power),
                               &more) ||
        __builtin_add_overflow(units, more, &sum))
      break;
    units = sum;
    return;
  }
  rest += static_cast<double>(count) * price;
}

double ExactSum::value() const {
  return static_cast<double>(units / kUnits) +
         static_cast<double>(static_cast<int64_t>(units % kUnits)) /
             double(kUnits) +
         rest;
}

std::optional<double> Pricer::energy(const CoreCounts &counts) const {
  ExactSum sum;
  bool known = false, unknown = false;
  for (const auto &[event, price] : prices) {
    if (counts[event] == 0)
      continue;
    (price.form == Price::Decision::Unpriced ? unknown : known) = true;
    if (price.form == Price::Decision::Priced)
      sum.add(counts[event], price.value);
  }
  if (unknown && !known)
    return std::nullopt;
  return sum.value();
}

} // namespace dendrolith::sim
