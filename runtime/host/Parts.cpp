// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Parts.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/syscall.h>
#include <unistd.h>

namespace dendrolith {
namespace {

/// A path to remove. A handler may only read memory that is always there.
struct Slot {
  enum State { Free, Filling, Used };
  std::atomic<State> state{Free};
  Part part = Part::File;
  char path[4096] = "";
};
Slot slots[64];
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

int addPart(const std::string &path, Part part) {
  if (path.size() >= sizeof(Slot::path))
    return -1;
  for (size_t i = 0; i < std::size(slots); ++i) {
    Slot::State free = Slot::Free;
    if (!slots[i].state.compare_exchange_strong(free, Slot::Filling))
      continue;
    slots[i].part = part;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].state = Slot::Used;
    return static_cast<int>(i);
  }
  return -1;
}

void dropPart(int slot) {
  if (slot >= 0)
    slots[slot].state = Slot::Free;
}

void sayOnSignals(const std::string &text, int fd) {
  text.copy(lastWord, std::min(text.size(), sizeof lastWord - 1));
  lastWordTo = fd;
}

void countForSignals(uint64_t number) { lastNumber = number; }

namespace {

constexpr int kDeepest = 16;

/// What getdents64() writes, of which the C library has no type.
struct Entry {
  uint64_t node;
  int64_t next;
  unsigned short size;
  unsigned char type;
  char name[1];
};

void removeTree(int parent, const char *name, int depth);

/// Removes what a folder holds. Nothing here allocates: opendir() would.
void emptyFolder(int folder, int depth) {
  alignas(Entry) char bytes[2048];
  // After a removal the folder is read from its begin again, as what is left
  // may have moved; what cannot be removed ends that.
  for (bool removed = true; removed;) {
    removed = false;
    ::lseek(folder, 0, SEEK_SET);
    for (long size;
         (size = ::syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0;)
      for (long at = 0; at < size;) {
        const auto *entry = reinterpret_cast<const Entry *>(bytes + at);
        at += entry->size;
        const char *name = entry->name;
        if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0)
          continue;
        if (::unlinkat(folder, name, 0) != 0)
          removeTree(folder, name, depth + 1);
        removed |= ::faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
      }
  }
}

void removeTree(int parent, const char *name, int depth) {
  const int folder =
      ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0 && depth < kDeepest)
    emptyFolder(folder, depth);
  if (folder >= 0)
    ::close(folder);
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

void removeSlot(const Slot &slot) {
  if (slot.part == Part::File)
    ::unlink(slot.path);
  else if (slot.part == Part::Folder)
    ::rmdir(slot.path);
  else
    removeTree(AT_FDCWD, slot.path, 0);
}

extern "C" void removeParts(int signal) {
  const int error = errno;
  if (owner == ::getpid()) {
    if (lastWordTo >= 0 &&
        ::write(lastWordTo, lastWord, std::strlen(lastWord)) >= 0)
      writeNumber(lastWordTo, lastNumber);
    for (const Slot &slot : slots)
      if (slot.state == Slot::Used && slot.part == Part::File)
        removeSlot(slot);
    // Folders were made from the outside in.
    for (size_t i = std::size(slots); i-- > 0;)
      if (slots[i].state == Slot::Used && slots[i].part != Part::File)
        removeSlot(slots[i]);
  }
  errno = error;
  ::raise(signal); // SA_RESETHAND: as if nobody had caught it
}

} // namespace

void setSignals() {
  owner = ::getpid();
  for (int signal : {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM}) {
    struct sigaction now{};
    // Whoever started this process may want it to ignore a signal (nohup).
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN)
      continue;
    now = {};
    now.sa_handler = removeParts;
    now.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    ::sigaction(signal, &now, nullptr);
  }
  // write() then says that the file is too large, as on a full disk.
  ::signal(SIGXFSZ, SIG_IGN);
}

} // namespace dendrolith
