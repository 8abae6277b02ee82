// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_RUNTIME_SESSION_STOPWATCH_H
#define NEURITE_RUNTIME_SESSION_STOPWATCH_H

#include <chrono>

namespace neurite::session {

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

#endif // NEURITE_RUNTIME_SESSION_STOPWATCH_H
