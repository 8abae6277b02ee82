// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/NamedValues.h"

#include "simulator/report/result/Result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

void flatten(const Json &value, const std::string &name, NamedValues &into) {
  if (value.is_object())
    for (const auto &[key, child] : value.items())
      flatten(child, name.empty() ? key : name + "." + key, into);
  else
    into.push_back({name, value});
}

NamedValues configurationOf(const Json &result) {
  NamedValues all;
  flatten(result.at("model"), "model", all);
  all.push_back({"engine", result.at("engine")});
  for (const char *key : {"name", "sha256"}) {
    all.push_back(
        {std::string("target.") + key, memberOf(result.at("target"), key)});
    all.push_back(
        {std::string("timing.") + key, memberOf(result.at("timing"), key)});
    for (const char *end : {"low", "high"})
      all.push_back({fmt::format("costs.{}.{}", end, key),
                     memberOf(memberOf(result.at("costs"), end), key)});
  }
  for (const Json &change : result.at("summary").at("overrides"))
    all.push_back({"override " + change.at("key").get<std::string>(),
                   change.at("value")});
  for (const char *key : {"samples", "ticks", "steps"})
    all.push_back({key, result.at(key)});
  flatten(result.at("metric"), "metric", all);
  for (const char *key : {"solver", "objective", "cores"})
    all.push_back(
        {std::string("mapping.") + key, memberOf(result.at("mapping"), key)});
  for (const char *key : {"period_steps", "depth_steps"})
    all.push_back(
        {std::string("schedule.") + key, memberOf(result.at("schedule"), key)});
  flatten(result.at("policies"), "choice", all);
  if (!result.at("quantisation").is_null())
    for (const Json &row : result.at("quantisation"))
      if (row.at("source") != "")
        all.push_back({fmt::format("bits of {} from {}",
                                   row.at("layer").get<std::string>(),
                                   row.at("source").get<std::string>()),
                       row.at("weight_bits")});
  return all;
}

} // namespace dendrolith::report
