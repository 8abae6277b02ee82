// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Utilisation.h"

#include "simulator/report/result/Bootstrap.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// Steps told one by one; `closed_by` counts all.
constexpr size_t kSteps = 10000;

/// Who the barrier waited for: the last part of the step that took more than a
/// hundredth of its work, as a shorter one is no reason.
std::string closer(const sim::StepTime &step) {
  const uint64_t little = step.work() / 100;
  if (step.receive > little)
    return fmt::format("core {} receive", step.receiveCore);
  if (step.noc > step.portWait + little)
    return "link " + nameOfLink(step.linkFrom, step.linkTo);
  if (step.update || step.waiting)
    return fmt::format("core {} {}", step.updateCore,
                       step.waiting > step.update ? "waiting" : "update");
  return "barrier";
}

Json stepsOf(const sim::RunResult &run) {
  Json steps = Json::array();
  for (size_t s = 0; s < run.stepTimes.size(); ++s)
    for (size_t t = 0; t < run.stepTimes[s].size(); ++t) {
      if (steps.size() == kSteps)
        return steps;
      const sim::StepTime &step = run.stepTimes[s][t];
      steps.push_back({{"sample", s},
                       {"step", t},
                       {"update_ps", step.update},
                       {"waiting_ps", step.waiting},
                       {"noc_ps", step.noc},
                       {"receive_ps", step.receive},
                       {"barrier_ps", step.barrier},
                       {"closed_by", closer(step)}});
      // Behind the step in which it is sent all neurons see an event.
      if (t == 0 || !run.events || t > run.events->order[s].size())
        continue;
      const sim::EventCounts::Taken &event = run.events->order[s][t - 1];
      if (!event.source.empty())
        steps.back()["event"] = {{"tick", event.tick},
                                 {"source", event.source},
                                 {"element", event.element}};
    }
  return steps;
}

/// Per step, the mean over samples of the t-th one.
Json meanSteps(const sim::RunResult &run) {
  std::vector<double> steps(run.steps, 0.0);
  for (const auto &sample : run.stepTimes)
    for (size_t t = 0; t < std::min(sample.size(), steps.size()); ++t)
      steps[t] += double(sample[t].length());
  Json mean = Json::array();
  for (double ps : steps)
    mean.push_back(ps / 1e3 / double(run.stepTimes.size()));
  return mean;
}

Json criticalParts(const sim::RunResult &run) {
  sim::StepTime sum;
  for (const auto &sample : run.stepTimes)
    for (const sim::StepTime &step : sample) {
      sum.update += step.update;
      sum.waiting += step.waiting;
      sum.receive += step.receive;
      sum.noc += step.noc;
      sum.barrier += step.barrier;
    }
  return {{"update_ns", double(sum.update) / 1e3},
          {"waiting_ns", double(sum.waiting) / 1e3},
          {"receive_ns", double(sum.receive) / 1e3},
          {"noc_ns", double(sum.noc) / 1e3},
          {"barrier_ns", double(sum.barrier) / 1e3}};
}

/// The first of those whose share of the run is largest.
template <typename Activity, typename Parts>
Json busiest(const std::vector<Activity> &all, uint64_t whole, Parts partsOf) {
  Json most = nullptr;
  uint64_t longest = 0;
  for (const Activity &activity : all)
    for (auto &[ps, what] : partsOf(activity))
      if (ps > longest) {
        longest = ps;
        most = what;
        most["share"] = double(ps) / double(whole);
      }
  return most;
}

Json busiestCore(const sim::RunResult &run) {
  using Part = std::pair<uint64_t, Json>;
  return busiest(
      run.coreActivity, run.timePs, [](const sim::CoreActivity &core) {
        auto part = [&](uint64_t ps, const char *name) {
          return Part{ps, {{"core", core.core}, {"part", name}}};
        };
        return std::vector<Part>{part(core.updating - core.stalled, "update"),
                                 part(core.stalled, "stalled"),
                                 part(core.receiving, "receive")};
      });
}

Json busiestLink(const sim::RunResult &run) {
  using Part = std::pair<uint64_t, Json>;
  return busiest(run.linkActivity, run.timePs,
                 [](const sim::LinkActivity &link) {
                   return std::vector<Part>{
                       {link.busy, {{"from", link.from}, {"to", link.to}}}};
                 });
}

Json activityTables(const sim::RunResult &run) {
  auto share = [&](uint64_t busy) {
    return run.timePs ? double(busy) / double(run.timePs) : 0.0;
  };
  Json cores = Json::array(), links = Json::array();
  for (const sim::CoreActivity &core : run.coreActivity) {
    cores.push_back({{"core", core.core},
                     {"update", share(core.updating - core.stalled)},
                     {"stalled", share(core.stalled)},
                     {"receive", share(core.receiving)}});
  }
  for (const sim::LinkActivity &link : run.linkActivity)
    links.push_back({{"from", link.from},
                     {"to", link.to},
                     {"flits", link.flits},
                     {"busy", share(link.busy)},
                     {"waited_ps", link.waited}});
  return {{"cores", cores}, {"links", links}};
}

} // namespace

std::string nameOfLink(uint32_t from, uint32_t to) {
  return from == to ? fmt::format("tile {} to its cores", from)
                    : fmt::format("tile {} to tile {}", from, to);
}

std::map<std::string, uint64_t>
closersOf(const std::vector<std::vector<sim::StepTime>> &stepTimes) {
  std::map<std::string, uint64_t> closed;
  for (const auto &sample : stepTimes)
    for (const sim::StepTime &step : sample)
      ++closed[closer(step)];
  return closed;
}

/// The time of a sample on its system, and what that adds to a step.
static Json systemOf(const sim::RunResult &run) {
  std::vector<double> latency;
  uint64_t added = 0, steps = 0;
  for (size_t s = 0; s < run.stepTimes.size(); ++s) {
    const uint64_t more = sim::managementOf(run.stepTimes[s]);
    latency.push_back(double(run.sampleLatencyPs.at(s) + more) / 1e3);
    added += more;
    steps += run.stepTimes[s].size();
  }
  return {{"per_sample_ns", spreadOf(latency)},
          {"per_step_ns", steps ? double(added) / 1e3 / double(steps) : 0.0}};
}

void addTimes(Result &result, const sim::RunResult &run) {
  if (run.stepTimes.empty())
    return;
  std::vector<double> latency;
  for (uint64_t ps : run.sampleLatencyPs)
    latency.push_back(double(ps) / 1e3);
  Json &json = result.json;
  json["times"] = {{"run_ps", run.timePs},
                   {"system_ps", sim::systemPs(run)},
                   {"stalled_ps", run.counts.total()[Counter::Stalls]}};
  json["latency"] = {{"per_sample_ns", spreadOf(latency)},
                     {"system", systemOf(run)},
                     {"critical", criticalParts(run)},
                     {"closed_by", closersOf(run.stepTimes)}};
  json["utilisation"] = {{"busiest_core", busiestCore(run)},
                         {"busiest_link", busiestLink(run)}};
  Json steps = stepsOf(run);
  result.tables["samples"]["latency_ns"] = latency;
  result.tables["latency"] = {{"per_step_ns", meanSteps(run)},
                              {"steps_told", steps.size()},
                              {"steps", std::move(steps)}};
  result.tables["utilisation"] = activityTables(run);
}

} // namespace dendrolith::report
