// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who works on which shard: a small file for each, made by the first who comes.
// This works on network file systems, as only one of two processes that make a
// file at once may succeed.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_CLAIMS_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_CLAIMS_H

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// The claims of one process. A claim ends when it is released or when its
/// process is dead on this machine. It also ends when it was not renewed for
/// the length of a lease, by the clock of the file system. Two processes may,
/// if hardly ever, take over one claim at once: both then measure the same
/// points, with the same outcome.
class Claims {
public:
  explicit Claims(std::string store,
                  std::chrono::seconds lease = std::chrono::seconds(60));
  /// Releases what is left.
  ~Claims();
  Claims(const Claims &) = delete;
  Claims &operator=(const Claims &) = delete;

  /// False where another process has it. Throws Error where no file can be
  /// made.
  bool take(uint64_t shard);
  void release(uint64_t shard);
  /// To be called more often than a lease is long; returns at once where it is
  /// too early.
  void renew();

  /// "host.pid" of everybody who has a claim that has not ended.
  std::vector<std::string> others() const;

private:
  std::string pathOf(uint64_t shard) const;
  bool make(const std::string &path) const;
  bool hasEnded(const std::string &path, std::string &owner) const;
  int64_t now() const;

  std::string folder, self;
  std::chrono::seconds lease;
  std::chrono::steady_clock::time_point renewed;
  std::set<uint64_t> mine;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_CLAIMS_H
