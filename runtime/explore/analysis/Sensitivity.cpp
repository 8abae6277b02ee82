// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Sensitivity.h"

#include "runtime/explore/analysis/Values.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace dendrolith::explore {
namespace {

const Provenance kKinds[] = {Provenance::Assumed, Provenance::Scaled,
                             Provenance::Inherited};

bool isUnsure(Provenance kind) {
  return std::find(std::begin(kKinds), std::end(kKinds), kind) !=
         std::end(kKinds);
}

/// One number, by the name that Target::set() takes.
struct Number {
  std::string key;
  Provenance kind;
  double value;
  bool whole; ///< a time in ps
};

/// Numbers that are changed together under one name: a time, or the price of
/// an event at both ends of a band.
struct Knob {
  std::string name, usual;
  std::vector<Number> numbers;
};

std::vector<Knob> timingKnobs(const TimingSet &timing) {
  std::vector<Knob> knobs;
  for (const Record &record : timing.records) {
    if (record.unit != "ps" || !isUnsure(record.kind))
      continue;
    const double value = std::stod(record.value);
    const std::string key = "timing." + timing.name + "." + record.name;
    if (value > 0)
      knobs.push_back(
          {key, record.value + " ps", {{key, record.kind, value, true}}});
  }
  return knobs;
}

std::vector<Knob> pricesOf(const std::vector<CostTable> &tables) {
  std::vector<Knob> knobs;
  for (const CostTable &table : tables)
    for (const auto &[event, price] : table.prices) {
      if (price.form != Price::Decision::Priced || !isUnsure(price.kind) ||
          !(price.value > 0))
        continue;
      const std::string name = "costs." + event;
      auto knob = std::find_if(knobs.begin(), knobs.end(),
                               [&](const Knob &k) { return k.name == name; });
      if (knob == knobs.end())
        knob = knobs.insert(knobs.end(), {name, "", {}});
      knob->usual +=
          (knob->usual.empty() ? "" : " to ") + numberText(price.value);
      knob->numbers.push_back({"costs." + table.name + "." + event, price.kind,
                               price.value, false});
    }
  for (Knob &knob : knobs)
    knob.usual += " pJ";
  return knobs;
}

void put(Design &design, const Number &number, double factor) {
  const double value = number.value * factor;
  const std::string text = number.whole
                               ? fmt::format("{:.0f}", std::round(value))
                               : fmt::format("{}", value);
  for (auto &[axis, chosen] : design.values)
    if (axis == number.key) {
      chosen = text;
      return;
    }
  design.values.emplace_back(number.key, text);
}

std::string kindsOf(const Knob &knob) {
  std::string text;
  for (const Number &number : knob.numbers)
    if (text.find(toString(number.kind)) == std::string::npos)
      text += (text.empty() ? "" : ", ") + std::string(toString(number.kind));
  return text;
}

/// What could not be measured is shown first.
double reachOf(const Sensitivity &each) {
  if (!each.move)
    return std::numeric_limits<double>::infinity();
  return std::max(std::abs(each.move->low), std::abs(each.move->high));
}

} // namespace

std::vector<Variation> variationsOf(const Design &baseline,
                                    const TimingSet &timing,
                                    const std::vector<CostTable> &tables,
                                    const std::vector<double> &factors) {
  std::vector<Knob> knobs = timingKnobs(timing);
  for (Knob &knob : pricesOf(tables))
    knobs.push_back(std::move(knob));
  std::vector<Variation> all;
  const auto add = [&](const std::string &name, const std::string &kind,
                       const std::string &usual, const auto &isMeant) {
    for (double factor : factors) {
      Variation variation{name, kind, usual, factor, baseline};
      size_t changed = 0;
      for (const Knob &knob : knobs)
        for (const Number &number : knob.numbers)
          if (isMeant(knob, number)) {
            put(variation.design, number, factor);
            ++changed;
          }
      if (changed)
        all.push_back(std::move(variation));
    }
  };
  for (Provenance kind : kKinds)
    add(fmt::format("all {}", toString(kind)), toString(kind), "",
        [&](const Knob &, const Number &number) {
          return number.kind == kind;
        });
  add("all of these", "assumed, scaled, inherited", "",
      [](const Knob &, const Number &) { return true; });
  for (const Knob &knob : knobs)
    add(knob.name, kindsOf(knob), knob.usual,
        [&](const Knob &other, const Number &) {
          return other.name == knob.name;
        });
  return all;
}

std::vector<Sensitivity>
sensitivitiesOf(const std::vector<Variation> &variations, const Point &base,
                const std::string &value,
                const std::function<Point(const Design &)> &measure) {
  const auto usual = valueOf(base, value);
  std::vector<Sensitivity> all;
  for (const Variation &variation : variations) {
    Sensitivity found{variation, std::nullopt, std::nullopt};
    const Point point = measure(variation.design);
    if (point.state == PointState::Done)
      found.value = valueOf(point, value);
    if (found.value && usual)
      found.move = moveOf(*found.value, *usual);
    all.push_back(std::move(found));
  }
  return all;
}

std::string textOf(const std::vector<Sensitivity> &sensitivities,
                   const Point &base, const std::string &value) {
  // Rows of one name stay together: the furthest of them decides.
  std::map<std::string, double> reach;
  for (const Sensitivity &each : sensitivities)
    reach[each.variation.name] =
        std::max(reach[each.variation.name], reachOf(each));
  std::vector<Sensitivity> rows = sensitivities;
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Sensitivity &a, const Sensitivity &b) {
                     const bool all = a.variation.usual.empty(),
                                other = b.variation.usual.empty();
                     if (all != other)
                       return all;
                     return !all &&
                            reach[a.variation.name] > reach[b.variation.name];
                   });
  report::TextTable table(
      {"number", "is", "kind", "factor", headerOf(value), "change"});
  std::map<std::string, bool> still;
  for (const Sensitivity &each : rows) {
    const Variation &variation = each.variation;
    if (!variation.usual.empty() && each.move &&
        reach[variation.name] < 0.0005) {
      still[variation.name] = true;
      continue;
    }
    table.add({variation.name, variation.usual, variation.kind,
               fmt::format("{:g}", variation.factor),
               each.value ? bandText(*each.value) : "-",
               each.move ? moveText(*each.move) : "-"});
  }
  const auto usual = valueOf(base, value);
  return fmt::format("{} is {} where nothing is changed\n", value,
                     usual ? bandText(*usual, value) : "not known") +
         table.text() +
         (still.empty() ? ""
                        : fmt::format("{} other numbers move it by less than "
                                      "0.05 %\n",
                                      still.size()));
}

} // namespace dendrolith::explore
