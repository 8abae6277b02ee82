// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/CompareText.h"

#include "runtime/explore/analysis/Values.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith::explore {
namespace {

std::string signedBand(const Band &band) {
  const std::string low = fmt::format("{:+.4g}", band.low),
                    high = fmt::format("{:+.4g}", band.high);
  return low == high ? low : low + " to " + high;
}

std::string cell(const std::optional<Band> &band) {
  return band ? bandText(*band) : "-";
}

std::string settingsText(const std::string &a, const std::string &b,
                         const Comparison &comparison) {
  if (comparison.settings.empty())
    return "The designs are the same.\n";
  report::TextTable table({"differs", a, b});
  for (const auto &[column, values] : comparison.settings)
    table.add({column, values.first, values.second});
  return table.text();
}

std::string valuesText(const std::string &a, const std::string &b,
                       const Comparison &comparison) {
  report::TextTable table({"value", a, b, b + " - " + a, b + " has"});
  for (const ValueDifference &value : comparison.values)
    table.add({headerOf(value.name), cell(value.a), cell(value.b),
               value.difference ? signedBand(*value.difference) : "-",
               nameOf(verdictOf(comparison, value.name))});
  return table.text();
}

std::string meanText(const std::string &name, const char *unit,
                     const std::optional<PairedMean> &mean) {
  return mean ? fmt::format(
                    "  {}: {:+.4g} {} (95 %: {})\n", name, mean->difference,
                    unit, signedBand({mean->interval.low, mean->interval.high}))
              : "";
}

std::string pairedText(const std::string &a, const std::string &b,
                       const Comparison &comparison) {
  if (!comparison.unpaired.empty())
    return "Not paired by sample: " + comparison.unpaired + ".\n";
  std::string text = "On the same samples, " + b + " - " + a + ":\n";
  text += meanText("latency", "us", comparison.latency);
  text += meanText("energy at the low prices", "uJ", comparison.energyLow);
  text += meanText("energy at the high prices", "uJ", comparison.energyHigh);
  if (comparison.right)
    text += fmt::format(
        "  right: {} alone {}, {} alone {} of {} samples, {:+.2f} points "
        "(95 %: {:+.2f} to {:+.2f}), chance of such a split {:.2g} "
        "(McNemar)\n",
        a, comparison.right->onlyA, b, comparison.right->onlyB,
        comparison.right->samples, 100 * comparison.right->mean.difference,
        100 * comparison.right->mean.interval.low,
        100 * comparison.right->mean.interval.high, comparison.right->chance);
  else
    text += "  a score is of these samples alone, as it is not known which "
            "are right\n";
  return text;
}

/// The largest differences first; those that are 0 are left out.
std::string partsText(const std::string &what, const std::string &a,
                      const std::string &b,
                      std::vector<ValueDifference> parts) {
  auto size = [](const ValueDifference &part) {
    return std::max(std::abs(part.difference->low),
                    std::abs(part.difference->high));
  };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const ValueDifference &x, const ValueDifference &y) {
                     return size(x) > size(y);
                   });
  report::TextTable table({what, a + " uJ", b + " uJ", b + " - " + a});
  for (const ValueDifference &part : parts)
    if (size(part) > 0)
      table.add({part.name, cell(part.a), cell(part.b),
                 signedBand(*part.difference)});
  return table.text();
}

} // namespace

std::string textOf(const StoredPoint &first, const StoredPoint &second,
                   const Comparison &comparison) {
  const std::string a = idOf(first), b = idOf(second);
  std::string text = settingsText(a, b, comparison) + "\n" +
                     valuesText(a, b, comparison) + "\n" +
                     pairedText(a, b, comparison);
  if (comparison.samePrices)
    text += fmt::format("\nEnergy of a sample where both have the same prices, "
                        "anywhere in their bands: {} uJ, {}\n",
                        signedBand(comparison.samePrices->total),
                        nameOf(verdictOf(comparison.samePrices->total))) +
            partsText("event", a, b, comparison.samePrices->events);
  if (!comparison.layers.empty())
    text += "\n" + partsText("layer", a, b, comparison.layers);
  return text;
}

} // namespace dendrolith::explore
