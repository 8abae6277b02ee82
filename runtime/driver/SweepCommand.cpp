// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `neurite sweep`: how far a result moves when what is only assumed about a
// chip is halved or doubled. The program and its spikes stay the same: times
// and prices change nothing that is computed.

#include "runtime/driver/Commands.h"
#include "runtime/driver/ModelFlags.h"
#include "runtime/driver/Result.h"
#include "runtime/driver/TextTable.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <numeric>

namespace neurite::driver {
namespace {

struct SweepFlags {
  ModelFlags model;
  std::string path, timing, costs;
  std::vector<std::string> inputs;
  std::vector<double> factors = {0.5, 1, 2};
};

/// Not measured on this chip.
bool isGuess(Kind kind) {
  return kind == Kind::Assumed || kind == Kind::Scaled ||
         kind == Kind::Inherited;
}

/// Times of the set that are assumed, times `factor`, rounded to picoseconds.
/// A program's cycles are changed through the length of a cycle.
Target withTimes(const Target &chip, const TimingSet &timing, double factor) {
  Target changed = chip;
  for (const Record &record : timing.records)
    if (isGuess(record.kind) && record.unit == "ps")
      changed.set(
          record.name,
          fmt::format("{:.0f}", std::round(std::stod(record.value) * factor)));
  return changed;
}

CostTable withPrices(const CostTable &table, double factor) {
  CostTable changed = table;
  for (auto &[event, price] : changed.prices)
    if (price.form == Price::Form::Priced && isGuess(price.kind))
      price.value *= factor;
  return changed;
}

double meanLatencyNs(const sim::RunResult &run) {
  const std::vector<uint64_t> &ps = run.sampleLatencyPs;
  return std::accumulate(ps.begin(), ps.end(), 0.0) / 1e3 / double(ps.size());
}

void sweep(const SweepFlags &flags) {
  auto model = importWith(flags.model, flags.path);
  LoadedInputs inputs =
      loadInputs(flags.inputs, inputShapes(model->floatNetwork()));
  if (flags.model.calibrate.empty())
    model->calibrate(firstSamples(inputs.samples, 32),
                     "the first of the run itself");
  else
    model->calibrate(
        loadInputs(flags.model.calibrate, inputShapes(model->floatNetwork()))
            .samples,
        "given");
  model->quantise(flags.model.compile);
  model->lower(flags.model.compile);
  image::Program program = model->emit();
  Target chip = Target::parse(
      program.target_yaml(), Target::load(flags.model.compile.target).filename);
  sim::RunOptions options;
  options.timing = flags.timing;
  const std::string timing = chip.timing(flags.timing).name;

  TextTable times({"assumed times x", "latency per sample", "change"});
  sim::RunResult run = sim::runCycle(program, chip, inputs.samples, options);
  const double usual = meanLatencyNs(run);
  for (double factor : flags.factors) {
    double ns = meanLatencyNs(
        sim::runCycle(program, withTimes(chip, chip.timing(timing), factor),
                      inputs.samples, options));
    times.add({fmt::format("{:g}", factor), fmt::format("{:.1f} ns", ns),
               fmt::format("{:+.1f} %", 100 * (ns / usual - 1))});
  }
  std::printf("Times of set '%s' that are assumed, scaled or inherited\n%s\n",
              timing.c_str(), times.text().c_str());

  TextTable prices(
      {"table", "assumed prices x", "energy per sample", "change"});
  for (const CostTable &table : chooseCosts(flags.costs, chip)) {
    double samples = double(run.samples);
    double base = sim::price(run.counts, table, run.timePs).total / samples;
    for (double factor : flags.factors) {
      double pJ =
          sim::price(run.counts, withPrices(table, factor), run.timePs).total /
          samples;
      prices.add({table.name, fmt::format("{:g}", factor),
                  fmt::format("{:.1f} pJ", pJ),
                  base > 0 ? fmt::format("{:+.1f} %", 100 * (pJ / base - 1))
                           : std::string("-")});
    }
  }
  std::printf("Prices that are assumed, scaled or inherited (events only)\n%s",
              prices.text().c_str());
}

} // namespace

void addSweep(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "sweep", "Latency and energy when assumed times and prices are scaled");
  auto flags = std::make_shared<SweepFlags>();
  command->add_option("MODEL", flags->path, "Trained network: .nir or .mlir")
      ->required();
  command
      ->add_option("--input", flags->inputs,
                   "X.npy or NAME=X.npy: (steps, *shape) or (samples, steps, "
                   "*shape)")
      ->required();
  command->add_option("--timing", flags->timing, "Timing set of the chip");
  command->add_option("--costs", flags->costs,
                      "Cost table: a name or a .yaml file");
  command->add_option("--factor", flags->factors, "Factors to try")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  flags->model.addTo(*command);
  command->callback([flags] { sweep(*flags); });
}

} // namespace neurite::driver
