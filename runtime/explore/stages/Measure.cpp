// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Measure.h"

#include "runtime/explore/stages/PointValues.h"
#include "runtime/explore/stages/StageFolder.h"
#include "runtime/host/Files.h"
#include "runtime/options/Words.h"
#include "runtime/session/Stopwatch.h"
#include "simulator/report/result/Result.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace dendrolith::explore {

using Json = nlohmann::ordered_json;

struct Measurer::Parts {
  Parts(const Study &given, std::string place)
      : study(given), folder(std::move(place)), programs(chips, folder),
        runs(study, programs, chips, folder) {}

  Wanted wantedBy(const Design &design) const {
    return {setupOf(study, design), study.mapping == "each"
                                        ? setupOf(study, design)
                                        : baselineSetup(study, design)};
  }

  std::shared_ptr<const Mapped> prepare(const Wanted &wanted, Effort &effort);

  const Study study;
  const StageFolder folder;
  ChipCache chips;
  Programs programs;
  Runs runs;
};

Measurer::Measurer(const Study &study, std::string folder) {
  makeFolder(folder);
  parts = std::make_unique<Parts>(study, std::move(folder));
}

Measurer::~Measurer() = default;

/// The values come by name, so that the order of axes does not matter. What the
/// values change is not loaded for it: a key is asked for each of many points.
std::string Measurer::keyOf(const Design &design) {
  const Wanted wanted = parts->wantedBy(design);
  const StudyModel &model = *wanted.design.model;
  Programs &programs = parts->programs;
  const Target &chip = parts->chips.chip(wanted.design.target);
  auto sorted = [](Changes values) {
    std::sort(values.begin(), values.end());
    Json all = Json::object();
    for (const auto &[name, value] : values)
      all[name] = value;
    return all;
  };
  Json files = Json::object();
  for (const auto &[name, value] : wanted.design.flags)
    if (std::filesystem::is_regular_file(value))
      files[name] = programs.hashOf(value);
  Json tables = Json::array();
  for (const DesignSetup *setup : {&wanted.design, &wanted.mapFor})
    if (!setup->costs.empty() || chip.costBand || !chip.defaultCosts.empty())
      for (const CostTable &table : parts->chips.tables(chip, setup->costs, {}))
        tables.push_back(table.hash);
  Json usual = Json::object();
  if (parts->study.mapping != "each")
    usual = {sorted(wanted.mapFor.times), sorted(wanted.mapFor.prices),
             wanted.mapFor.timing, wanted.mapFor.costs};
  return sha256(
      Json({versionOfResults(), parts->study.engine, design.model,
            programs.hashOf(model.path),
            model.weights.empty() ? "" : programs.hashOf(model.weights),
            programs.hashesOf(model.calibrate), programs.hashesOf(model.input),
            model.labels.empty() ? "" : programs.hashOf(model.labels),
            model.metric, model.samples, wanted.design.target, chip.hash,
            tables, sorted(design.values), files, usual, design.repeat})
          .dump());
}

SharedStages Measurer::sharedStagesOf(const Design &design) {
  return Programs::sharedStagesOf(parts->wantedBy(design));
}

namespace {

/// A point without a result.
void refuse(Point &point, PointState state, const std::string &reason) {
  const Design design = point.design;
  point = {};
  point.design = design;
  point.state = state;
  point.reason = options::withKeys(reason);
}

} // namespace

/// Throws Error for what contradicts itself, before anything runs.
std::shared_ptr<const Mapped> Measurer::Parts::prepare(const Wanted &wanted,
                                                       Effort &effort) {
  const DesignSetup &setup = wanted.design;
  const Target &chip =
      chips.chip(setup.target, {&setup.shape, &setup.times, &setup.areas});
  chip.timing(setup.timing);
  chips.tables(chip, setup.costs, setup.prices);
  return programs.program(wanted, effort);
}

Measured Measurer::measure(const Design &design) {
  session::Stopwatch watch;
  Measured measured;
  Point &point = measured.point;
  Effort &effort = measured.effort;
  point.design = design;
  const Wanted wanted = parts->wantedBy(design);
  const DesignSetup &setup = wanted.design;
  // What is wrong with these is no fault of the design.
  parts->chips.chip(setup.target);
  if (setup.flags.empty())
    parts->programs.inputsOf(setup);
  std::shared_ptr<const Mapped> mapped;
  try {
    mapped = parts->prepare(wanted, effort);
    if (!mapped->refused.empty()) {
      refuse(point, PointState::Unfit, mapped->refused);
      point.shortage = mapped->shortage;
      mapped = nullptr;
    }
  } catch (const Unwritable &) {
    throw;
  } catch (const Error &error) {
    refuse(point, PointState::Invalid, error.what());
  }
  try {
    if (mapped) {
      const Executed executed = parts->runs.execute(setup, *mapped, effort);
      session::Stopwatch pricing;
      const Target &chip = parts->chips.chip(
          setup.target, {&setup.shape, &setup.times, &setup.areas});
      fill(point, *mapped, executed, chip, chip.timing(setup.timing),
           parts->chips.tables(chip, setup.costs, setup.prices));
      effort.stages.push_back({"price", false, pricing.seconds()});
    }
  } catch (const Unwritable &) {
    throw;
  } catch (const Error &error) {
    refuse(point, PointState::Failed, error.what());
  }
  effort.wallSeconds = watch.seconds();
  effort.peakBytes = report::peakResidentBytes();
  return measured;
}

} // namespace dendrolith::explore
