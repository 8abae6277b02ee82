// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Progress.h"

#include <cstdio>
#include <unistd.h>

namespace neurite::session {

Progress::Progress(std::string text)
    : what(std::move(text)), terminal(isatty(STDERR_FILENO)),
      start(std::chrono::steady_clock::now()), last(start) {}

Progress::~Progress() {
  if (shown)
    std::fputs("\r\033[K", stderr);
}

void Progress::show(uint64_t done, uint64_t total) {
  auto now = std::chrono::steady_clock::now();
  if (!terminal || total == 0 ||
      (now - last < std::chrono::milliseconds(100) && done != total))
    return;
  last = now;
  shown = true;
  double elapsed = std::chrono::duration<double>(now - start).count();
  double left = done ? elapsed * double(total - done) / double(done) : 0;
  std::fprintf(stderr, "\r\033[K%s: %3.0f %% (%llu of %llu), %.0f s left",
               what.c_str(), 100.0 * double(done) / double(total),
               static_cast<unsigned long long>(done),
               static_cast<unsigned long long>(total), left);
}

} // namespace neurite::session
