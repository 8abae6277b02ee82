// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/RunChecks.h"

#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;

// The file that calibrated an input, whose name follows.
const std::string kCalibrationFile = "calibration file of ";

// A range this much wider than what is used loses three bits.
constexpr double kMuchWider = 8;
// Fewer values than this share meet the end of a range by chance.
constexpr double kManyClipped = 0.01;

std::string layer(const std::string &name) { return "layer '" + name + "'"; }

void checkFinite(const Recording &recording, Warnings &found) {
  for (const sim::OutputData &output : recording.outputs) {
    uint64_t odd = 0;
    eachPiece(output, 0, output.size(),
              [&](const double *values, uint64_t, size_t count) {
                odd += uint64_t(
                    std::count_if(values, values + count, [](double value) {
                      return !std::isfinite(value);
                    }));
              });
    if (odd)
      found.push_back(
          {"not-finite", "output '" + output.name + "'",
           fmt::format(
               "{} of {} values are infinite or no number: a state "
               "grows without end; check --import dt, the decays and the "
               "scale of the input",
               odd, output.size())});
  }
}

/// Layers that never emit, and binary ones that always do.
void checkSpikes(const std::vector<sim::SpikeValues> &layers, Warnings &found) {
  for (const sim::SpikeValues &values : layers) {
    const uint64_t all = values.updates();
    const uint64_t silent = values.counts[size_t(-values.low)];
    const bool isBinary = values.low == 0 && values.counts.size() == 2;
    if (all > 0 && silent == all)
      found.push_back(
          {"never-spikes", layer(values.name),
           fmt::format("none of its {} updates emitted anything, so that "
                       "nothing behind it depends on the input; check the "
                       "scale of the input, --import dt and the threshold",
                       all)});
    if (all > 0 && silent == 0 && isBinary)
      found.push_back(
          {"always-spikes", layer(values.name),
           fmt::format(
               "all of its {} updates emitted a spike, so that they "
               "carry nothing; check the scale of the input, --import dt and "
               "the threshold",
               all)});
  }
}

/// Layers whose potential the model itself keeps in a range of its own, which
/// no number of bits has: its ends are a part of the neuron.
std::set<std::string> boundByModel(const image::Program &program) {
  std::set<std::string> names;
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups()) {
      if (!group.has_cuba())
        continue;
      const image::Cuba &cuba = group.cuba();
      const uint32_t bits = cuba.current_bits() ? cuba.current_bits() : 24;
      const int64_t end = (int64_t(1) << (bits - 1)) - 1;
      if (cuba.vmin() != -end || cuba.vmax() != end)
        names.insert(group.population());
    }
  return names;
}

/// States and inputs that met the end of their range in many updates.
void checkClipped(const sim::RunResult &run, const Workload &workload,
                  Warnings &found) {
  std::map<std::string, double> updates;
  for (const image::Population &population : workload.program.populations())
    updates[population.name()] =
        double(run.samples * run.ticks * population.size()) *
        double(std::max<uint64_t>(population.ticks(), 1));
  auto look = [&](const std::map<std::string, uint64_t> &counts,
                  const char *what) {
    for (const auto &[name, count] : counts)
      if (double(count) > kManyClipped * updates[name])
        found.push_back(
            {"clipped", layer(name),
             fmt::format("{} in {:.3g} % of its updates, so that it computes "
                         "something else than the model; calibrate with "
                         "samples like those of the run, or scale its weights "
                         "down",
                         what, 100 * double(count) / updates[name])});
  };
  look(run.saturations.wrapped, "u wrapped around");
  std::map<std::string, uint64_t> potentials = run.saturations.clipped;
  if (!potentials.empty())
    for (const std::string &name : boundByModel(workload.program))
      potentials.erase(name);
  look(potentials, "v was clipped");
  look(run.saturations.ended, "a state met the end of its range");
  double values = 0;
  for (const auto &[name, samples] : workload.inputs.samples)
    values += double(samples.samples * samples.steps * samples.width());
  const uint64_t clipped = run.saturations.inputs;
  if (double(clipped) > kManyClipped * values)
    found.push_back(
        {"clipped", "the inputs",
         fmt::format("{:.3g} % of the values were clipped to the range that "
                     "calibration found; calibrate with samples like those of "
                     "the run",
                     100 * double(clipped) / values)});
}

/// Layers that import could not prove to stay where they are exact, and that
/// left it.
void checkProven(const sim::RunResult &run, const Workload &workload,
                 Warnings &found) {
  for (const image::Warning &warning : workload.program.warnings()) {
    if (warning.code() != "checked-range")
      continue;
    uint64_t updates = 0;
    for (const auto &[name, count] : run.saturations.ended)
      if (warning.where() == "process '" + name + "'")
        updates += count;
    if (updates)
      found.push_back({"left-range", warning.where(),
                       fmt::format("in {} updates its input was beyond the "
                                   "range for which it is proved to be Lava's; "
                                   "use smaller weights, exponents or messages",
                                   updates)});
  }
}

/// Inputs of which the run uses only a small part of the range that was
/// calibrated: bits that are lost. Whole numbers that travel as they are lose
/// none.
void checkRanges(const Workload &workload, const Json &policies,
                 Warnings &found) {
  for (const image::Input &input : workload.program.inputs()) {
    // Other ranges are the model's own, and not found by calibration.
    if (input.kind() != image::Input::INTEGER ||
        !policies.contains("calibration of " + input.name()) ||
        !policies.contains("input " + input.name()))
      continue;
    double most = 0;
    bool isExact = input.scale() == 1;
    workload.inputs.samples.at(input.name())
        .values.visit([&](const auto &values) {
          for (double value : values) {
            most = std::max(most, std::fabs(value) * input.scale());
            isExact &= value == std::nearbyint(value);
          }
        });
    const double range = double(std::max(input.high(), -input.low()));
    if (!isExact && most > 0 && most * kMuchWider < range)
      found.push_back(
          {"wide-calibration", "input '" + input.name() + "'",
           fmt::format("calibration found a range {:.3g} times as wide as what "
                       "the run uses, which leaves it {} of {} levels; "
                       "calibrate with samples like those of the run",
                       range / most, std::llround(most), std::llround(range))});
  }
}

/// States that decided how fine their layer's integers are, and of which the
/// run uses only a small part of the range that was calibrated.
void checkStateRanges(const sim::RunResult &run, const Workload &workload,
                      Warnings &found) {
  for (const image::Population &population : workload.program.populations()) {
    auto peaks = run.saturations.peaks.find(population.name());
    for (const auto &state : population.calibrated()) {
      if (peaks == run.saturations.peaks.end() ||
          !peaks->second.count(state.state()))
        continue;
      const int64_t peak = peaks->second.at(state.state());
      if (peak > 0 && double(peak) * kMuchWider < state.most())
        found.push_back(
            {"wide-calibration", layer(population.name()),
             fmt::format(
                 "calibration found state '{}' {:.3g} times as far from "
                 "0 as the run does, whose largest magnitude is {} "
                 "units; calibrate with samples like those of the run",
                 state.state(), state.most() / double(peak), peak)});
    }
  }
}

/// Scores on the samples that a network was fitted to.
void checkHeldOut(const Workload &workload, const Json &policies,
                  Warnings &found) {
  if (workload.request.labels.empty() ||
      !std::any_of(policies.items().begin(), policies.items().end(),
                   [](const auto &row) {
                     return row.key().rfind(kCalibrationFile, 0) == 0;
                   }))
    return;
  for (const auto &[name, hash] : hashesOf(workload.inputs))
    if (policies.value(kCalibrationFile + name, Json()) == hash)
      found.push_back(
          {"judged-by-calibration", "input '" + name + "'",
           fmt::format("'{}' is what the network was calibrated on, too, so "
                       "that the score says how well it was fitted, and not "
                       "how good it is; give other samples to --calibrate",
                       workload.inputs.files.at(name))});
}

} // namespace

Warnings checkRun(const Workload &workload, const sim::RunResult &run,
                  const Recording &recording, const Json &result) {
  Warnings found = run.warnings;
  checkFinite(recording, found);
  if (onChip(workload.request.engine)) {
    checkSpikes(run.spikeValues, found);
    checkClipped(run, workload, found);
    checkProven(run, workload, found);
    checkStateRanges(run, workload, found);
  }
  if (workload.request.engine != "float") {
    checkRanges(workload, result.at("policies"), found);
    checkHeldOut(workload, result.at("policies"), found);
  }
  return found;
}

} // namespace dendrolith::session
