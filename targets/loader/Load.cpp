// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets and cost tables by name: which file is meant, and reading it.

#include "targets/loader/CostTable.h"
#include "targets/loader/Discovery.h"
#include "targets/loader/Reader.h"
#include "targets/loader/Target.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace neurite {

namespace fs = std::filesystem;

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
  if (!path.empty())
    return parse(yaml::readFile(path), path);
  std::vector<std::string> known = listTargets();
  if (known.empty())
    throw Error(fmt::format("unknown target '{}': no targets found, set "
                            "NEURITE_TARGETS to the directory that holds them",
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
  if (isName(name))
    for (const std::string &dir : costDirs(target)) {
      std::string path = dir + "/costs-" + name + ".yaml";
      std::error_code error;
      if (fs::exists(path, error))
        return parse(yaml::readFile(path), path, target);
    }
  std::vector<std::string> known = listCostTables(target);
  throw Error(fmt::format("target '{}' has no cost table '{}', expected one of "
                          "{} or a path to a .yaml file{}",
                          target.name, name, yaml::join(known),
                          yaml::suggestion(name, known)));
}

} // namespace neurite
