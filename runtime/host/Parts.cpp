// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Parts.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <unistd.h>

namespace dendrolith {
namespace {

/// A path to remove. A handler may only read memory that is always there.
struct Part {
  enum State { Free, Filling, Used };
  std::atomic<State> state{Free};
  bool directory = false;
  char path[4096] = "";
};
Part parts[64];
std::atomic<pid_t> owner{0};

/// The last word, of which there is one at most.
char lastWord[256] = "";
std::atomic<int> lastWordTo{-1};
std::atomic<uint64_t> lastNumber{0};

/// Formats a number, as a handler may call next to nothing.
void writeNumber(int fd, uint64_t number) {
  char text[24];
  size_t at = sizeof text;
  text[--at] = '\n';
  do
    text[--at] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  if (::write(fd, text + at, sizeof text - at) < 0)
    return; // there is nobody to tell
}

} // namespace

int addPart(const std::string &path, bool directory) {
  if (path.size() >= sizeof(Part::path))
    return -1;
  for (size_t i = 0; i < std::size(parts); ++i) {
    Part::State free = Part::Free;
    if (!parts[i].state.compare_exchange_strong(free, Part::Filling))
      continue;
    parts[i].directory = directory;
    std::memcpy(parts[i].path, path.c_str(), path.size() + 1);
    parts[i].state = Part::Used;
    return static_cast<int>(i);
  }
  return -1;
}

void dropPart(int slot) {
  if (slot >= 0)
    parts[slot].state = Part::Free;
}

void sayOnSignals(const std::string &text, int fd) {
  text.copy(lastWord, std::min(text.size(), sizeof lastWord - 1));
  lastWordTo = fd;
}

void countForSignals(uint64_t number) { lastNumber = number; }

namespace {

extern "C" void removeParts(int signal) {
  const int error = errno;
  if (owner == ::getpid()) {
    if (lastWordTo >= 0 &&
        ::write(lastWordTo, lastWord, std::strlen(lastWord)) >= 0)
      writeNumber(lastWordTo, lastNumber);
    for (const Part &part : parts)
      if (part.state == Part::Used && !part.directory)
        ::unlink(part.path);
    // They were made from the outside in.
    for (size_t i = std::size(parts); i-- > 0;)
      if (parts[i].state == Part::Used && parts[i].directory)
        ::rmdir(parts[i].path);
  }
  errno = error;
  ::raise(signal); // SA_RESETHAND: as if nobody had caught it
}

} // namespace

void removePartsOnSignals() {
  owner = ::getpid();
  for (int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction now{};
    // Whoever started this process may want it to ignore a signal (nohup).
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN)
      continue;
    now = {};
    now.sa_handler = removeParts;
    now.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(signal, &now, nullptr);
  }
}

} // namespace dendrolith
