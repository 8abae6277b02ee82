// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/Measure.h"

#include "runtime/explore/stages/StageFolder.h"
#include "runtime/host/Files.h"
#include "runtime/options/ModelOptions.h"
#include "runtime/session/Stopwatch.h"
#include "simulator/energy/Energy.h"
#include "simulator/report/result/Bootstrap.h"
#include "simulator/report/result/Result.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace dendrolith::explore {

using Json = nlohmann::ordered_json;

struct Measurer::Parts {
  Parts(const Study &given, std::string place)
      : study(given), folder(std::move(place)),
        programs(chips, folder, given.strategy.method == Strategy::Method::Ask),
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

namespace {

constexpr double kPjInUj = 1e6, kPsInUs = 1e6;

void fillScore(Point &point, const TaskScore &task) {
  const Band score{task.score, task.score};
  point.values["score"] = score;
  if (task.metric == "accuracy")
    point.values["accuracy"] = score;
  point.right = task.right;
}

void fillTimes(Point &point, const Times &times) {
  point.latencyPs = times.samplePs;
  point.closedBy = times.closedBy;
  if (times.samplePs.empty())
    return;
  std::vector<double> us;
  for (uint64_t ps : times.samplePs)
    us.push_back(double(ps) / kPsInUs);
  std::sort(us.begin(), us.end());
  auto put = [&](const char *name, double value) {
    point.values[name] = {value, value};
  };
  put("latency.mean",
      std::accumulate(us.begin(), us.end(), 0.0) / double(us.size()));
  put("latency.p50", report::percentileOf(us, 50));
  put("latency.p99", report::percentileOf(us, 99));
}

/// One number at each end of the prices, in pJ of the whole run.
Band bandPerSample(double low, double high, double samples) {
  return {low / samples / kPjInUj, high / samples / kPjInUj};
}

void fillEnergy(Point &point, const sim::RunResult &run, uint64_t runPs,
                const std::vector<CostTable> &tables) {
  const double samples = double(std::max<uint64_t>(run.samples, 1));
  const sim::Energy low = sim::price(run.counts, tables.front(), runPs),
                    high = tables.size() > 1
                               ? sim::price(run.counts, tables.back(), runPs)
                               : low;
  const bool priced = low.isPriced() && high.isPriced(),
             still = low.staticEnergy && high.staticEnergy;
  if (priced)
    point.values["energy"] = bandPerSample(low.total, high.total, samples);
  if (still)
    point.values["static"] =
        bandPerSample(*low.staticEnergy, *high.staticEnergy, samples);
  if (priced && still)
    point.values["together"] =
        bandPerSample(low.total + *low.staticEnergy,
                      high.total + *high.staticEnergy, samples);
  std::map<std::string, double> highs;
  for (const sim::EventEnergy &event : high.events)
    highs[event.event] = event.energy;
  for (const sim::EventEnergy &event : low.events)
    if (event.energy > 0 || highs[event.event] > 0)
      point.energyByEvent.emplace_back(
          event.event,
          bandPerSample(event.energy, highs[event.event], samples));
}

/// The energy of the parts of a run: its layers and its samples.
void fillParts(Point &point, const sim::RunResult &run,
               const std::vector<CostTable> &tables) {
  const sim::Pricer low(tables.front()), high(tables.back());
  auto price = [&](const sim::CoreCounts &counts, double samples) {
    const auto a = low.energy(counts), b = high.energy(counts);
    return a && b ? std::optional<Band>(bandPerSample(*a, *b, samples))
                  : std::nullopt;
  };
  const double samples = double(std::max<uint64_t>(run.samples, 1));
  auto add = [&](const std::string &name, const sim::CoreCounts &counts) {
    if (auto band = price(counts, samples))
      point.energyByLayer.emplace_back(name, *band);
  };
  for (const sim::LayerCounts &layer : run.attribution.layers)
    add(layer.name, layer.counts);
  add("chip", run.attribution.chip);
  for (const sim::CoreCounts &counts : run.sampleCounts)
    if (auto band = price(counts, 1))
      point.sampleEnergy.push_back(*band);
  if (point.sampleEnergy.size() != run.sampleCounts.size())
    point.sampleEnergy.clear(); // what is not known of all compares nothing
}

/// Memories are made of one kind of cell; all other parts are apart.
void fillArea(Point &point, const Silicon &silicon, double chips) {
  const auto bandOf = [&](const LowHigh &area) {
    return Band{chips * area.low, chips * area.high};
  };
  point.values["area"] = bandOf(silicon.area);
  Band memory;
  for (const SiliconPart &part : silicon.parts) {
    const Band area = bandOf(part.area);
    if (!part.isMemory) {
      point.areaByPart.emplace_back(part.name, area);
      continue;
    }
    memory.low += area.low;
    memory.high += area.high;
  }
  point.areaByPart.emplace_back("memory", memory);
}

} // namespace

void fill(Point &point, const Mapped &mapped, const Executed &executed,
          const Target &chip, const TimingSet &timing,
          const std::vector<CostTable> &tables) {
  const Values &values = *executed.values;
  if (values.score)
    fillScore(point, *values.score);
  if (executed.times)
    fillTimes(point, *executed.times);
  fillEnergy(point, values.run, executed.times ? executed.times->runPs : 0,
             tables);
  fillParts(point, values.run, tables);
  const double chips = double(values.run.counts.chips);
  if (const auto silicon = siliconOf(chip, timing))
    fillArea(point, *silicon, chips);
  const auto &low = tables.front().staticPower,
             &high = tables.back().staticPower;
  if (low && high)
    point.values["power.static"] = {chips * low->milliwatts,
                                    chips * high->milliwatts};
  const double cores = double(mapped.program.mapping().cores());
  point.values["cores"] = {cores, cores};
  for (const image::FitRow &row : mapped.program.fit())
    point.fit.push_back(
        {row.resource(), double(row.used()), double(row.limit())});
}

} // namespace dendrolith::explore
