// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/CostTable.h"
#include "targets/Reader.h"
#include "targets/Target.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite {

static void printRecords(std::string &text, const std::vector<Record> &records,
                         const std::vector<std::string> &lifted) {
  size_t nameWidth = 0, valueWidth = 0;
  for (const Record &record : records) {
    nameWidth = std::max(nameWidth, record.name.size());
    valueWidth = std::max(valueWidth, record.value.size());
  }
  for (const Record &record : records) {
    bool isLifted = std::any_of(lifted.begin(), lifted.end(),
                                [&](const std::string &limit) {
                                  return record.name == "limits." + limit;
                                });
    // Whoever says "unlimited" claims no number and needs no source.
    bool claim = !record.source.empty();
    std::string line = fmt::format(
        "  {:<{}}  {:>{}}  {:<12}  {:<11}  {}", record.name, nameWidth,
        record.value, valueWidth, record.unit == "1" ? "" : record.unit,
        claim ? toString(record.kind) : "",
        isLifted ? record.source + " (lifted by request)" : record.source);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
}

std::string summary(const Target &target) {
  return fmt::format("{:<10} {:>5} {}  {}", target.name, target.numCores(),
                     target.numCores() == 1 ? "core " : "cores",
                     target.description);
}

std::string describe(const Target &target) {
  std::string text = fmt::format("{}: {}\n", target.name, target.description);
  text += fmt::format("{} x {} tiles of {}, {} in all\n", target.mesh.tilesX,
                      target.mesh.tilesY,
                      target.mesh.coresPerTile == 1
                          ? "1 core"
                          : fmt::format("{} cores", target.mesh.coresPerTile),
                      target.numCores() == 1
                          ? "1 core"
                          : fmt::format("{} cores", target.numCores()));
  text += "\nchip\n";
  printRecords(text, target.records, target.overriddenLimits);
  for (const TimingSet &set : target.timings) {
    text += fmt::format("\ntiming {}{}\n", set.name,
                        set.name == target.defaultTiming ? " (default)" : "");
    printRecords(text, set.records, {});
  }
  std::vector<std::string> costs = listCostTables(target);
  text += fmt::format("\ncost tables: {} (default {})\n",
                      costs.empty() ? "none found" : yaml::join(costs),
                      target.defaultCosts);
  text += "\nsources\n";
  for (const auto &[key, citation] : target.sources)
    text += fmt::format("  {}: {}\n", key, citation);
  return text;
}

} // namespace neurite
