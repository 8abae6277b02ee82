// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith sweep`: how far a result moves when what is only assumed about a
// chip is halved or doubled. The program and its spikes stay the same: times
// and prices change nothing that is computed.

#include "runtime/driver/Commands.h"
#include "runtime/driver/Sweep.h"
#include "simulator/report/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace dendrolith::driver {
namespace {

/// What is scaled together: numbers without any source, and all that nobody
/// measured on this chip.
struct Group {
  const char *name;
  std::vector<Kind> kinds;
  bool has(Kind kind) const {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
};
const Group kGroups[] = {{"assumed", {Kind::Assumed}},
                         {"assumed, scaled, inherited",
                          {Kind::Assumed, Kind::Scaled, Kind::Inherited}}};

/// Times of the set, times `factor`, rounded to picoseconds. A program's cycles
/// change through the length of a cycle.
Target withTimes(const Target &chip, const TimingSet &timing,
                 const Group &group, double factor) {
  Target changed = chip;
  for (const Record &record : timing.records)
    if (group.has(record.kind) && record.unit == "ps")
      changed.set(
          "timing." + timing.name + "." + record.name,
          fmt::format("{:.0f}", std::round(std::stod(record.value) * factor)));
  return changed;
}

CostTable withPrices(const CostTable &table, const Group &group,
                     double factor) {
  CostTable changed = table;
  for (auto &[event, price] : changed.prices)
    if (price.form == Price::Form::Priced && group.has(price.kind))
      price.value *= factor;
  return changed;
}

std::string change(double value, double usual) {
  return usual > 0 ? fmt::format("{:+.1f} %", 100 * (value / usual - 1)) : "-";
}

std::string timeTable(const image::Program &program, const Target &chip,
                      const TimingSet &timing,
                      const session::LoadedInputs &inputs,
                      const SweepFlags &flags, double usual) {
  report::TextTable table({"times", "factor", "latency per sample", "change"});
  sim::RunOptions options;
  options.timing = timing.name;
  for (const Group &group : kGroups)
    for (double factor : flags.factors) {
      Target changed = withTimes(chip, timing, group, factor);
      double ns = meanLatencyNs(
          sim::runCycle(program, changed, inputs.samples, options));
      table.add({group.name, fmt::format("{:g}", factor),
                 fmt::format("{:.1f} ns", ns), change(ns, usual)});
    }
  return "Times of set '" + timing.name + "'\n" + table.text() + "\n";
}

std::string priceTable(const sim::RunResult &run,
                       const std::vector<CostTable> &tables,
                       const SweepFlags &flags) {
  report::TextTable table(
      {"table", "prices", "factor", "energy per sample", "change"});
  std::string still;
  for (const CostTable &costs : tables) {
    if (auto pJ = sim::price(run.counts, costs, run.timePs).staticEnergy)
      still += fmt::format("{}{:.1f} pJ", still.empty() ? "" : " to ",
                           *pJ / double(run.samples));
    for (const Group &group : kGroups) {
      auto total = [&](double factor) {
        return sim::price(run.counts, withPrices(costs, group, factor),
                          run.timePs)
                   .total /
               double(run.samples);
      };
      for (double factor : flags.factors)
        table.add({costs.name, group.name, fmt::format("{:g}", factor),
                   fmt::format("{:.1f} pJ", total(factor)),
                   change(total(factor), total(1))});
    }
  }
  return "Prices of events" +
         (still.empty()
              ? std::string()
              : ", beside which static energy is " + still + " per sample") +
         "\n" + table.text();
}

void sweepAssumptions(const SweepFlags &flags, Compilation &model,
                      const session::LoadedInputs &inputs) {
  session::quantise(model, flags.model);
  const auto [program, chip] = session::mapProgram(model, flags.model.compile);
  sim::RunOptions options;
  options.timing = flags.timing;
  sim::RunResult run = sim::runCycle(program, chip, inputs.samples, options);
  std::fputs(timeTable(program, chip, chip.timing(flags.timing), inputs, flags,
                       meanLatencyNs(run))
                 .c_str(),
             stdout);
  std::fputs(
      priceTable(run, report::chooseCosts(flags.costs, chip), flags).c_str(),
      stdout);
}

void sweep(const SweepFlags &flags) {
  auto [model, inputs] =
      session::loadModel(flags.model, flags.path, flags.inputs);
  session::calibrate(*model, flags.model, inputs);
  if (flags.over == "spikes")
    sweepSpikes(flags, *model, inputs);
  else
    sweepAssumptions(flags, *model, inputs);
}

} // namespace

void addSweep(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "sweep",
      "Latency and energy when assumed times and prices are scaled, or "
      "over forms of spikes and numbers of cores");
  command->footer(
      "Example: dendrolith sweep net.nir --target loihi2 --input x.npy "
      "--timing davies2018 --factor 0.5 1 2");
  auto flags = std::make_shared<SweepFlags>();
  command->add_option("MODEL", flags->path, modelHelp("Trained network: "))
      ->required();
  command
      ->add_option("--input", flags->inputs,
                   "X.npy or NAME=X.npy: (steps, *shape) or (samples, steps, "
                   "*shape)")
      ->required();
  command
      ->add_option("--over", flags->over,
                   "assumptions: times and prices scaled; spikes: graded and "
                   "unary, packed and a layer per core")
      ->check(CLI::IsMember({"assumptions", "spikes"}))
      ->capture_default_str();
  command->add_option("--timing", flags->timing, "Timing set of the chip");
  command->add_option("--costs", flags->costs,
                      "Cost table: a name or a .yaml file");
  command->add_option("--factor", flags->factors, "Factors to try")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  addModelFlags(*command, flags->model);
  command->callback([flags, command] {
    if (flags->over == "spikes")
      for (const char *flag : {"--spikes", "--min-cores", "--factor"})
        if (command->count(flag))
          throw Error(std::string("--over spikes tries both forms and numbers "
                                  "of cores at the usual prices; leave out ") +
                      flag);
    sweep(*flags);
  });
}

} // namespace dendrolith::driver
