// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Describe.h"

#include "targets/loader/chip/Area.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/loader/price/Varies.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dendrolith {

using Json = nlohmann::ordered_json;

static std::string range(LowHigh value, int digits) {
  const std::string low = fmt::format("{:.{}g}", value.low, digits);
  const std::string high = fmt::format("{:.{}g}", value.high, digits);
  return low == high ? low : low + " to " + high;
}

std::string formatSilicon(const Target &target, const TimingSet &timing) {
  if (!target.area)
    return "  not known: the chip file has no section 'area'\n";
  const std::optional<Silicon> silicon = siliconOf(target, timing);
  if (!silicon)
    return "  not known: a memory of the cores is unlimited\n";
  auto line = [](const std::string &name, const std::string &count,
                 const std::string &each, const std::string &area,
                 const std::string &leakage, const std::string &from) {
    std::string text =
        fmt::format("  {:<16}  {:>5}  {:>20}  {:>16}  {:>16}  {}", name, count,
                    each, area, leakage, from);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text =
      line("part", "count", "each (um2)", "area (mm2)", "leaks (mW)", "from");
  for (const SiliconPart &part : silicon->parts)
    text += line(part.name, std::to_string(part.count), range(part.each, 4),
                 range(part.area, 3),
                 silicon->leakage ? range(part.leakage, 3) : "",
                 fmt::format("{}, {}", toString(part.kind), part.source));
  text += line("chip", "", "", range(silicon->area, 3),
               silicon->leakage ? range(*silicon->leakage, 3) : "not known",
               fmt::format("{} nm", target.area->node));
  return text;
}

static std::string row(const std::string &chip, const std::string &what,
                       const std::string &published, const std::string &here,
                       const std::string &middle, const std::string &leaks) {
  std::string text = fmt::format("{:<13}  {:<4}  {:>15}  {:>18}  {:>6}  {}",
                                 chip, what, published, here, middle, leaks);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

/// How far the middle of our band lies from the published area, in percent,
/// rounded to a tenth; 0 never has a sign.
static double percent(LowHigh ours, double published) {
  const double off = 50 * (ours.low + ours.high) / published - 100;
  return std::round(10 * off) / 10 + 0.0;
}

/// A table of a chip's areas beside those that are published.
static std::string compareAreas(const Target &target) {
  const std::optional<Silicon> silicon = siliconOf(target, target.timing());
  if (!silicon)
    return {};
  std::string text = row("target", "", "published (mm2)", "here (mm2)",
                         "middle", "leaks (mW)");
  auto compare = [&](const char *what, LowHigh ours,
                     const std::optional<UnitNumber> &published,
                     const std::string &leaks) {
    const double there =
        published ? (published->value.low + published->value.high) / 2 : 0;
    text += row(
        target.name, what, published ? range(published->value, 6) : "not known",
        range(ours, 3),
        published ? fmt::format("{:+.1f} %", percent(ours, there)) : "", leaks);
  };
  compare("chip", silicon->area, target.area->publishedDie,
          silicon->leakage ? range(*silicon->leakage, 3) : "not known");
  if (target.area->publishedCore)
    compare("core", silicon->core, target.area->publishedCore, "");
  return text;
}

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

/// `prefix` is what `--target NAME,KEY=VALUE` wants in front of their names.
static void printRecords(std::string &text, const std::vector<Record> &records,
                         const std::vector<std::string> &lifted,
                         const std::string &prefix = "") {
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
    const std::string band =
        record.low.empty()
            ? ""
            : fmt::format(" ({} to {})", record.low, record.high);
    std::string line = fmt::format(
        "  {}{:<{}}  {:>{}}  {:<12}  {:<11}  {}", prefix, record.name,
        nameWidth, apart ? "below" : record.value, valueWidth,
        record.unit == "1" ? "" : record.unit,
        claim ? toString(record.kind) : "",
        (isLifted ? record.source + " (lifted by request)" : record.source) +
            band);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (apart)
      text += wrapped(record.value);
  }
}

bool hasOneNeuron(const Chip &chip) {
  return std::any_of(
      chip.records.begin(), chip.records.end(), [](const Record &record) {
        return record.name == "loader.one_neuron" && record.value == "true";
      });
}

uint64_t queueOf(const Chip &chip) {
  for (const Record &record : chip.records)
    if (record.name == "scheduling.queue")
      return std::stoull(record.value);
  return 0;
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
    printRecords(text, set.records, {}, "timing." + set.name + ".");
  }
  if (!target.physicalRecords.empty()) {
    text += "\nsilicon\n";
    printRecords(text, target.physicalRecords, {});
  }
  text += target.mesh.chips() > 1 ? "\narea and leakage of one chip\n"
                                  : "\narea and leakage\n";
  text += formatSilicon(target, target.timing());
  if (target.area && (target.area->publishedDie || target.area->publishedCore))
    text += "\n" + compareAreas(target);
  text += "\nstructure that a price may vary with\n";
  for (const StructureName &structure : structureNames())
    if (auto quantity = structureOf(target, structure.name))
      text += fmt::format("  {:<12}  {:>12}  {}\n", structure.name,
                          uint64_t(*quantity), structure.unit);
  std::vector<std::string> costs = listCostTables(target);
  text += fmt::format(
      "\ncost tables: {} ({})\n",
      costs.empty() ? "none found" : joinWords(costs),
      target.costBand
          ? fmt::format("a band from {} to {}, no single default",
                        target.costBand->first, target.costBand->second)
          : "default " + target.defaultCosts);
  text += "\nsources\n";
  for (const auto &[key, citation] : target.sources)
    text += fmt::format("  {}: {}\n", key, citation);
  return text;
}

static Json textOrNull(const std::string &text) {
  return text.empty() ? Json() : Json(text);
}

static void addRecords(Json &numbers, const std::vector<Record> &records,
                       const std::string &prefix = "") {
  for (const Record &record : records)
    numbers.push_back(
        {{"key", prefix + record.name},
         {"value", record.value},
         {"unit", textOrNull(record.unit)},
         {"kind", record.source.empty() ? Json() : Json(toString(record.kind))},
         {"source", textOrNull(record.source)},
         {"low", textOrNull(record.low)},
         {"high", textOrNull(record.high)}});
}

static Json bandOrNull(const std::optional<LowHigh> &band) {
  return band ? Json{band->low, band->high} : Json();
}

static Json headOf(const Target &target) {
  return {{"name", target.name},
          {"description", target.description},
          {"sha256", target.hash},
          {"cores", target.numCores()}};
}

Json describeJson(const Target &target) {
  Json numbers = Json::array(), sources = Json::object();
  addRecords(numbers, target.records);
  addRecords(numbers, target.boardRecords);
  for (const TimingSet &set : target.timings)
    addRecords(numbers, set.records, "timing." + set.name + ".");
  addRecords(numbers, target.physicalRecords);
  for (const auto &[key, citation] : target.sources)
    sources[key] = citation;
  Json json = headOf(target);
  json.update({{"numbers", numbers},
               {"default_timing", textOrNull(target.defaultTiming)},
               {"costs", listCostTables(target)},
               {"area_mm2", bandOrNull(areaOf(target, target.timing()))},
               {"leakage_mw", bandOrNull(leakageOf(target, target.timing()))},
               {"sources", sources}});
  return json;
}

Json summaryJson(const std::vector<Target> &targets) {
  Json all = Json::array();
  for (const Target &target : targets)
    all.push_back(headOf(target));
  return all;
}

} // namespace dendrolith
