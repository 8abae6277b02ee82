// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Terminal.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <unistd.h>

namespace neurite::driver {
namespace {

using Clock = std::chrono::steady_clock;

/// One line of progress, cleared at the end.
class ProgressLine {
public:
  explicit ProgressLine(std::string work)
      : work(std::move(work)), terminal(isatty(STDERR_FILENO)),
        start(Clock::now()), last(start) {}
  ~ProgressLine() {
    if (shown)
      std::fputs("\r\033[K", stderr);
  }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Shows done/total and the time left, at most ten times a second.
  void show(uint64_t done, uint64_t total) {
    auto now = Clock::now();
    if (!terminal || total == 0 ||
        (now - last < std::chrono::milliseconds(100) && done != total))
      return;
    last = now;
    shown = true;
    double elapsed = std::chrono::duration<double>(now - start).count();
    double left = done ? elapsed * double(total - done) / double(done) : 0;
    std::fprintf(stderr, "\r\033[K%s: %3.0f %% (%llu of %llu), %.0f s left",
                 work.c_str(), 100.0 * double(done) / double(total),
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(total), left);
  }

private:
  std::string work;
  bool terminal, shown = false;
  Clock::time_point start, last;
};

} // namespace

session::Listener terminal() {
  session::Listener listener;
  listener.onWarning = [](const Warning &warning) {
    std::fprintf(stderr, "warning: %s\n", lineOf(warning).c_str());
  };
  listener.onFinding = [](const std::string &line) {
    std::printf("%s\n", line.c_str());
  };
  listener.onWork = [](const std::string &work) -> session::Progress {
    auto line = std::make_shared<ProgressLine>(work);
    return [line](uint64_t done, uint64_t total) { line->show(done, total); };
  };
  return listener;
}

} // namespace neurite::driver
