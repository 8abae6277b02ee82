// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Summary.h"

#include "simulator/report/result/Baselines.h"
#include "simulator/report/result/Result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kEnds[] = {"low", "high"};

/// value / by, or null where either is not known or there is nothing to divide
/// by.
Json over(const Json &value, double by) {
  return value.is_null() || !(by > 0) ? Json() : Json(value.get<double>() / by);
}

/// The signs of both ends of a band as one.
std::string boundOf(const Json &energy) {
  std::string low = energy.at("low").at("bound"),
              high = energy.at("high").at("bound");
  return low == high ? low : low == "=" ? high : high == "=" ? low : "~";
}

/// What the resets between samples cost: no part of a sample's energy, as their
/// time is none of its latency.
double resetsOf(const Json &bill) {
  auto events = bill.find("by_event");
  if (events == bill.end() || !events->contains("resets"))
    return 0;
  const Json &energy = events->at("resets").at("energy_pJ");
  return energy.is_null() ? 0 : energy.get<double>();
}

/// Energy in events of one sample, null where nothing was counted.
Json eventsPerSample(const Json &energy, double samples) {
  if (energy.is_null())
    return nullptr;
  Json perSample, unpriced = Json::array();
  for (const char *end : kEnds) {
    const Json &total = energy.at(end).at("total_pJ");
    perSample[end] =
        total.is_null()
            ? Json()
            : over(total.get<double>() - resetsOf(energy.at(end)), samples);
    for (const Json &event : energy.at(end).at("unpriced"))
      if (std::find(unpriced.begin(), unpriced.end(), event) == unpriced.end())
        unpriced.push_back(event);
  }
  const bool isKnown =
      !perSample.at("low").is_null() && !perSample.at("high").is_null();
  perSample["bound"] = isKnown ? Json(boundOf(energy)) : Json();
  perSample["unpriced"] = unpriced;
  return perSample;
}

/// The static energy of the time that a sample takes, of `share` of the run.
Json staticPerSample(const Json &energy, double share) {
  Json perSample;
  for (const char *end : kEnds) {
    perSample[end] =
        over(memberOf(memberOf(energy, end), "static_pJ"), 1 / share);
    if (perSample[end].is_null())
      return nullptr;
  }
  return perSample;
}

/// Energy of one sample, with what is static where that is known, times
/// `factor`; null where there is none.
Json wholeTimes(const Json &events, const Json &still, double factor) {
  if (events.is_null() || !(factor > 0) || !std::isfinite(factor))
    return nullptr;
  Json whole;
  for (const char *end : kEnds) {
    if (events.at(end).is_null())
      return nullptr;
    whole[end] = factor * (events.at(end).get<double>() +
                           (still.is_null() ? 0 : still.at(end).get<double>()));
  }
  whole["includes_static"] = !still.is_null();
  return whole;
}

Json perSynop(const Json &result, const Json &events, double samples) {
  if (result.at("counts").is_null() || events.is_null())
    return nullptr;
  const Json &synops = result.at("counts").at("total").at("synops");
  double all = 0;
  for (const char *kind : {"dense", "sparse", "conv"})
    all += synops.at(kind).get<double>();
  Json cost;
  for (const char *end : kEnds) {
    cost[end] = over(events.at(end), all / samples);
    if (cost[end].is_null())
      return nullptr;
  }
  return cost;
}

/// Answers that were right, 0 where that is not what was judged.
double correctOf(const Json &score) {
  if (score.is_null() || score.at("metric") != "accuracy")
    return 0;
  return std::round(score.at("value").get<double>() *
                    score.at("answers").get<double>());
}

} // namespace

void addSummary(Json &result) {
  const double samples = result.at("samples").get<double>();
  const Json &score = result.at("score"), &compare = result.at("compare");
  Json events = eventsPerSample(result.at("energy"), samples);
  Json latency = memberOf(result.at("latency"), "per_sample_ns");
  Json system =
      memberOf(memberOf(result.at("latency"), "system"), "per_sample_ns");
  Json runPs = memberOf(result.at("times"), "system_ps");
  if (system.is_null()) { // as in results from before there was one
    system = latency;
    runPs = memberOf(result.at("times"), "run_ps");
  }
  const double meanNs = system.is_null() ? 0 : system.at("mean").get<double>();
  Json still = staticPerSample(result.at("energy"),
                               runPs.is_null() || !(meanNs > 0)
                                   ? 1 / samples
                                   : 1e3 * meanNs / runPs.get<double>());
  const bool beside = !compare.is_null() && compare.at("engine") == "float";
  const double correct = correctOf(score);
  Json target = result.at("target");
  result["summary"] = {
      {"model", result.at("model").at("name")},
      {"target", memberOf(target, "name")},
      {"overrides", target.is_null() ? Json::array() : target.at("overrides")},
      {"engine", result.at("engine")},
      {"samples", result.at("samples")},
      {"cores", memberOf(result.at("mapping"), "cores")},
      {"score", score},
      {"float_score", beside ? compare.at("score") : Json()},
      {"energy_per_sample_pJ", events},
      {"static_per_sample_pJ", still},
      {"latency_per_sample_ns", latency},
      {"system_latency_per_sample_ns", system},
      {"throughput_per_s", meanNs > 0 ? Json(1e9 / meanNs) : Json()},
      {"edp_pJ_ns", wholeTimes(events, still, meanNs)},
      {"pJ_per_synop", perSynop(result, events, samples)},
      {"J_per_correct",
       wholeTimes(events, still, correct > 0 ? 1e-12 * samples / correct : 0)},
      {"baselines", baselines(result)},
      {"warnings", result.at("warnings").size()}};
}

} // namespace dendrolith::report
