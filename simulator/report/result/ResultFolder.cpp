// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/ResultFolder.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <map>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string pathOf(const std::string &folder, const std::string &name) {
  return (std::filesystem::path(folder) / name).string();
}

bool isThere(const std::string &folder, const std::string &name) {
  std::error_code ignored;
  return std::filesystem::exists(pathOf(folder, name), ignored);
}

/// Names by their member of `hashes`: outputs are in one of two files.
std::map<std::string, std::vector<std::string>>
byHash(const std::string &folder, const Json &hashes) {
  std::map<std::string, std::vector<std::string>> names;
  for (const std::string &name : resultFileNames()) {
    const std::string key = hashKey(name);
    if (name == "result.json" || name == "run.json")
      continue;
    if (!hashes.is_object() || !hashes.contains(key))
      throw Error(pathOf(folder, "result.json") + ": hashes: expected '" + key +
                  "', found none");
    names[key].push_back(name);
  }
  return names;
}

} // namespace

std::vector<std::string> resultFileNames() {
  return {"outputs.npy", "outputs.npz", "predicted.npy", "traces.npz",
          "spikes.npz",  "tables.json", "run.json",      "result.json"};
}

std::string hashKey(const std::string &name) {
  return name.substr(0, name.find('.')) + "_sha256";
}

void checkPresent(const std::string &folder, const Json &hashes) {
  for (const auto &[key, names] : byHash(folder, hashes))
    for (const std::string &name : names) {
      if (!isThere(folder, name))
        continue;
      const Json &expected = hashes.at(key);
      const std::string path = pathOf(folder, name);
      const std::string found =
          sha256OfFile(path, std::numeric_limits<uint64_t>::max());
      if (expected.is_null())
        throw Error(fmt::format("{}: the result.json beside it has no such "
                                "file: expected none, found one whose SHA-256 "
                                "is {}; remove it, or run again",
                                path, found));
      if (expected != found)
        throw Error(fmt::format("{}: not the file of the result.json beside "
                                "it: expected SHA-256 {}, found {}; run again",
                                path, printable(expected.dump(), 80), found));
    }
}

void checkComplete(const std::string &folder, const Json &hashes) {
  const auto files = byHash(folder, hashes);
  std::string missing, expected;
  bool isAlone = true;
  for (const auto &[key, names] : files) {
    bool found = false;
    for (const std::string &name : names)
      found |= isThere(folder, name);
    isAlone &= !found;
    if (!found && !hashes.at(key).is_null() && missing.empty()) {
      missing = pathOf(folder, names.front());
      expected = printable(hashes.at(key).dump(), 80);
    }
  }
  if (!missing.empty() && !isAlone)
    throw Error(fmt::format("{}: expected the file with SHA-256 {} of the "
                            "result.json beside it, found none; run again, or "
                            "take --by, which reads only what it needs",
                            missing, expected));
}

} // namespace dendrolith::report
