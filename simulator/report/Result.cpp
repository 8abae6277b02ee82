// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/Result.h"

#include "simulator/record/CountsRecord.h"
#include "simulator/record/NeuroBench.h"
#include "simulator/report/MessageJson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>

namespace neurite::report {

using Json = nlohmann::ordered_json;

Json programFacts(const image::Program &program) {
  Json facts;
  facts["model"] = {{"name", program.model_name()},
                    {"sha256", program.model_sha256()}};
  Json phases = Json::object();
  for (const image::Population &population : program.populations())
    phases[population.name()] = {{"phase", population.phase()},
                                 {"ticks", population.ticks()},
                                 {"stride_steps", population.stride()},
                                 {"neurons", population.size()},
                                 {"units_per_real", population.scale()}};
  facts["schedule"] = {{"period_steps", program.schedule().period()},
                       {"depth_steps", program.schedule().depth()},
                       {"critical_cycle", program.schedule().critical()},
                       {"populations", phases}};
  facts["mapping"] = {{"solver", program.mapping().solver()},
                      {"cores", program.mapping().cores()},
                      {"cost", program.mapping().cost()},
                      {"round_robin_cost", program.mapping().baseline_cost()},
                      {"unit", program.mapping().cost_unit()},
                      {"objective", program.mapping().objective()},
                      {"activity", program.mapping().activity()},
                      {"fewer_cores", program.mapping().fewer_cores()},
                      {"terms", rowsToJson(program.mapping().terms())},
                      {"bounds", rowsToJson(program.mapping().bounds())},
                      {"trade_off", rowsToJson(program.mapping().trade_off())},
                      {"hotspots", rowsToJson(program.mapping().hotspots())}};
  facts["fit"] = rowsToJson(program.fit());
  for (Json &row : facts["fit"])
    if (row["limit"] == 0) // there is none
      row["limit"] = nullptr;
  facts["quantisation"] = rowsToJson(program.quantisation());
  Json policies = Json::object();
  for (const image::Note &note : program.policies())
    policies[note.key()] = note.value();
  facts["policies"] = policies;
  facts["rewrites"] = rowsToJson(program.rewrites());
  for (Json &row : facts["rewrites"])
    if (row["removed_ids"] == "") // the rewrite removed no neurons by number
      row.erase("removed_ids");
  facts["layers"] = rowsToJson(program.layers());
  facts["overridden_limits"] = rowsToJson(program.overridden_limits());
  return facts;
}

void addExecution(Json &result, const sim::RunResult &run) {
  result["samples"] = run.samples;
  result["ticks"] = run.ticks;
  result["steps"] = run.steps;
  result["counts"] = sim::toJson(run.counts);
  result["neurobench"] = sim::toJson(run.neuroBench);
  result["saturations"] = {{"inputs", run.saturations.inputs},
                           {"u_wrapped", run.saturations.wrapped},
                           {"v_clipped", run.saturations.clipped},
                           {"states_at_end", run.saturations.ended}};
  Json spikes = Json::object();
  for (const sim::SpikeValues &values : run.spikeValues) {
    Json &of = spikes[values.name] = Json::object();
    for (size_t i = 0; i < values.counts.size(); ++i)
      of[std::to_string(values.low + int64_t(i))] = values.counts[i];
  }
  result["spike_values"] = spikes;
  result["time_ps"] = run.timePs;
  Json perSample = Json::array(), perStep = Json::array();
  for (uint64_t ps : run.sampleLatencyPs)
    perSample.push_back(double(ps) / 1e3);
  sim::StepTime sum;
  std::vector<double> steps(run.steps, 0.0);
  for (const auto &sample : run.stepTimes)
    for (size_t t = 0; t < sample.size(); ++t) {
      const sim::StepTime &step = sample[t];
      sum.update += step.update;
      sum.receive += step.receive;
      sum.noc += step.noc;
      sum.barrier += step.barrier;
      if (t < steps.size())
        steps[t] +=
            double(step.update + step.receive + step.noc + step.barrier);
    }
  // Per step: the mean over samples of the t-th step.
  if (!run.stepTimes.empty())
    for (double ps : steps)
      perStep.push_back(ps / 1e3 / double(run.stepTimes.size()));
  result["latency"] = {{"per_sample_ns", perSample},
                       {"per_step_ns", perStep},
                       {"critical",
                        {{"update_ns", double(sum.update) / 1e3},
                         {"receive_ns", double(sum.receive) / 1e3},
                         {"noc_ns", double(sum.noc) / 1e3},
                         {"barrier_ns", double(sum.barrier) / 1e3}}}};
}

std::vector<CostTable> chooseCosts(const std::string &name,
                                   const Target &target) {
  if (!name.empty() || !target.costBand)
    return {CostTable::load(name, target)};
  auto [low, high] = CostTable::loadBand(target);
  return {low, high};
}

std::string addEnergy(Json &result, const sim::Counts &counts,
                      const std::vector<CostTable> &tables,
                      const TimingSet &timing, uint64_t timePs) {
  const bool band = tables.size() > 1;
  const char *ends[] = {"low", "high"};
  std::string text;
  for (const char *key : {"energy", "costs", "energy_band", "costs_band"})
    result.erase(key);
  for (size_t i = 0; i < tables.size(); ++i) {
    const CostTable &table = tables[i];
    if (timePs && !table.matches(timing))
      std::fprintf(stderr,
                   "warning: costs '%s' are of family '%s', the run's timing "
                   "'%s' of family '%s'; static energy uses the stored time\n",
                   table.name.c_str(), table.family.c_str(),
                   timing.name.c_str(), timing.family.c_str());
    Json costs = {{"name", table.name},
                  {"sha256", table.hash},
                  {"voltage", table.voltage},
                  {"scope", table.scope}};
    sim::Energy energy = sim::price(counts, table, timePs);
    if (band) {
      result["costs_band"][ends[i]] = costs;
      result["energy_band"][ends[i]] = sim::toJson(energy);
      text += fmt::format("{} end of the band\n", i ? "High" : "Low");
    } else {
      result["costs"] = costs;
      result["energy"] = sim::toJson(energy);
    }
    text += sim::formatEnergy(energy) + (band && i == 0 ? "\n" : "");
  }
  return text;
}

/// The peak of this program alone: getrusage's own figure survives exec, and so
/// starts with what the process that started it held. 0 where there is no
/// /proc.
static double ownPeakKb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::strtod(line.c_str() + 6, nullptr);
  return 0;
}

double peakResidentMb() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  return std::max(ownPeakKb(), double(children.ru_maxrss)) * 1024 / 1e6;
}

} // namespace neurite::report
