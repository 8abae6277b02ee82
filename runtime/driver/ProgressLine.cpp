// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/ProgressLine.h"

#include <fmt/format.h>

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace dendrolith::driver {
namespace {

/// Characters of a line of the terminal.
size_t width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
    return 80;
  return size.ws_col;
}

} // namespace

ProgressLine::ProgressLine(std::string work)
    : work(std::move(work)), terminal(isatty(STDERR_FILENO)),
      start(Clock::now()), last(start) {}

ProgressLine::~ProgressLine() {
  if (shown)
    std::fputs("\r\033[K", stderr);
}

bool ProgressLine::isTooSoon() const {
  return Clock::now() - last < std::chrono::milliseconds(100);
}

void ProgressLine::write(const std::string &text) {
  last = Clock::now();
  shown = true;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

void ProgressLine::show(uint64_t done, uint64_t total) {
  if (!terminal || total == 0 || (isTooSoon() && done != total))
    return;
  const double elapsed =
      std::chrono::duration<double>(Clock::now() - start).count();
  const double left = done ? elapsed * double(total - done) / double(done) : 0;
  write(fmt::format("{}: {:3.0f} % ({} of {}), {:.0f} s left", work,
                    100.0 * double(done) / double(total), done, total, left));
}

void ProgressLine::say(const std::string &text) {
  if (!terminal || isTooSoon())
    return;
  const double elapsed =
      std::chrono::duration<double>(Clock::now() - start).count();
  write(fmt::format("{}, {:.0f} s: {}", work, elapsed, text)
            .substr(0, width() - 1));
}

} // namespace dendrolith::driver
