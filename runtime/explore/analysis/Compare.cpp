// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Compare.h"

#include "runtime/explore/analysis/Unknowns.h"
#include "runtime/explore/analysis/Values.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace dendrolith::explore {
namespace {

using Bands = std::vector<std::pair<std::string, Band>>;

std::optional<Band> bandIn(const Bands &bands, const std::string &name) {
  for (const auto &[each, band] : bands)
    if (each == name)
      return band;
  return std::nullopt;
}

/// Both at their low ends, and both at their high ones.
Band together(const Band &a, const Band &b) {
  const auto [low, high] = std::minmax({b.low - a.low, b.high - a.high});
  return {low, high};
}

/// Entries of either, those of `a` first; one that a point lacks is 0 there.
std::vector<ValueDifference> joinedDifferences(const Bands &a, const Bands &b) {
  std::vector<ValueDifference> all;
  for (const Bands *bands : {&a, &b})
    for (const auto &[name, band] : *bands)
      if (bands == &a || !bandIn(a, name)) {
        const Band x = bandIn(a, name).value_or(Band{}),
                   y = bandIn(b, name).value_or(Band{});
        all.push_back({name, x, y, together(x, y)});
      }
  return all;
}

/// Prices come from the target's tables; an axis may choose another table or
/// change a price.
bool haveSamePrices(const Study &study, const Point &a, const Point &b) {
  for (const std::string &column : columnsOf(study))
    if ((column == "target" || column.rfind("costs", 0) == 0) &&
        settingOf(a.design, column) != settingOf(b.design, column))
      return false;
  return !a.energyByEvent.empty() && !b.energyByEvent.empty();
}

Band sumOf(const std::vector<ValueDifference> &parts) {
  Band total;
  for (const ValueDifference &part : parts) {
    total.low += part.difference->low;
    total.high += part.difference->high;
  }
  return total;
}

PairedMean meanOf(const std::vector<double> &differences) {
  double sum = 0;
  for (double each : differences)
    sum += each;
  const auto interval = sim::bootstrapInterval(differences);
  return {sum / double(differences.size()), *interval};
}

template <typename A, typename Of>
std::optional<PairedMean> paired(const std::vector<A> &a,
                                 const std::vector<A> &b, Of of) {
  if (a.size() != b.size() || a.size() < 2)
    return std::nullopt;
  std::vector<double> differences(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    differences[i] = of(b[i]) - of(a[i]);
  return meanOf(differences);
}

std::optional<PairedRight> pairedRight(const std::vector<bool> &a,
                                       const std::vector<bool> &b) {
  const auto mean = paired(a, b, [](bool right) { return right ? 1.0 : 0.0; });
  if (!mean)
    return std::nullopt;
  PairedRight found{a.size(), 0, 0, 1, *mean};
  for (size_t i = 0; i < a.size(); ++i) {
    found.onlyA += a[i] && !b[i];
    found.onlyB += b[i] && !a[i];
  }
  found.chance = mcnemar(found.onlyA, found.onlyB);
  return found;
}

bool sameTask(const Study &study, const Design &a, const Design &b) {
  for (const Task &task : tasksOf(study))
    if (task.has(a))
      return task.has(b);
  return false;
}

void addPaired(Comparison &comparison, const Study &study, const Point &a,
               const Point &b) {
  if (!sameTask(study, a.design, b.design)) {
    comparison.unpaired = "their models have different samples";
    return;
  }
  comparison.latency = paired(a.latencyPs, b.latencyPs,
                              [](uint64_t ps) { return double(ps) / 1e6; });
  comparison.energyLow = paired(a.sampleEnergy, b.sampleEnergy,
                                [](const Band &band) { return band.low; });
  comparison.energyHigh = paired(a.sampleEnergy, b.sampleEnergy,
                                 [](const Band &band) { return band.high; });
  comparison.right = pairedRight(a.right, b.right);
  if (!comparison.latency && !comparison.energyLow && !comparison.right)
    comparison.unpaired = "fewer than two samples are known of each";
}

Band bandOfInterval(const sim::Interval &interval) {
  return {interval.low, interval.high};
}

} // namespace

const char *nameOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Less:
    return "less";
  case Verdict::Equal:
    return "equal";
  case Verdict::More:
    return "more";
  case Verdict::Undecided:
    return "undecided";
  }
  return "";
}

Verdict verdictOf(const Band &difference) {
  if (difference.low == 0 && difference.high == 0)
    return Verdict::Equal;
  return difference.high < 0  ? Verdict::Less
         : difference.low > 0 ? Verdict::More
                              : Verdict::Undecided;
}

double mcnemar(uint64_t onlyA, uint64_t onlyB) {
  const double n = double(onlyA + onlyB);
  double tail = 0;
  for (uint64_t k = 0; k <= std::min(onlyA, onlyB); ++k)
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(double(k) + 1) -
                     std::lgamma(n - double(k) + 1) - n * std::log(2.0));
  return std::min(1.0, 2 * tail);
}

std::optional<Band> differenceOf(const Study &study, const Point &a,
                                 const Point &b, const std::string &name) {
  Unknowns unknowns(study);
  const auto x = unknowns.addendsOf(a, name), y = unknowns.addendsOf(b, name);
  if (!x || !y)
    return std::nullopt;
  return differenceOf(*x, *y);
}

Comparison compare(const Study &study, const StoredPoint &first,
                   const StoredPoint &second) {
  for (const StoredPoint *point : {&first, &second})
    if (point->point.state != PointState::Done)
      throw Error("--diff: " + idOf(*point) + " is " +
                  nameOf(point->point.state) + ": " + point->point.reason);
  const Point &a = first.point, &b = second.point;
  Comparison comparison;
  for (const std::string &column : columnsOf(study)) {
    const std::string x = settingOf(a.design, column),
                      y = settingOf(b.design, column);
    if (x != y)
      comparison.settings.push_back({column, {x, y}});
  }
  std::set<std::string> names;
  for (const Point *point : {&a, &b})
    for (const auto &[name, band] : point->values)
      names.insert(name);
  for (const std::string &name : names) {
    comparison.values.push_back({name, valueOf(a, name), valueOf(b, name),
                                 differenceOf(study, a, b, name)});
  }
  comparison.layers = joinedDifferences(a.energyByLayer, b.energyByLayer);
  if (haveSamePrices(study, a, b)) {
    comparison.samePrices =
        SamePrices{joinedDifferences(a.energyByEvent, b.energyByEvent), {}};
    comparison.samePrices->total = sumOf(comparison.samePrices->events);
  }
  addPaired(comparison, study, a, b);
  return comparison;
}

Verdict verdictOf(const Comparison &comparison, const std::string &name) {
  if (name == "latency.mean" && comparison.latency)
    return verdictOf(bandOfInterval(comparison.latency->interval));
  if ((name == "accuracy" || name == "score") && comparison.right)
    return verdictOf(bandOfInterval(comparison.right->mean.interval));
  for (const ValueDifference &value : comparison.values) {
    if (value.name != name || !value.difference)
      continue;
    const Verdict byBands = verdictOf(
        Band{value.b->low - value.a->high, value.b->high - value.a->low});
    if (byBands != Verdict::Undecided)
      return byBands;
    const Verdict same = verdictOf(*value.difference);
    // At every price, and for other samples at either end of the prices.
    if (name == "energy")
      for (const auto &end : {comparison.energyLow, comparison.energyHigh})
        if (end && verdictOf(bandOfInterval(end->interval)) != same)
          return Verdict::Undecided;
    return same;
  }
  return Verdict::Undecided;
}

} // namespace dendrolith::explore
