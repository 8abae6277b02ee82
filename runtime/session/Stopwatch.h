// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_RUNTIME_SESSION_STOPWATCH_H
#define DENDROLITH_RUNTIME_SESSION_STOPWATCH_H

#include <chrono>

namespace dendrolith::session {

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

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_STOPWATCH_H
