// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/silicon/Quantities.h"

#include <algorithm>

namespace dendrolith::silicon {
namespace {

using Units = std::vector<std::pair<std::string, double>>;

const Units kTimes = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}},
            kEnergies = {{"pJ", 1}, {"nJ", 1e3}, {"uJ", 1e6}, {"mJ", 1e9}},
            kPowers = {{"mW", 1}, {"W", 1e3}}, kOne = {{"1", 1}};

/// The last ones are listed, and nothing predicts them.
const std::vector<QuantityRow> kQuantities = {
    {"counter", Quantity::Counter, kOne},
    {"time_step", Quantity::TimeStep, kTimes},
    {"energy_step", Quantity::EnergyStep, kEnergies},
    {"power_static", Quantity::PowerStatic, kPowers},
    {"cores", Quantity::Cores, kOne},
    {"power_dynamic", Quantity::Other, kPowers},
    {"energy_sample", Quantity::Other, kEnergies},
    {"rate", Quantity::Other, {{"1/s", 1}}},
    {"barrier", Quantity::Other, kTimes},
    {"time_event", Quantity::Other, kTimes},
};

} // namespace

std::vector<std::string> QuantityRow::unitNames() const {
  std::vector<std::string> names;
  for (const auto &[unit, scale] : units)
    names.push_back(unit);
  return names;
}

double QuantityRow::scaleOf(const std::string &unit) const {
  return std::find_if(units.begin(), units.end(),
                      [&](const auto &each) { return each.first == unit; })
      ->second;
}

const char *toString(Quantity quantity) {
  for (const QuantityRow &row : kQuantities)
    if (row.quantity == quantity && quantity != Quantity::Other)
      return row.name;
  return "other";
}

std::vector<std::string> quantityNames() {
  std::vector<std::string> names;
  for (const QuantityRow &row : kQuantities)
    names.push_back(row.name);
  return names;
}

const QuantityRow &quantityOf(const std::string &name) {
  return *std::find_if(
      kQuantities.begin(), kQuantities.end(),
      [&](const QuantityRow &row) { return row.name == name; });
}

} // namespace dendrolith::silicon
