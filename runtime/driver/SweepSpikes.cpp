// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Sweep.h"

#include "simulator/report/SpikeText.h"
#include "simulator/report/TextTable.h"

#include <fmt/format.h>

#include <cstdio>
#include <numeric>

namespace dendrolith::driver {

double meanLatencyNs(const sim::RunResult &run) {
  const std::vector<uint64_t> &ps = run.sampleLatencyPs;
  return std::accumulate(ps.begin(), ps.end(), 0.0) / 1e3 / double(ps.size());
}

namespace {

struct Variant {
  std::string spikes;
  bool spread = false; ///< with a layer on each core
};

/// "graded, a layer per core".
std::string nameOf(const Variant &variant) {
  return variant.spikes + (variant.spread ? ", a layer per core" : ", packed");
}

/// What a sample costs by one table, or by both ends of a band.
struct Costs {
  std::string events, still, together; ///< in nJ; the latter two may be empty
};

Costs costsOf(const sim::RunResult &run, const std::vector<CostTable> &tables) {
  Costs costs;
  auto add = [&](std::string &text, const std::string &bound, double pJ) {
    text += fmt::format("{}{}{:.1f}", text.empty() ? "" : " to ", bound,
                        pJ / 1e3 / double(run.samples));
  };
  for (const CostTable &table : tables) {
    const sim::Energy energy = sim::price(run.counts, table, run.timePs);
    const std::string bound = energy.bound == "=" ? "" : energy.bound;
    add(costs.events, bound, energy.total);
    if (!energy.staticEnergy)
      continue;
    add(costs.still, "", *energy.staticEnergy);
    add(costs.together, bound, energy.total + *energy.staticEnergy);
  }
  return costs;
}

void checkSame(const sim::RunResult &one, const Variant &of,
               const sim::RunResult &other, const Variant &than) {
  for (size_t o = 0; o < one.outputs.size(); ++o)
    if (one.outputs[o].values != other.outputs[o].values)
      throw Error(fmt::format("output '{}' of '{}' differs from that of '{}': "
                              "the forms of spikes must not change a value",
                              one.outputs[o].name, nameOf(of), nameOf(than)));
}

} // namespace

void sweepSpikes(const SweepFlags &flags, Compilation &model,
                 const session::LoadedInputs &inputs) {
  report::TextTable table({"spikes", "mapping", "cores", "steps per tick",
                           "steps", "spikes sent", "messages", "hops",
                           "events (nJ)", "static (nJ)", "together (nJ)",
                           "latency (us)"});
  const Variant variants[] = {
      {"graded", false}, {"graded", true}, {"unary", false}, {"unary", true}};
  std::vector<sim::RunResult> runs;
  for (const Variant &variant : variants) {
    CompileOptions options = flags.model.compile;
    options.spikes = variant.spikes;
    model.quantise(options);
    auto populations = model.fixedNetwork().getOps<dend::PopulationOp>();
    options.solver = "packed";
    if (variant.spread)
      options.minCores =
          unsigned(std::distance(populations.begin(), populations.end()));
    const auto [program, chip] = session::mapProgram(model, options);
    sim::RunOptions running;
    running.timing = flags.timing;
    const sim::RunResult &run = runs.emplace_back(
        sim::runCycle(program, chip, inputs.samples, running));
    checkSame(run, variant, runs.front(), variants[0]);
    const Costs costs = costsOf(run, report::chooseCosts(flags.costs, chip));
    using C = sim::Counter;
    sim::CoreCounts total = run.counts.total();
    auto perSample = [&](uint64_t count) {
      return fmt::format("{:.1f}", double(count) / double(run.samples));
    };
    table.add({variant.spikes, variant.spread ? "a layer per core" : "packed",
               std::to_string(program.mapping().cores()),
               std::to_string(program.schedule().period()),
               std::to_string(run.steps),
               perSample(total[C::SpikesBinary] + total[C::SpikesUnary] +
                         total[C::SpikesGraded]),
               perSample(total[C::Messages]),
               perSample(total[C::HopsEw] + total[C::HopsNs]), costs.events,
               costs.still, costs.together,
               fmt::format("{:.2f}", meanLatencyNs(run) / 1e3)});
  }
  report::Result result = report::emptyResult();
  report::addExecution(result, runs.front());
  std::printf(
      "%s\nPer sample, mean of %llu; energy of events, static energy, and "
      "both\n"
      "%sOutputs: equal to the bit in all four\n",
      report::formatSpikeValues(result.json.at("spike_values")).c_str(),
      static_cast<unsigned long long>(inputs.samples.begin()->second.samples),
      table.text().c_str());
}

} // namespace dendrolith::driver
