// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/energy/Energy.h"

#include <fmt/format.h>

#include <iterator>

namespace dendrolith::sim {

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

} // namespace dendrolith::sim
