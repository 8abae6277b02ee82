// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/files/Discovery.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace dendrolith {

namespace fs = std::filesystem;

bool isPath(const std::string &nameOrPath) {
  const std::string ending = ".yaml";
  return nameOrPath.find('/') != std::string::npos ||
         (nameOrPath.size() > ending.size() &&
          nameOrPath.compare(nameOrPath.size() - ending.size(), ending.size(),
                             ending) == 0);
}

bool isName(const std::string &name) {
  return !name.empty() && name.size() <= 100 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '_' || c == '.';
         });
}

std::vector<std::string> ownDirs() {
  const char *value = std::getenv("DENDROLITH_TARGETS");
  const std::string text = value ? value : "";
  std::vector<std::string> dirs;
  std::error_code error;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(':', at), text.size());
    std::string dir = text.substr(at, end - at);
    at = end + 1;
    if (dir.empty())
      continue;
    if (!fs::is_directory(dir, error))
      throw Error("DENDROLITH_TARGETS: '" + dir +
                  "' is no folder, expected folders separated by ':'");
    dirs.push_back(dir);
  }
  return dirs;
}

std::string shippedDir(const std::string &name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path dir =
      program.parent_path().parent_path() / "share" / "dendrolith" / name;
  return !error && fs::is_directory(dir, error)
             ? fs::weakly_canonical(dir, error).string()
             : "";
}

std::vector<std::string> searchDirs() {
  std::vector<std::string> dirs = ownDirs();
  const std::string shipped = shippedDir("targets");
  if (!shipped.empty() &&
      std::find(dirs.begin(), dirs.end(), shipped) == dirs.end())
    dirs.push_back(shipped);
  return dirs;
}

std::vector<std::string> targetsIn(const std::string &dir) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(dir, error))
    if (fs::exists(entry.path() / "chip.yaml", error))
      names.push_back(entry.path().filename().string());
  return names;
}

std::vector<std::string> listTargets() {
  std::vector<std::string> names;
  for (const std::string &dir : searchDirs())
    for (std::string &name : targetsIn(dir))
      names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string findTarget(const std::string &name, const std::string &beside) {
  if (!isName(name))
    return "";
  std::vector<std::string> dirs = searchDirs();
  std::error_code error;
  if (fs::exists(beside, error))
    dirs.insert(dirs.begin(),
                (fs::absolute(beside, error).parent_path() / "..").string());
  for (const std::string &dir : dirs) {
    std::string path = dir + "/" + name + "/chip.yaml";
    // A chip may vary another of its own name.
    if (fs::exists(path, error) && !fs::equivalent(path, beside, error))
      return path;
  }
  return "";
}

} // namespace dendrolith
