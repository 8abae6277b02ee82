// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Unknowns.h"

#include "runtime/explore/analysis/Values.h"
#include "runtime/explore/stages/DesignSetup.h"

#include <algorithm>

namespace dendrolith::explore {

Band differenceOf(const Addends &a, const Addends &b) {
  Band difference;
  auto add = [&](double low, double high) {
    difference.low += std::min(low, high);
    difference.high += std::max(low, high);
  };
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool ofA = j == b.size() ||
                     (i < a.size() && a[i].unknown <= b[j].unknown),
               ofB = i == a.size() ||
                     (j < b.size() && b[j].unknown <= a[i].unknown);
    add((ofB ? b[j].low : 0) - (ofA ? a[i].low : 0),
        (ofB ? b[j].high : 0) - (ofA ? a[i].high : 0));
    i += ofA;
    j += ofB;
  }
  return difference;
}

Unknowns::Unknowns(const Study &study) {
  for (const std::string &column : columnsOf(study)) {
    const bool isChip = column == "target";
    if (isChip || column.rfind("costs", 0) == 0)
      ofPrices.push_back(column);
    if (isChip || (column != "model" && column != "repeat" &&
                   aboutOf(column) == About::Areas))
      ofAreas.push_back(column);
  }
}

uint32_t Unknowns::numberOf(const std::string &unknown) {
  const auto [found, isNew] = numbers.emplace(unknown, last + 1);
  last += isNew;
  return found->second;
}

void Unknowns::add(Addends &addends, const Parts &parts, const char *kind,
                   const std::vector<std::string> &columns,
                   const Design &design) {
  std::string prefix = kind;
  for (const std::string &column : columns)
    prefix += '\0' + settingOf(design, column);
  for (const auto &[name, band] : parts)
    addends.push_back(
        {band.low == band.high ? kExact : numberOf(prefix + '\0' + name),
         band.low, band.high});
}

/// Sorted, with one addend for each unknown.
static Addends merged(Addends addends) {
  std::stable_sort(
      addends.begin(), addends.end(),
      [](const Addend &a, const Addend &b) { return a.unknown < b.unknown; });
  Addends all;
  for (const Addend &addend : addends) {
    if (all.empty() || all.back().unknown != addend.unknown)
      all.push_back({addend.unknown, 0, 0});
    all.back().low += addend.low;
    all.back().high += addend.high;
  }
  return all;
}

std::optional<Addends> Unknowns::addendsOf(const Point &point,
                                           const std::string &name) {
  const auto value = valueOf(point, name);
  if (!value)
    return std::nullopt;
  Addends addends;
  const bool together = name == "together";
  const auto stays = together ? valueOf(point, "static") : value;
  const bool isEnergy = name == "energy" || together,
             isStatic = name == "static" || name == "power.static" || together;
  const bool known =
      (!isEnergy || !point.energyByEvent.empty()) && (!isStatic || stays);
  if (known && isEnergy)
    add(addends, point.energyByEvent, "price", ofPrices, point.design);
  if (known && isStatic) {
    // Static power follows prices and what parts of a chip leak.
    std::vector<std::string> columns = ofPrices;
    columns.insert(columns.end(), ofAreas.begin(), ofAreas.end());
    add(addends, {{"static power", *stays}}, "static", columns, point.design);
  }
  if (name == "area")
    add(addends, point.areaByPart, "area", ofAreas, point.design);
  if (addends.empty())
    addends.push_back(
        {value->low == value->high ? kExact : ++last, value->low, value->high});
  return merged(std::move(addends));
}

} // namespace dendrolith::explore
