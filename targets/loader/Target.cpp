// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Target.h"

#include "targets/loader/files/Derive.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/files/Override.h"
#include "targets/loader/price/CostFiles.h"
#include "targets/loader/price/CostTable.h"
#include "targets/loader/read/ChipReader.h"
#include "targets/loader/read/SectionReader.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace dendrolith {

using namespace yaml;
namespace fs = std::filesystem;

/// A default that names no table would fail long after the chip was read, or
/// never, in a run that prices nothing.
static void checkDefaultCosts(const Target &target, const std::string &text) {
  std::vector<std::string> names = {target.defaultCosts};
  if (target.costBand)
    names = {target.costBand->first, target.costBand->second};
  const std::vector<std::string> known = listCostTables(target);
  for (const std::string &name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    yaml::Node root = yaml::parse(text, target.filename);
    const yaml::Node *node = yaml::find(root, "default_costs");
    yaml::fail(
        node ? *node : root,
        fmt::format("'default_costs' names '{}', but there is no "
                    "costs-{}.yaml beside the chip, expected one of {}{}",
                    name, name,
                    known.empty() ? "those there (none)" : joinWords(known),
                    suggestion(name, known)));
  }
}

/// Cuts ",KEY=VALUE" off the end of a name or path; empty if there is none.
static std::string cutChange(std::string &name) {
  size_t comma = name.rfind(',');
  if (comma == std::string::npos || name.find('=', comma) == std::string::npos)
    return "";
  std::string change = name.substr(comma + 1);
  name.resize(comma);
  return change;
}

Target Target::load(const std::string &given) {
  std::string nameOrPath = given;
  std::string change = cutChange(nameOrPath);
  if (!change.empty()) {
    Target target = load(nameOrPath); // with the changes before this one
    size_t equals = change.find('=');
    target.set(change.substr(0, equals), change.substr(equals + 1));
    return target;
  }
  std::string path =
      isPath(nameOrPath) ? nameOrPath : findTarget(nameOrPath, "");
  std::error_code error;
  if (fs::is_directory(path.empty() ? nameOrPath : path, error) &&
      fs::exists(fs::path(nameOrPath) / "chip.yaml", error))
    path = (fs::path(nameOrPath) / "chip.yaml").string();
  if (!path.empty()) {
    std::string text = yaml::readFile(path);
    Target target = parse(text, path);
    checkDefaultCosts(target, text);
    return target;
  }
  std::vector<std::string> known = listTargets();
  if (known.empty())
    throw Error(fmt::format("unknown target '{}': no chips found, set "
                            "DENDROLITH_TARGETS to the folder that holds them",
                            nameOrPath));
  throw Error(fmt::format(
      "unknown target '{}', expected one of {} or a path to a .yaml file{}",
      nameOrPath, joinWords(known), suggestion(nameOrPath, known)));
}

Target Target::parse(const std::string &text, const std::string &filename) {
  Node root = yaml::parse(text, filename);
  if (!hasBase(root))
    return {readChip(root, text, filename)};
  Node whole = withBase(root, filename);
  return {readChip(whole, write(whole), filename)};
}

void Target::set(const std::string &key, const std::string &value) {
  const std::string costs = "costs.";
  Node root = yaml::parse(yamlText, filename);
  try {
    const bool price = key.compare(0, costs.size(), costs) == 0;
    std::string was =
        price ? priceOf(*this, key) : replaceRecord(root, records, key, value);
    addOverride(root, {key, value, was});
    Target changed = {readChip(root, write(root), filename)};
    for (const std::string &limit : overriddenLimits)
      changed.overrideLimit(limit);
    if (price)
      checkPrices(changed, key);
    *this = std::move(changed);
  } catch (const Error &error) {
    throw Error(
        fmt::format("cannot set '{}' to '{}': {}", key, value, error.what()));
  }
}

void Target::overrideLimit(const std::string &limit) {
  std::vector<std::string> names;
  auto lift = [&](const auto &keys, auto &holder) {
    for (const auto &key : keys) {
      names.push_back(key.key);
      if (limit != key.key)
        continue;
      holder.*key.field = std::nullopt;
      if (std::find(overriddenLimits.begin(), overriddenLimits.end(), limit) ==
          overriddenLimits.end())
        overriddenLimits.push_back(limit);
      return true;
    }
    return false;
  };
  if (lift(limitKeys(), limits) ||
      (engines.has("microcode") && lift(microcodeLimitKeys(), microcode)))
    return;
  throw Error(fmt::format("target '{}' has no limit '{}', expected one of {}{}",
                          name, limit, joinWords(names),
                          suggestion(limit, names)));
}

std::vector<std::string> targetsWith(MicroOp op) {
  std::vector<std::string> names;
  for (const std::string &name : listTargets()) {
    try {
      if (Target::load(name).microcode.has(op))
        names.push_back(name);
    } catch (const Error &) {
      continue;
    }
  }
  return names;
}

} // namespace dendrolith
