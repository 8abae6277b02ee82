// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/EffortLog.h"

#include "runtime/host/Files.h"
#include "targets/support/JsonText.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace dendrolith::explore {

using Json = nlohmann::ordered_json;

static std::string folderOf(const std::string &store) {
  return store + "/effort";
}

EffortLog::EffortLog(std::string store)
    : path(fmt::format("{}/{}.{}.jsonl", folderOf(store), hostName(),
                       ::getpid())) {}

EffortLog::~EffortLog() {
  if (file >= 0)
    ::close(file);
}

void EffortLog::add(const std::string &key, const Effort &effort) {
  if (file < 0) {
    makeFolder(std::filesystem::path(path).parent_path().string());
    file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }
  Json stages = Json::array();
  for (const Effort::Stage &stage : effort.stages)
    stages.push_back({stage.name, stage.reused, stage.seconds});
  const std::string line = Json{{"key", key},
                                {"wall_s", effort.wallSeconds},
                                {"peak_bytes", effort.peakBytes},
                                {"stages", stages}}
                               .dump() +
                           "\n";
  if (file < 0 || ::write(file, line.data(), line.size()) !=
                      static_cast<ssize_t>(line.size()))
    throw Error(
        fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
}

std::unordered_map<std::string, Effort> readEfforts(const std::string &store) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto &entry :
       std::filesystem::directory_iterator(folderOf(store), ignored))
    if (entry.path().extension() == ".jsonl")
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::unordered_map<std::string, Effort> efforts;
  for (const std::string &path : paths) {
    std::ifstream lines(path);
    for (std::string line; std::getline(lines, line);) {
      try {
        const Json json = readJson<Json>(line, path);
        Effort effort{json.at("wall_s"), wholeFrom(json.at("peak_bytes")), {}};
        for (const Json &stage : json.at("stages"))
          effort.stages.push_back({stage.at(0), stage.at(1), stage.at(2)});
        efforts[json.at("key")] = std::move(effort);
      } catch (const std::exception &) {
        // Its writer was killed, or the disk was full.
      }
    }
  }
  return efforts;
}

} // namespace dendrolith::explore
