// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/Utilisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace neurite::report {
namespace {

using Json = nlohmann::ordered_json;

/// Steps told one by one; `closed_by` counts all.
constexpr size_t kSteps = 10000;

std::string nameOfLink(uint32_t from, uint32_t to) {
  return from == to ? fmt::format("tile {} to its cores", from)
                    : fmt::format("tile {} to tile {}", from, to);
}

/// Who the barrier waited for: the last part of the step that took time.
std::string closer(const sim::StepTime &step) {
  if (step.receive)
    return fmt::format("core {} receive", step.receiveCore);
  if (step.noc)
    return "link " + nameOfLink(step.linkFrom, step.linkTo);
  if (step.update)
    return fmt::format("core {} update", step.updateCore);
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
                       {"noc_ps", step.noc},
                       {"receive_ps", step.receive},
                       {"barrier_ps", step.barrier},
                       {"closed_by", closer(step)}});
    }
  return steps;
}

} // namespace

void addUtilisation(Json &result, const sim::RunResult &run) {
  if (run.stepTimes.empty())
    return;
  auto share = [&](uint64_t busy) {
    return run.timePs ? double(busy) / double(run.timePs) : 0.0;
  };
  Json cores = Json::array(), links = Json::array();
  for (const sim::CoreActivity &core : run.coreActivity) {
    cores.push_back({{"core", core.core},
                     {"update", share(core.updating - core.stalled)},
                     {"stalled", share(core.stalled)},
                     {"receive", share(core.receiving)}});
    if (run.timeline.overlapping)
      cores.back()["waiting"] = share(core.waiting);
  }
  for (const sim::LinkActivity &link : run.linkActivity)
    links.push_back({{"from", link.from},
                     {"to", link.to},
                     {"flits", link.flits},
                     {"busy", share(link.busy)},
                     {"waited_ps", link.waited}});
  result["utilisation"] = {{"cores", cores}, {"links", links}};
  std::map<std::string, uint64_t> closed;
  uint64_t all = 0;
  for (const auto &sample : run.stepTimes)
    for (const sim::StepTime &step : sample) {
      ++closed[closer(step)];
      ++all;
    }
  Json &latency = result["latency"];
  if (run.timeline.overlapping)
    latency["steps_overlap"] = true;
  latency["closed_by"] = closed;
  latency["steps"] = stepsOf(run);
  latency["steps_told"] = std::min<uint64_t>(all, kSteps);
}

std::string formatUtilisation(const Json &result) {
  if (!result.contains("utilisation"))
    return "";
  std::string core = "none", link = "none", closer = "none";
  double most = 0;
  for (const Json &at : result.at("utilisation").at("cores"))
    for (const char *part : {"update", "stalled", "receive"})
      if (at.at(part).get<double>() > most) {
        most = at.at(part);
        core = fmt::format("core {} ({} {:.0f} %)",
                           at.at("core").get<uint64_t>(), part, 100 * most);
      }
  most = 0;
  for (const Json &at : result.at("utilisation").at("links"))
    if (at.at("busy").get<double>() > most) {
      most = at.at("busy");
      link = fmt::format("{} ({:.0f} %)",
                         nameOfLink(at.at("from"), at.at("to")), 100 * most);
    }
  uint64_t times = 0, all = 0;
  for (const auto &[name, count] :
       result.at("latency").at("closed_by").items()) {
    all += count.get<uint64_t>();
    if (count.get<uint64_t>() <= times)
      continue;
    times = count;
    closer = name;
  }
  return fmt::format("Busiest: {}; link {}; most steps ({} of {}) were closed "
                     "by {}\n",
                     core, link, times, all, closer);
}

} // namespace neurite::report
