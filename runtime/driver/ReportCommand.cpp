// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `neurite report DIR`: prices a stored result again, running nothing.

#include "runtime/driver/Commands.h"
#include "simulator/report/DendriclPaper.h"
#include "simulator/report/PaperModel.h"
#include "simulator/report/ReportText.h"
#include "simulator/report/Result.h"
#include "simulator/report/RewriteText.h"

#include "runtime/host/Files.h"
#include "simulator/record/CountsRecord.h"
#include "simulator/record/Json.h"
#include "targets/support/Text.h"

#include <cstdio>

namespace neurite::driver {
namespace {

constexpr const char *kMmdendPaper = "mmdend-paper",
                     *kDendriclPaper = "dendricl-paper";
constexpr uint64_t kResultBytes = uint64_t(1) << 30;

struct ReportFlags {
  std::string directory, costs, model, format = "text";
};

std::string text(const nlohmann::json &value, const std::string &key,
                 const std::string &where) {
  const nlohmann::json &found = sim::member(value, key, where);
  if (!found.is_string())
    throw Error(where + ": expected text at '" + key + "'");
  return found.get<std::string>();
}

void report(const ReportFlags &flags) {
  std::string path = flags.directory + "/result.json";
  std::string bytes = readFile(path, kResultBytes);
  nlohmann::json parsed = sim::parseJson(bytes, path);
  sim::Counts counts = sim::countsFromJson(sim::member(parsed, "counts", path),
                                           path + ": counts");
  uint64_t timePs =
      sim::readCount(sim::member(parsed, "time_ps", path), path + ": time_ps");
  const nlohmann::json &stored = sim::member(parsed, "target", path);
  // The chip as it was: its text is part of the result, its file says where
  // its cost tables are.
  Target target = Target::parse(text(stored, "yaml", path + ": target"),
                                path + ", target.yaml");
  target.filename = text(stored, "file", path + ": target");
  const TimingSet &timing = target.timing(
      text(sim::member(parsed, "timing", path), "name", path + ": timing"));
  auto result = nlohmann::ordered_json::parse(bytes);
  std::string bills = report::addEnergy(
      result, counts, report::chooseCosts(flags.costs, target), timing, timePs);
  try {
    std::string shown;
    if (flags.model == kMmdendPaper) {
      std::vector<report::PaperLayer> layers =
          report::paperLayers(result, path);
      shown = report::formatPaperModel(result, layers);
      result["formula"] = report::paperModelJson(layers);
    } else if (flags.model == kDendriclPaper) {
      report::SpikeCount count = report::countSpikes(result, path);
      shown = report::formatDendriclPaper(result, count);
      result["formula"] = report::dendriclPaperJson(count);
    } else {
      shown = report::formatResult(result, bills);
    }
    shown = report::formatRewrites(result) + shown;
    if (flags.format == "json")
      shown = result.dump(2) + "\n";
    std::fputs(shown.c_str(), stdout);
  } catch (const nlohmann::json::exception &error) {
    throw Error(path + ": not a result of this version: " +
                printable(error.what(), 256));
  }
}

} // namespace

void addReport(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("report", "Price a stored result with a cost table");
  auto flags = std::make_shared<ReportFlags>();
  command->footer("Example: neurite report out/run --costs silicon-fit-2025");
  command->add_option("DIR", flags->directory, "Folder that `run --out` wrote")
      ->required();
  command->add_option("--costs", flags->costs,
                      "Cost table: a name or a .yaml file");
  command
      ->add_option("--model", flags->model,
                   "Put a published energy formula beside the counted energy")
      ->check(CLI::IsMember({kMmdendPaper, kDendriclPaper}));
  command->add_option("--format", flags->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([flags] { report(*flags); });
}

} // namespace neurite::driver
