// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Claims.h"

#include "runtime/host/ChildProcess.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

std::string firstLineOf(const std::string &path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  return text;
}

/// "host pid begin"; what is cut short is alive for the length of its lease.
bool isDead(const std::string &owner) {
  std::istringstream fields(owner);
  std::string host, begin;
  int64_t pid = 0;
  return fields >> host >> pid >> begin && host == hostName() &&
         beginOf(pid) != begin;
}

[[noreturn]] void failWriting(const std::string &path) {
  throw Error(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
}

} // namespace

Claims::Claims(std::string store, std::chrono::seconds length)
    : folder(std::move(store) + "/claims"),
      self(
          fmt::format("{} {} {}", hostName(), ::getpid(), beginOf(::getpid()))),
      lease(length), renewed(std::chrono::steady_clock::now()) {
  makeFolder(folder);
}

Claims::~Claims() {
  while (!mine.empty())
    release(*mine.begin());
  ::unlink(
      fmt::format("{}/.now.{}.{}", folder, hostName(), ::getpid()).c_str());
}

std::string Claims::pathOf(uint64_t shard) const {
  return fmt::format("{}/{:06}", folder, shard);
}

bool Claims::make(const std::string &path) const {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST)
    return false;
  const std::string line = self + "\n";
  const bool good = file >= 0 && ::write(file, line.data(), line.size()) ==
                                     ssize_t(line.size());
  if (!good)
    failWriting(path);
  ::close(file);
  return true;
}

/// The file system's clock may be another one than this machine's.
int64_t Claims::now() const {
  const std::string path =
      fmt::format("{}/.now.{}.{}", folder, hostName(), ::getpid());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  struct stat status;
  const bool good = file >= 0 && ::futimens(file, nullptr) == 0 &&
                    ::fstat(file, &status) == 0;
  if (!good)
    failWriting(path);
  ::close(file);
  return status.st_mtim.tv_sec;
}

bool Claims::hasEnded(const std::string &path, std::string &owner) const {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return false; // it was released just now
  owner = firstLineOf(path);
  return isDead(owner) || now() - status.st_mtim.tv_sec > lease.count();
}

bool Claims::take(uint64_t shard) {
  const std::string path = pathOf(shard);
  if (!make(path)) {
    std::string owner;
    if (!hasEnded(path, owner))
      return false;
    // If several workers see this, one of them removes the file.
    const std::string aside = fmt::format("{}/.ended.{}.{}.{}", folder, shard,
                                          hostName(), ::getpid());
    if (::rename(path.c_str(), aside.c_str()) != 0)
      return false;
    const bool same = firstLineOf(aside) == owner;
    if (!same) // somebody has taken it over before, and works
      ::link(aside.c_str(), path.c_str());
    ::unlink(aside.c_str());
    if (!same || !make(path))
      return false;
  }
  mine.insert(shard);
  return true;
}

void Claims::release(uint64_t shard) {
  if (mine.erase(shard) && firstLineOf(pathOf(shard)) == self)
    ::unlink(pathOf(shard).c_str());
}

void Claims::renew() {
  const auto at = std::chrono::steady_clock::now();
  if (at - renewed < lease / 6)
    return;
  renewed = at;
  for (uint64_t shard : mine)
    ::utimensat(AT_FDCWD, pathOf(shard).c_str(), nullptr, 0);
}

std::vector<std::string> Claims::others() const {
  std::vector<std::string> owners;
  std::error_code ignored;
  for (const auto &entry :
       std::filesystem::directory_iterator(folder, ignored)) {
    std::string owner;
    if (entry.path().filename().string()[0] == '.' ||
        hasEnded(entry.path().string(), owner) || owner == self)
      continue;
    std::istringstream fields(owner);
    std::string host, pid;
    fields >> host >> pid;
    owners.push_back(host + "." + pid);
  }
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  return owners;
}

} // namespace dendrolith::explore
