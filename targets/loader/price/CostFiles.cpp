// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/price/CostFiles.h"

#include "targets/loader/files/Discovery.h"
#include "targets/loader/files/Override.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace dendrolith {

namespace fs = std::filesystem;

/// Where the cost tables of a target lie. A target read back from a program
/// has no file, so its name is looked up; so is the target it borrows from.
static std::vector<std::string> costDirs(const Chip &target) {
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

std::string costFile(const Chip &target, const std::string &name) {
  std::error_code error;
  for (const std::string &dir : costDirs(target)) {
    std::string path = dir + "/costs-" + name + ".yaml";
    if (fs::exists(path, error))
      return path;
  }
  return "";
}

std::vector<std::string> listCostTables(const Chip &target) {
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

std::pair<std::string, std::string> splitPriceKey(const Chip &target,
                                                  const std::string &key) {
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
                            joinWords(known)));
  return best;
}

std::string priceOf(const Chip &target, const std::string &key) {
  auto [name, event] = splitPriceKey(target, key);
  const std::string path = costFile(target, name);
  yaml::Node table = yaml::parse(yaml::readFile(path), path);
  return yaml::replacePrice(table, event, "unpriced");
}

} // namespace dendrolith
