// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/Identity.h"

#include "runtime/explore/study/AxisNames.h"
#include "runtime/host/Files.h"
#include "targets/loader/Target.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/loader/price/CostTable.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dendrolith::explore {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kContentBytes = uint64_t(1) << 42;

std::string contentHash(const std::string &path) {
  return sha256OfFile(path, kContentBytes);
}

/// "NAME=X.npy" by its name and content.
Json inputsOf(const std::vector<std::string> &inputs) {
  Json list = Json::array();
  for (const std::string &input : inputs) {
    const size_t equals = input.find('=');
    const size_t path = equals == std::string::npos ? 0 : equals + 1;
    list.push_back(input.substr(0, path) + contentHash(input.substr(path)));
  }
  return list;
}

Json modelIdentity(const StudyModel &model) {
  const auto optional = [](const std::string &path) {
    return path.empty() ? Json() : Json(contentHash(path));
  };
  return {{"model", contentHash(model.path)},
          {"weights", optional(model.weights)},
          {"calibrate", inputsOf(model.calibrate)},
          {"input", inputsOf(model.input)},
          {"labels", optional(model.labels)},
          {"metric", model.metric},
          {"samples", model.samples}};
}

Json chipIdentity(const Target &chip) {
  Json costs = Json::object();
  for (const std::string &table : listCostTables(chip))
    costs[table] = CostTable::load(table, chip).hash;
  return {{"chip", chip.hash}, {"costs", costs}};
}

/// Files that are values of axes, by what the study calls them.
Json filesOf(const Study &study) {
  Json files = Json::object();
  for (const Axis &axis : study.axes)
    for (const std::string &value : axis.values)
      if (namesFiles(axis.name) && (axis.name != "costs" || isPath(value)))
        files[value] = contentHash(fromStudy(study, value));
  return files;
}

Json baselineValues(const Study &study) {
  Json values = Json::object();
  for (const Axis &axis : study.axes) {
    const auto named = study.baseline.find(axis.name);
    values[axis.name] = named != study.baseline.end() ? named->second
                        : axis.values.empty()         ? ""
                                                      : axis.values.front();
  }
  return values;
}

Json pointsIdentity(const Study &study) {
  Json models = Json::object(), targets = Json::object();
  for (const StudyModel &model : study.models)
    models[model.name] = modelIdentity(model);
  for (const std::string &target : study.targets)
    targets[target] = chipIdentity(Target::load(chipOf(study, target)));
  Json json = {{"models", models},
               {"targets", targets},
               {"files", filesOf(study)},
               {"engine", study.engine},
               {"mapping", study.mapping}};
  if (study.mapping == "baseline")
    json["baseline"] = baselineValues(study);
  return json;
}

Json strategyOf(const Study &study) {
  static const char *const names[] = {
      "grid", "one-at-a-time", "random", "latin", "sobol", "file", "ask"};
  const Strategy &strategy = study.strategy;
  Json json = {{"form", names[size_t(strategy.method)]},
               {"points", strategy.points}};
  if (!strategy.rows.empty())
    json["file"] = contentHash(strategy.path);
  return json;
}

Json designsOf(const Study &study) {
  Json vary = Json::object();
  for (const Axis &axis : study.axes)
    vary[axis.name] = axis.values;
  return {{"vary", vary},         {"together", study.together},
          {"where", study.where}, {"repeat", study.repeat},
          {"seed", study.seed},   {"strategy", strategyOf(study)}};
}

std::string shortText(const Json &json) { return printable(json.dump(), 200); }

} // namespace

Json identityOf(const Study &study) {
  return {{"points", pointsIdentity(study)}, {"designs", designsOf(study)}};
}

std::string difference(const Json &is, const Json &wanted) {
  if (is == wanted)
    return "";
  if (!is.is_object() || !wanted.is_object())
    return fmt::format(" is {}, not {}", shortText(is), shortText(wanted));
  for (const auto &[key, value] : wanted.items()) {
    if (!is.contains(key))
      return fmt::format("{} is not there, and is wanted as {}", key,
                         shortText(value));
    const std::string inside = difference(is[key], value);
    if (!inside.empty())
      return key + (inside[0] == ' ' ? "" : ".") + inside;
  }
  for (const auto &[key, value] : is.items())
    if (!wanted.contains(key))
      return fmt::format("{} is there as {}, and is not wanted", key,
                         shortText(value));
  return "its members are in another order";
}

bool hasGrown(const Json &is, const Json &wanted) {
  Json before = is.at("designs"), now = wanted.at("designs");
  const std::string form = now.at("strategy").at("form");
  const bool isOfValues = form == "grid" || form == "one-at-a-time";
  if (is.at("points") != wanted.at("points") || !isOfValues ||
      before.at("repeat") > now.at("repeat"))
    return false;
  for (const auto &[axis, values] : before.at("vary").items())
    for (const Json &value : values) {
      const Json all = now["vary"].value(axis, Json::array());
      if (std::find(all.begin(), all.end(), value) == all.end())
        return false;
    }
  if (before["vary"].size() != now["vary"].size())
    return false;
  for (Json *each : {&before, &now}) {
    each->erase("vary");
    each->erase("repeat");
  }
  return before == now;
}

} // namespace dendrolith::explore
