// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of progress on standard error, where that is a terminal.

#ifndef DENDROLITH_RUNTIME_DRIVER_PROGRESSLINE_H
#define DENDROLITH_RUNTIME_DRIVER_PROGRESSLINE_H

#include <chrono>
#include <cstdint>
#include <string>

namespace dendrolith::driver {

/// The line goes when this does. Elsewhere than on a terminal nothing is shown.
class ProgressLine {
public:
  explicit ProgressLine(std::string work);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Shows done/total and the time left, at most ten times a second.
  void show(uint64_t done, uint64_t total);
  /// Shows a text and the time since the work began, as much of it as the
  /// terminal is wide, at most ten times a second.
  void say(const std::string &text);

private:
  bool isTooSoon() const;
  void write(const std::string &text);

  using Clock = std::chrono::steady_clock;
  std::string work;
  bool terminal, shown = false;
  Clock::time_point start, last;
};

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_PROGRESSLINE_H
