// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/MemoryLimit.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace dendrolith {
namespace {

/// The files of /proc and of a group have no size to ask for.
std::string textOf(const std::string &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The number after `name` at the beginning of a line.
std::optional<uint64_t> numberAfter(const std::string &text,
                                    const std::string &name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    uint64_t number = 0;
    if (words >> first >> number && first == name)
      return number;
  }
  return std::nullopt;
}

/// Nothing for "max" and for a file that is not there.
std::optional<uint64_t> numberIn(const std::string &text) {
  std::istringstream words(text);
  uint64_t number = 0;
  if (words >> number)
    return number;
  return std::nullopt;
}

} // namespace

std::optional<uint64_t> freeMemoryOf(const std::string &meminfo,
                                     const std::string &max,
                                     const std::string &current,
                                     const std::string &stat) {
  const auto available = numberAfter(meminfo, "MemAvailable:");
  if (!available)
    return std::nullopt;
  uint64_t free =
      1024 * (*available + numberAfter(meminfo, "SwapFree:").value_or(0));
  const auto most = numberIn(max), used = numberIn(current);
  if (most && used) {
    // Pages of files that nobody has touched for a while go first.
    const uint64_t kept =
        *used - std::min(*used, numberAfter(stat, "inactive_file").value_or(0));
    free = std::min(free, *most - std::min(*most, kept));
  }
  return free;
}

std::optional<uint64_t> freeMemory() {
  // "0::/PATH" is the line of version 2.
  std::istringstream groups(textOf("/proc/self/cgroup"));
  std::string group;
  for (std::string line; std::getline(groups, line);)
    if (line.compare(0, 3, "0::") == 0)
      group = "/sys/fs/cgroup" + line.substr(3) + "/memory.";
  return freeMemoryOf(textOf("/proc/meminfo"), textOf(group + "max"),
                      textOf(group + "current"), textOf(group + "stat"));
}

std::optional<uint64_t> limitMemory(unsigned processes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0)
    return std::nullopt;
  // Pages of data are the sixth number.
  std::istringstream sizes(textOf("/proc/self/statm"));
  uint64_t pages = 0;
  for (int i = 0; i < 6; ++i)
    sizes >> pages;
  const auto free = freeMemory();
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (free && sizes) {
    const rlim_t most = pages * page + *free / processes;
    if (limit.rlim_cur == RLIM_INFINITY || most < limit.rlim_cur) {
      limit.rlim_cur = most;
      if (::setrlimit(RLIMIT_DATA, &limit) != 0)
        return std::nullopt;
    }
  }
  if (limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return limit.rlim_cur - std::min<rlim_t>(limit.rlim_cur, pages * page);
}

} // namespace dendrolith
