// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Area.h"
#include "targets/loader/CostTable.h"
#include "targets/loader/Reader.h"
#include "targets/loader/Structure.h"
#include "targets/loader/Target.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

/// A list too long for a column, on lines of its own.
static std::string wrapped(const std::string &list) {
  const size_t width = 72;
  std::string text, line;
  for (size_t at = 0; at < list.size();) {
    size_t end = list.find(' ', at);
    end = end == std::string::npos ? list.size() : end + 1;
    if (line.size() + end - at > width) {
      text += "      " + line.substr(0, line.size() - 1) + "\n";
      line.clear();
    }
    line += list.substr(at, end - at);
    at = end;
  }
  return text + "      " + line + "\n";
}

static void printRecords(std::string &text, const std::vector<Record> &records,
                         const std::vector<std::string> &lifted) {
  const size_t longest = 40;
  size_t nameWidth = 0, valueWidth = 0;
  for (const Record &record : records) {
    nameWidth = std::max(nameWidth, record.name.size());
    if (record.value.size() <= longest)
      valueWidth = std::max(valueWidth, record.value.size());
  }
  for (const Record &record : records) {
    bool isLifted = std::any_of(lifted.begin(), lifted.end(),
                                [&](const std::string &limit) {
                                  return record.name == "limits." + limit ||
                                         record.name == "microcode." + limit;
                                });
    // Whoever says "unlimited" claims no number and needs no source.
    bool claim = !record.source.empty();
    bool apart = record.value.size() > longest;
    std::string line = fmt::format(
        "  {:<{}}  {:>{}}  {:<12}  {:<11}  {}", record.name, nameWidth,
        apart ? "below" : record.value, valueWidth,
        record.unit == "1" ? "" : record.unit,
        claim ? toString(record.kind) : "",
        isLifted ? record.source + " (lifted by request)" : record.source);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (apart)
      text += wrapped(record.value);
  }
}

std::string summary(const Target &target) {
  return fmt::format("{:<13} {:>5} {}  {}", target.name, target.numCores(),
                     target.numCores() == 1 ? "core " : "cores",
                     target.description);
}

std::string describe(const Target &target) {
  std::string text = fmt::format("{}: {}\n", target.name, target.description);
  if (target.mesh.chips() > 1)
    text += fmt::format("{} x {} chips of ", target.mesh.chipsX,
                        target.mesh.chipsY);
  text += fmt::format("{} x {} tiles of {}, {} in all\n",
                      target.mesh.chipTilesX(), target.mesh.chipTilesY(),
                      target.mesh.coresPerTile == 1
                          ? "1 core"
                          : fmt::format("{} cores", target.mesh.coresPerTile),
                      target.numCores() == 1
                          ? "1 core"
                          : fmt::format("{} cores", target.numCores()));
  for (const Override &change : target.overrides)
    text += fmt::format("{}{}={} (was {})",
                        &change == target.overrides.data() ? "changed: " : ", ",
                        change.key, change.value, change.was);
  text += target.overrides.empty() ? "" : "\n";
  text += "\nchip\n";
  printRecords(text, target.records, target.overriddenLimits);
  if (!target.boardRecords.empty()) {
    text += "\nboard\n";
    printRecords(text, target.boardRecords, {});
  }
  for (const TimingSet &set : target.timings) {
    text += fmt::format("\ntiming {}{}\n", set.name,
                        set.name == target.defaultTiming ? " (default)" : "");
    printRecords(text, set.records, {});
  }
  if (!target.physicalRecords.empty()) {
    text += "\nsilicon\n";
    printRecords(text, target.physicalRecords, {});
  }
  text += target.mesh.chips() > 1 ? "\narea and leakage of one chip\n"
                                  : "\narea and leakage\n";
  text += formatSilicon(target, target.timing());
  if (target.area && (target.area->publishedDie || target.area->publishedCore))
    text += "\n" + compareAreas({target});
  text += "\nstructure that a price may vary with\n";
  for (const StructureName &structure : structureNames())
    if (auto quantity = structureOf(target, structure.name))
      text += fmt::format("  {:<12}  {:>12}  {}\n", structure.name,
                          uint64_t(*quantity), structure.unit);
  std::vector<std::string> costs = listCostTables(target);
  text += fmt::format(
      "\ncost tables: {} ({})\n",
      costs.empty() ? "none found" : yaml::join(costs),
      target.costBand
          ? fmt::format("a band from {} to {}, no single default",
                        target.costBand->first, target.costBand->second)
          : "default " + target.defaultCosts);
  text += "\nsources\n";
  for (const auto &[key, citation] : target.sources)
    text += fmt::format("  {}: {}\n", key, citation);
  return text;
}

} // namespace dendrolith
