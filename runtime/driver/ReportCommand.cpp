// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith report DIR`: prices a stored result again, running nothing.

#include "runtime/driver/Command.h"
#include "runtime/driver/OutputFiles.h"
#include "simulator/report/compare/Difference.h"
#include "simulator/report/compare/StudyTable.h"
#include "simulator/report/html/NetworkPicture.h"
#include "simulator/report/html/RunPage.h"
#include "simulator/report/paper/Conventions.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/ResultFolder.h"
#include "simulator/report/result/Summary.h"
#include "simulator/report/text/CoreTerms.h"
#include "simulator/report/text/Lines.h"
#include "simulator/report/text/Methods.h"
#include "simulator/report/text/PartTables.h"
#include "simulator/report/text/ReportText.h"

#include "targets/loader/Target.h"
#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <sstream>

namespace dendrolith::driver {
namespace {

constexpr const char *kBound = "bound";

struct ReportFlags {
  std::vector<std::string> directories;
  std::string costs, by, per, html, format;
  bool conventions = false, methods = false;
};

struct Priced {
  std::vector<CostTable> tables;
  std::string bills; // as text
};

/// A chip from its text. The last one is kept, because studies have many
/// results of one chip.
const Target &chipOf(const std::string &text, const std::string &place) {
  static std::string known;
  static Target chip;
  if (known != text) {
    known.clear();
    chip = Target::parse(text, place);
    known = text;
  }
  return chip;
}

/// Prices a result again with a table of its chip.
Priced priced(report::StoredResult &stored, const std::string &costs) {
  nlohmann::ordered_json &result = stored.json;
  const nlohmann::ordered_json &chip = result.at("target");
  // The chip as it was: its text is part of the result, its file says where
  // its cost tables are.
  Target target =
      chipOf(chip.at("yaml").get<std::string>(), stored.path + ", target.yaml");
  target.filename = chip.at("file").get<std::string>();
  const TimingSet &timing =
      target.timing(result.at("timing").at("name").get<std::string>());
  std::vector<CostTable> tables = report::chooseCosts(costs, target);
  std::string bills =
      report::addEnergy(result, *stored.counts, tables, stored.timePs);
  report::addPartEnergy(result, stored.tables, tables, stored.path);
  report::replaceWarning(result, "other-family",
                         report::otherFamily(tables, timing, stored.timePs));
  return {std::move(tables), std::move(bills)};
}

/// Whose energy it is, by layer, core, event or sample.
std::string parts(const report::StoredResult &stored, const Priced &priced,
                  const std::string &by, const std::string &word) {
  const nlohmann::ordered_json &result = stored.json, &tables = stored.tables;
  const report::Per per = report::Per::of(word, result);
  const std::string &heading = per.heading;
  if (by == "event")
    return heading + report::formatByEvent(result.at("energy").at("low"),
                                           result.at("energy").at("high"), per);
  if (tables.is_null() || tables.at("flows").is_null())
    throw Error(fmt::format("{}: --by {} needs tables.json of a run of this "
                            "version beside it; run again",
                            stored.path, by));
  if (by == "core")
    return heading + report::formatByCore(*stored.counts, priced.tables, per);
  if (by == "layer")
    return heading +
           report::formatByLayer(result.at("layers"), tables.at("flows"), per);
  const nlohmann::ordered_json &samples = tables.at("samples");
  return report::formatBySample(
      samples.at("energy_pJ"), samples.at("latency_ns"), samples.at("correct"),
      samples.value("asked", nlohmann::ordered_json()));
}

/// What bounds a step, by counts and times of the chip as it was.
std::string boundText(const report::StoredResult &stored) {
  const nlohmann::ordered_json &result = stored.json;
  if (!stored.counts || result.at("latency").is_null())
    throw Error(stored.path +
                ": --by bound is about the time of a step, and a "
                "run of the engine '" +
                printable(result.at("engine").get<std::string>()) +
                "' has none; run with --engine cycle");
  if (stored.tables.is_null())
    throw Error(stored.path + ": --by bound needs tables.json of the run "
                              "beside it; run again");
  const Target &chip =
      chipOf(result.at("target").at("yaml"), stored.path + ", target.yaml");
  const TimingSet &timing =
      chip.timing(result.at("timing").at("name").get<std::string>());
  return report::formatCoreTerms(
      report::boundOf(*stored.counts, chip, timing,
                      result.at("counts").at("total").at("steps")),
      result);
}

/// The run by each published convention.
nlohmann::ordered_json conventionsOf(const report::StoredResult &stored) {
  const nlohmann::ordered_json &tables = stored.tables;
  return report::conventionRows(stored.json,
                                tables.is_null() ? tables : tables.at("flows"),
                                allConventions());
}

/// A row for each result, and for each of several cost tables.
void study(const ReportFlags &flags) {
  std::vector<nlohmann::ordered_json> rows;
  std::vector<std::string> costs = {""}; // those of the chip
  std::istringstream names(flags.costs);
  while (std::getline(names, costs.back(), ','))
    costs.emplace_back();
  if (costs.size() > 1)
    costs.pop_back();
  for (const std::string &directory : flags.directories)
    try {
      for (const std::string &table : costs) {
        report::StoredResult stored = report::readResult(directory);
        report::checkComplete(directory, stored.json.at("hashes"));
        if (stored.counts)
          priced(stored, table);
        report::addSummary(stored.json);
        rows.push_back(std::move(stored.json));
        if (!stored.counts)
          break; // nothing to price
      }
    } catch (const nlohmann::json::exception &error) {
      throw Error(directory + "/result.json: not a result of this version: " +
                  jsonReason(error));
    }
  try {
    std::string text = report::formatStudy(rows, flags.format);
    // A person who asks for two wants to know why they differ.
    if (flags.format == "text" && rows.size() == 2)
      text += "\n" + report::formatDifference(rows.front(), rows.back());
    std::fputs(text.c_str(), stdout);
  } catch (const nlohmann::json::exception &error) {
    const bool several = flags.directories.size() > 1;
    throw Error(flags.directories.front() + "/result.json" +
                (several ? " or one behind it" : "") +
                ": not a result of this version: " + jsonReason(error));
  }
}

void report(const ReportFlags &flags) {
  report::StoredResult stored;
  const std::string &directory = flags.directories.front();
  std::string path = directory + "/result.json";
  try {
    stored = report::readResult(directory);
    if (flags.by.empty() && !flags.conventions && !flags.methods)
      report::checkComplete(directory, stored.json.at("hashes"));
    nlohmann::ordered_json &result = stored.json;
    if (!stored.counts && !(flags.costs.empty() && flags.by.empty()))
      throw Error(fmt::format("{}: a run of the {} engine counts no events, so "
                              "that there is nothing to price",
                              path, printable(result.at("engine"))));
    Priced prices;
    if (stored.counts)
      prices = priced(stored, flags.costs);
    report::addSummary(result);
    std::string shown;
    if (!flags.html.empty()) {
      shown = PageFile(flags.html)
                  .write(report::html::runPage(
                      result, stored.tables,
                      report::html::readRecorded(directory), path));
    } else if (flags.format == "svg") {
      const nlohmann::ordered_json &tables = stored.tables;
      shown = report::html::networkSvg(
          {result.value("network", nlohmann::ordered_json()), result,
           tables.is_null() ? tables : tables.at("flows")});
    } else if (flags.conventions) {
      result["conventions"] = conventionsOf(stored);
      shown = report::formatConventions(result, result.at("conventions"));
    } else if (flags.methods) {
      shown = report::formatMethods(result, path);
    } else if (flags.by == kBound) {
      shown = boundText(stored);
    } else if (!flags.by.empty()) {
      shown = parts(stored, prices, flags.by, flags.per);
    } else {
      shown = report::formatResult(result, prices.bills);
    }
    if (!result.at("rewrites").is_null() && flags.by.empty() &&
        !flags.conventions && !flags.methods && flags.html.empty() &&
        flags.format != "svg")
      shown = report::formatRewrites(result) + shown;
    if (flags.format == "json")
      shown = result.dump(2) + "\n";
    std::fputs(shown.c_str(), stdout);
  } catch (const nlohmann::json::exception &error) {
    throw Error(path + ": not a result of this version: " + jsonReason(error));
  }
}

} // namespace

void addReport(Command &command) {
  auto flags = std::make_shared<ReportFlags>();
  options::CommandOptions &options = command.options;
  options.bind("DIR", flags->directories);
  options.bind("costs", flags->costs);
  options.bind("by", flags->by);
  options.bind("per", flags->per);
  options.bind("conventions", flags->conventions);
  options.bind("methods", flags->methods);
  options.bind("format", flags->format);
  options.bind("html", flags->html);
  for (const char *other : {"by", "html", "methods"})
    options.exclude("conventions", other);
  for (const char *other : {"by", "html", "format"})
    options.exclude("methods", other);
  for (const char *other : {"by", "format"})
    options.exclude("html", other);
  command.run = [flags, &options] {
    for (const char *other : {"format", "costs"})
      if (flags->by == kBound && options.isGiven(other))
        throw options::UsageError(std::string("--by bound excludes --") +
                                  other);
    const bool isPicture = flags->format == "svg";
    for (const char *other : {"by", "conventions"})
      if (isPicture && options.isGiven(other))
        throw options::UsageError(std::string("--format svg excludes --") +
                                  other);
    const bool oneAlone =
        flags->format == "text" || flags->format == "json" || isPicture;
    if (flags->directories.size() == 1 && oneAlone)
      return report(*flags);
    if (!flags->by.empty() || !flags->html.empty() || flags->conventions ||
        flags->methods)
      throw options::UsageError("--by, --conventions, --methods and --html are "
                                "of one result; leave them out, or all folders "
                                "but one");
    if (flags->format == "json" || isPicture)
      throw options::UsageError("--format: " + flags->format +
                                " is of one result; of several take table, "
                                "csv or latex");
    study(*flags);
  };
}

} // namespace dendrolith::driver
