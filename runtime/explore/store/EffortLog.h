// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What points took, a line for each, in a file of the process that measured
// them. A line that was cut short is none.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STORE_EFFORTLOG_H
#define DENDROLITH_RUNTIME_EXPLORE_STORE_EFFORTLOG_H

#include "runtime/explore/point/Point.h"

#include <string>
#include <unordered_map>

namespace dendrolith::explore {

class EffortLog {
public:
  /// Nothing is made before the first add().
  explicit EffortLog(std::string store);
  ~EffortLog();
  EffortLog(const EffortLog &) = delete;
  EffortLog &operator=(const EffortLog &) = delete;

  /// Throws Error.
  void add(const std::string &key, const Effort &effort);

private:
  std::string path;
  int file = -1;
};

/// By key; of several lines about a point one is taken.
std::unordered_map<std::string, Effort> readEfforts(const std::string &store);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STORE_EFFORTLOG_H
