// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of progress on a terminal, nothing in a pipe.

#ifndef NEURITE_RUNTIME_SESSION_PROGRESS_H
#define NEURITE_RUNTIME_SESSION_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace neurite::session {

class Progress {
public:
  explicit Progress(std::string what);
  ~Progress(); // clears the line
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Shows done/total and the time left, at most ten times a second.
  void show(uint64_t done, uint64_t total);

private:
  std::string what;
  bool terminal, shown = false;
  std::chrono::steady_clock::time_point start, last;
};

/// Seconds since construction.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_PROGRESS_H
