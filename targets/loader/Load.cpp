// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets and cost tables by name: which file is meant, and reading it.

#include "targets/loader/CostTable.h"
#include "targets/loader/Discovery.h"
#include "targets/loader/Override.h"
#include "targets/loader/Reader.h"
#include "targets/loader/Target.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace dendrolith {

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
                    known.empty() ? "those there (none)" : yaml::join(known),
                    yaml::suggestion(name, known)));
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
      nameOrPath, yaml::join(known), yaml::suggestion(nameOrPath, known)));
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

/// Where the cost tables of a target lie. A target read back from a program
/// has no file, so its name is looked up; so is the target it borrows from.
static std::vector<std::string> costDirs(const Target &target) {
  std::vector<std::string> dirs;
  std::error_code error;
  if (fs::exists(target.filename, error)) {
    fs::path parent = fs::path(target.filename).parent_path();
    dirs.push_back(parent.empty() ? "." : parent.string());
  }
  if (isName(target.name))
    for (const std::string &dir : searchDirs())
      dirs.push_back(dir + "/" + target.name);
  std::string from = findTarget(target.costsFrom, target.filename);
  if (!from.empty())
    dirs.push_back(fs::path(from).parent_path().string());
  return dirs;
}

/// The file of a cost table by name; "" when there is none.
static std::string costFile(const Target &target, const std::string &name) {
  std::error_code error;
  for (const std::string &dir : costDirs(target)) {
    std::string path = dir + "/costs-" + name + ".yaml";
    if (fs::exists(path, error))
      return path;
  }
  return "";
}

std::vector<std::string> listCostTables(const Target &target) {
  const std::string start = "costs-", end = ".yaml";
  std::vector<std::string> names;
  for (const std::string &dir : costDirs(target)) {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(dir, error)) {
      std::string file = entry.path().filename().string();
      if (file.size() > start.size() + end.size() &&
          file.rfind(start, 0) == 0 && entry.path().extension() == end)
        names.push_back(
            file.substr(start.size(), file.size() - start.size() - end.size()));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

CostTable CostTable::load(const std::string &nameOrPath, const Target &target) {
  if (isPath(nameOrPath))
    return parse(yaml::readFile(nameOrPath), nameOrPath, target);
  if (nameOrPath.empty() && target.costBand)
    throw Error(fmt::format("target '{}' has no single cost table, only a band "
                            "from '{}' to '{}': price with both, or name one",
                            target.name, target.costBand->first,
                            target.costBand->second));
  const std::string &name =
      nameOrPath.empty() ? target.defaultCosts : nameOrPath;
  if (std::string path = isName(name) ? costFile(target, name) : "";
      !path.empty())
    return parse(yaml::readFile(path), path, target);
  std::vector<std::string> known = listCostTables(target);
  throw Error(fmt::format("target '{}' has no cost table '{}', expected one of "
                          "{} or a path to a .yaml file{}",
                          target.name, name, yaml::join(known),
                          yaml::suggestion(name, known)));
}

/// The table and the event of "costs.TABLE.EVENT"; both may hold dots.
static std::pair<std::string, std::string>
splitPriceKey(const Target &target, const std::string &key) {
  const std::vector<std::string> known = listCostTables(target);
  std::pair<std::string, std::string> best;
  for (const std::string &name : known) {
    const std::string start = "costs." + name + ".";
    if (key.rfind(start, 0) == 0 && name.size() > best.first.size())
      best = {name, key.substr(start.size())};
  }
  if (best.first.empty())
    throw Error(fmt::format("expected costs.TABLE.EVENT with a table of the "
                            "target: {}",
                            yaml::join(known)));
  return best;
}

std::string priceOf(const Target &target, const std::string &key) {
  auto [name, event] = splitPriceKey(target, key);
  const std::string path = costFile(target, name);
  yaml::Node table = yaml::parse(yaml::readFile(path), path);
  return yaml::replacePrice(table, event, "unpriced");
}

void checkPrices(const Target &target, const std::string &key) {
  CostTable table = CostTable::load(splitPriceKey(target, key).first, target);
  if (table.band != BandEnd::None && target.costBand)
    CostTable::loadBand(target);
}

} // namespace dendrolith
