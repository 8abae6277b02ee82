// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Activity.h"

#include "runtime/session/Workload.h"
#include "simulator/energy/Energy.h"
#include "targets/loader/chip/Counters.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::silicon {

/// Steps before the first in which a neuron is updated.
static uint64_t openingOf(const image::Program &program) {
  uint64_t first = UINT64_MAX;
  for (const image::Population &population : program.populations())
    first = std::min<uint64_t>(first, population.phase());
  return first == UINT64_MAX ? 0 : first;
}

Activity::Activity(session::RunRequest given, uint64_t firstStep)
    : request(std::make_unique<session::RunRequest>(std::move(given))),
      work(std::make_unique<session::Workload>(*request)),
      firstStep(firstStep) {
  sim::RunOptions options;
  options.timing = request->timing;
  run = sim::recordCycle(work->program, chip(), work->inputs.samples, options,
                         record);
  if (firstStep >= run.steps)
    throw Error(fmt::format("'{}' runs for {} steps, expected more than its "
                            "first_step {}",
                            request->path, run.steps, firstStep));
  opening = openingOf(work->program);
  replay = std::make_unique<const sim::Replay>(work->program, record);
}

Activity::~Activity() = default;

const Target &Activity::chip() const { return work->chip(); }

double Activity::timeOf(const Measurement &row,
                        const sim::RunResult &times) const {
  double sum = 0;
  uint64_t steps = 0;
  for (const auto &sample : times.stepTimes)
    for (uint64_t t = firstStep; opening + t < sample.size(); ++t)
      if (!row.phase || t % row.period == *row.phase) {
        const sim::StepTime &step = sample[opening + t];
        // A measured step is one of the system, not of cores and mesh alone.
        sum += double(step.length() + step.management);
        ++steps;
      }
  if (!steps)
    throw Error(fmt::format("{}: '{}' has no step of phase {} of {}", row.place,
                            request->path, *row.phase, row.period));
  return sum / double(steps) / 1e3;
}

double Activity::timeOf(const Measurement &row) const {
  return timeOf(row, run);
}

double Activity::timeAtEnd(const Measurement &row, bool slow) const {
  const auto [found, isNew] = ends.try_emplace(slow);
  if (isNew)
    found->second =
        replayOn(atTimeEnds(chip(), chip().timing(request->timing), slow));
  return timeOf(row, found->second);
}

double Activity::managementOn(const Target &other) const {
  return double(replay->management(other, request->timing)) / 1e3;
}

sim::RunResult Activity::replayOn(const Target &other) const {
  sim::RunOptions options;
  options.timing = request->timing;
  return replay->run(other, options);
}

double Activity::countOf(const Measurement &row) const {
  uint64_t sum = 0;
  for (const std::string &event : eventLeaves(row.counter))
    for (const auto &[core, counts] : run.counts.cores)
      if (row.firstCore <= core && core <= row.lastCore)
        sum += counts[*counterOf(event)];
  return double(sum) / double(row.lastCore - row.firstCore + 1) /
         double(steps());
}

double Activity::energyAt(const CostTable &prices) const {
  return sim::price(run.counts, prices, 0).total / double(steps());
}

bool isSlowerWithMore(const std::string &unit) { return unit != "flits"; }

Target atTimeEnds(const Target &chip, const TimingSet &timing, bool slow) {
  Target made = chip;
  for (const Record &record : timing.records)
    if (!record.low.empty())
      made.set("timing." + timing.name + "." + record.name,
               slow == isSlowerWithMore(record.unit) ? record.high
                                                     : record.low);
  return made;
}

} // namespace dendrolith::silicon
