// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Compare.h"

#include "simulator/report/result/Pricing.h"
#include "targets/loader/yaml/Yaml.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace dendrolith::silicon {

double Interval::best() const {
  if (value)
    return *value;
  return low > 0 ? std::sqrt(low * high) : (low + high) / 2;
}

std::string Comparison::network() const {
  return row->workload.empty() ? "-" : row->workload;
}

std::string measuredChip(const Target &target) {
  std::string base;
  if (!target.filename.empty()) {
    const yaml::Node root =
        yaml::parse(yaml::readFile(target.filename), target.filename);
    if (const yaml::Node *found = yaml::find(root, "base"))
      base = found->text;
  }
  return base.empty() ? target.name : base;
}

void judge(Comparison &comparison, Interval predicted) {
  const Measurement &row = *comparison.row;
  comparison.predicted = predicted;
  // A counter of 0 is met by 0 alone.
  comparison.error = row.value > 0 ? (predicted.best() - row.value) / row.value
                                   : (predicted.high > 0 ? 1 : 0);
  comparison.isInside = predicted.low <= row.value + row.uncertainty &&
                        predicted.high >= row.value - row.uncertainty;
  if (row.quantity == Quantity::Counter)
    comparison.isInside |= std::abs(comparison.error) <= kSameActivity;
}

static Interval staticPower(const std::vector<CostTable> &prices) {
  Interval power;
  for (const CostTable &table : {prices.front(), prices.back()})
    if (!table.staticPower)
      throw Error("the chip's static power is unpriced");
  power.low = prices.front().staticPower->milliwatts;
  power.high = prices.back().staticPower->milliwatts;
  return power;
}

/// Where messages queue depends on all times, so that the value itself may lie
/// beyond what both ends of its numbers give.
static Interval timeBand(const Measurement &row, const Activity &activity) {
  const double value = activity.timeOf(row),
               quick = activity.timeAtEnd(row, false),
               slow = activity.timeAtEnd(row, true);
  return {std::min({value, quick, slow}), std::max({value, quick, slow}),
          value};
}

Interval predict(const Measurement &row, const Activity &activity,
                 const std::vector<CostTable> &prices) {
  const auto both = [](double value) { return Interval{value, value, value}; };
  switch (row.quantity) {
  case Quantity::Counter:
    return both(activity.countOf(row));
  case Quantity::TimeStep:
    return timeBand(row, activity);
  case Quantity::EnergyStep:
    return {activity.energyAt(prices.front()),
            activity.energyAt(prices.back())};
  case Quantity::Cores:
    return both(double(activity.cores()));
  case Quantity::PowerStatic:
  case Quantity::Other:
    return staticPower(prices);
  }
  return {};
}

namespace {

/// Compares the rows of one file after another.
class Comparer {
public:
  Comparer(Workbench &bench, const std::string &instead) : bench(bench) {
    if (instead.empty())
      return;
    chip = instead;
    of = measuredChip(Target::load(instead));
  }

  std::vector<Comparison> compare(const Measurements &measured) const {
    std::vector<Comparison> all;
    for (const Measurement &row : measured.rows)
      if (of.empty() || row.chip == of)
        all.push_back(compareRow(measured, row));
    refuseOtherActivities(all);
    return all;
  }

private:
  Comparison compareRow(const Measurements &measured,
                        const Measurement &row) const {
    Comparison made;
    made.file = &measured;
    made.row = &row;
    made.because = row.because;
    const std::string &on = of.empty() ? row.chip : chip;
    if (row.workload.empty()) {
      if (row.because.empty())
        attempt(made, nullptr, Target::load(on));
      return made;
    }
    const Workload &workload = measured.workload(row.workload);
    made.command = bench.commandOf(workload, on);
    if (!made.isCompared())
      return made;
    if (!row.isModelled()) {
      made.because = "its scope is " + row.scope +
                     ", of which cores and their mesh alone are modelled";
      return made;
    }
    const Attempt found = bench.attempt(measured, workload, on);
    made.because = found.because;
    if (found.activity)
      attempt(made, found.activity.get(), Target::load(on));
    return made;
  }

  static void attempt(Comparison &made, const Activity *activity,
                      const Target &target) {
    const std::vector<CostTable> prices = report::chooseCosts("", target);
    judge(made, activity ? predict(*made.row, *activity, prices)
                         : staticPower(prices));
  }

  /// A network whose counts differ did something else on the chip, so that its
  /// times and energies say nothing.
  static void refuseOtherActivities(std::vector<Comparison> &all) {
    std::map<std::string, std::string> differ; // row by workload
    for (const Comparison &each : all)
      if (each.isCompared() && each.row->quantity == Quantity::Counter &&
          !each.isInside)
        differ[each.row->workload] = each.row->id;
    for (Comparison &each : all)
      if (each.isCompared() && each.row->quantity != Quantity::Counter &&
          differ.count(each.row->workload))
        each.because = fmt::format("counter {} differs, so that this would be "
                                   "compared with another activity",
                                   differ.at(each.row->workload));
  }

  Workbench &bench;
  std::string chip, of;
};

/// Counters first, and of each kind what is farthest off.
bool comesBefore(const Comparison &a, const Comparison &b) {
  const auto key = [](const Comparison &each) {
    return std::make_tuple(!each.isCompared(), each.row->chip,
                           each.isCompared() ? each.row->quantity
                                             : Quantity::Counter,
                           each.isCompared() ? -std::abs(each.error) : 0);
  };
  return key(a) < key(b);
}

} // namespace

std::vector<Comparison> compare(const std::vector<Measurements> &measured,
                                Workbench &bench, const std::string &instead) {
  const Comparer comparer(bench, instead);
  std::vector<Comparison> all;
  for (const Measurements &file : measured)
    for (Comparison &each : comparer.compare(file))
      all.push_back(std::move(each));
  std::stable_sort(all.begin(), all.end(), comesBefore);
  return all;
}

std::vector<Agreement> summarise(const std::vector<Comparison> &all) {
  std::vector<Agreement> found;
  for (const Comparison &each : all) {
    if (!each.isCompared())
      continue;
    if (found.empty() || found.back().chip != each.row->chip ||
        found.back().quantity != each.row->quantity) {
      found.emplace_back();
      found.back().chip = each.row->chip;
      found.back().quantity = each.row->quantity;
      found.back().worst = each.row->id; // they are sorted
    }
    Agreement &group = found.back();
    ++group.rows;
    group.inside += each.isInside;
    group.absolute += std::abs(each.error);
    group.bias += each.error;
  }
  for (Agreement &group : found) {
    group.absolute /= double(group.rows);
    group.bias /= double(group.rows);
  }
  return found;
}

} // namespace dendrolith::silicon
