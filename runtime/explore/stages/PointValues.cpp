// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/PointValues.h"

#include "simulator/energy/Energy.h"
#include "simulator/energy/Pricer.h"
#include "simulator/report/result/Spread.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"

#include <algorithm>
#include <numeric>

namespace dendrolith::explore {
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
