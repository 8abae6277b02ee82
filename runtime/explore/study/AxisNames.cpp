// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/AxisNames.h"

#include "runtime/options/ModelOptions.h"
#include "targets/loader/Target.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/loader/price/CostTable.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith::explore {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// All numbers of a chip by the names that Target::set() takes.
Names numbersOf(const Target &chip) {
  Names names;
  for (const auto *records :
       {&chip.records, &chip.boardRecords, &chip.physicalRecords})
    for (const Record &record : *records)
      names.push_back(record.name);
  for (const TimingSet &set : chip.timings)
    for (const Record &record : set.records)
      names.push_back("timing." + set.name + "." + record.name);
  for (const std::string &table : listCostTables(chip)) {
    for (const auto &[event, price] : CostTable::load(table, chip).prices)
      names.push_back(fmt::format("costs.{}.{}", table, event));
    names.push_back(fmt::format("costs.{}.static", table));
  }
  return names;
}

/// The name of something that the chip has several of.
std::optional<std::string> unknownName(const Names &known, const Names &values,
                                       const std::string &what) {
  for (const std::string &value : values)
    if (!contains(known, value))
      return fmt::format("the chip has no {} '{}'{}; it has {}", what, value,
                         suggestion(value, known), joinWords(known));
  return std::nullopt;
}

std::optional<std::string>
refusedBy(const Target &chip, const std::string &axis, const Names &values) {
  std::optional<std::string> first;
  for (const std::string &value : values) {
    try {
      Target changed = chip;
      changed.set(axis, value);
      return std::nullopt;
    } catch (const Error &error) {
      if (!first)
        first = error.what();
    }
  }
  return first;
}

/// Whether the chip takes a value together with one of another axis.
bool takesWithAnother(
    const Target &chip, const std::string &axis, const Names &values,
    const std::vector<std::pair<std::string, std::string>> &others) {
  std::string name = chip.filename;
  for (const Override &change : chip.overrides)
    name += fmt::format(",{}={}", change.key, change.value);
  for (const std::string &value : values)
    for (const auto &[other, of] : others) {
      try {
        Target::load(
            fmt::format("{},{}={},{}={}", name, axis, value, other, of));
        return true;
      } catch (const Error &) {
        continue;
      }
    }
  return false;
}

struct Unit {
  const char *value; // beginning of the name of a value
  std::vector<std::pair<const char *, double>> sizes;
};

const std::vector<Unit> &units() {
  static const std::vector<std::pair<const char *, double>> energy = {
      {"pJ", 1e-6}, {"nJ", 1e-3}, {"uJ", 1}, {"mJ", 1e3}, {"J", 1e6}};
  static const std::vector<Unit> all = {
      {"latency",
       {{"ps", 1e-6}, {"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}}},
      {"energy", energy},
      {"static", energy},
      {"together", energy},
      {"area", {{"um2", 1e-6}, {"mm2", 1}}},
      {"power", {{"uW", 1e-3}, {"mW", 1}, {"W", 1e3}}},
      {"accuracy", {{"%", 0.01}}}};
  return all;
}

} // namespace

const Names &compileAxes() {
  static const Names all = [] {
    Names names;
    for (const std::string &name : options::axisNames())
      names.push_back("compile." + name);
    return names;
  }();
  return all;
}

bool namesFiles(const std::string &axis) {
  return contains({"costs", "compile.placement", "compile.map-constraints",
                   "compile.map-from"},
                  axis);
}

std::optional<std::string>
refusal(const Target &chip, const std::string &axis, const Names &values,
        const std::vector<std::pair<std::string, std::string>> &others) {
  if (contains(compileAxes(), axis))
    return std::nullopt;
  const std::string bits = ".weight_bits";
  if (startsWith(axis, "quantise.") && axis.size() > 9 + bits.size() &&
      axis.compare(axis.size() - bits.size(), bits.npos, bits) == 0)
    return std::nullopt;
  if (axis == "timing") {
    Names sets;
    for (const TimingSet &set : chip.timings)
      sets.push_back(set.name);
    return unknownName(sets, values, "timing set");
  }
  if (axis == "costs") {
    Names named;
    std::copy_if(values.begin(), values.end(), std::back_inserter(named),
                 [](const std::string &value) { return !isPath(value); });
    return unknownName(listCostTables(chip), named, "cost table");
  }
  Names known = numbersOf(chip);
  const bool isNumber = contains(known, axis);
  const auto refused = refusedBy(chip, axis, values);
  if (!refused || (isNumber && takesWithAnother(chip, axis, values, others)))
    return std::nullopt;
  if (isNumber)
    return refused;
  known.insert(known.end(), compileAxes().begin(), compileAxes().end());
  known.insert(known.end(), {"timing", "costs", "quantise.LAYER.weight_bits"});
  return fmt::format("no axis of {} is named '{}'{}", chip.name, axis,
                     suggestion(axis, known));
}

const Names &valueNames() {
  static const Names names = {"score",        "accuracy",    "latency.mean",
                              "latency.p50",  "latency.p99", "energy",
                              "static",       "together",    "area",
                              "power.static", "cores"};
  return names;
}

std::string bandName(const std::string &name) {
  for (const std::string end : {".low", ".high"})
    if (name.size() > end.size() &&
        name.compare(name.size() - end.size(), end.npos, end) == 0)
      return name.substr(0, name.size() - end.size());
  return name;
}

std::optional<double> unitOf(const std::string &value,
                             const std::string &unit) {
  if (unit.empty())
    return 1;
  for (const Unit &each : units())
    if (startsWith(value, each.value))
      for (const auto &[name, size] : each.sizes)
        if (unit == name)
          return size;
  return std::nullopt;
}

Names unitsOf(const std::string &value) {
  Names names;
  for (const Unit &each : units())
    if (startsWith(value, each.value))
      for (const auto &[name, size] : each.sizes)
        names.push_back(name);
  return names;
}

} // namespace dendrolith::explore
