// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Worker.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace neurite::sim {
namespace {

/// What goes through the pipe: a kind, a length, and so many bytes.
struct Frame {
  enum Kind : uint64_t { ProgressMade = 1, Result, Failure };
  uint64_t kind = 0, length = 0;
};

/// Frames beyond this are not from a worker of ours.
constexpr uint64_t maxLength = uint64_t(1) << 36;

bool writeAll(int fd, const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size) {
    ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    size -= written;
  }
  return true;
}

/// False at the end of the pipe.
bool readAll(int fd, void *data, size_t size) {
  char *bytes = static_cast<char *>(data);
  while (size) {
    ssize_t got = read(fd, bytes, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    bytes += got;
    size -= got;
  }
  return true;
}

bool readFrame(int fd, Frame &frame, std::string &bytes) {
  if (!readAll(fd, &frame, sizeof frame) || frame.length > maxLength)
    return false;
  bytes.clear();
  // In pieces, so that a wrong length cannot ask for memory that no data fills.
  while (bytes.size() < frame.length) {
    size_t piece = std::min<uint64_t>(frame.length - bytes.size(), 1 << 24);
    size_t before = bytes.size();
    bytes.resize(before + piece);
    if (!readAll(fd, bytes.data() + before, piece))
      return false;
  }
  return true;
}

void send(int fd, Frame::Kind kind, const std::string &bytes) {
  Frame frame{kind, bytes.size()};
  if (!writeAll(fd, &frame, sizeof frame) ||
      !writeAll(fd, bytes.data(), bytes.size()))
    _exit(1); // nobody listens any more
}

/// Never returns: the child's copies of the caller's objects must not be
/// destroyed, nor its buffers flushed a second time.
[[noreturn]] void
child(int fd, const std::function<std::string(const Progress &)> &work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  try {
    std::string result = work([fd](uint64_t done, uint64_t total) {
      uint64_t both[2] = {done, total};
      send(fd, Frame::ProgressMade,
           std::string(reinterpret_cast<const char *>(both), sizeof both));
    });
    send(fd, Frame::Result, result);
  } catch (const std::bad_alloc &) {
    send(fd, Frame::Failure, "out of memory; run fewer samples or traces");
  } catch (const std::exception &error) {
    send(fd, Frame::Failure, error.what());
  } catch (...) {
    send(fd, Frame::Failure, "unknown exception in the cycle engine");
  }
  _exit(0);
}

std::string howItEnded(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

} // namespace

std::string inWorker(const std::function<std::string(const Progress &)> &work,
                     const Progress &progress) {
  int pipeEnds[2];
  if (pipe(pipeEnds) != 0)
    throw Error(fmt::format("cycle engine: cannot open a pipe: {}",
                            std::strerror(errno)));
  std::fflush(nullptr); // else the child would write the same text again
  pid_t pid = fork();
  if (pid < 0) {
    int error = errno;
    close(pipeEnds[0]);
    close(pipeEnds[1]);
    throw Error(fmt::format("cycle engine: cannot start a worker process: {}",
                            std::strerror(error)));
  }
  if (pid == 0) {
    close(pipeEnds[0]);
    child(pipeEnds[1], work);
  }
  close(pipeEnds[1]);

  // The child is waited for whatever happens in between.
  struct Reaper {
    int fd;
    pid_t pid;
    int status = 0;
    void reap() {
      if (pid <= 0)
        return;
      close(fd); // a child that still writes meets a closed pipe and ends
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
      pid = 0;
    }
    ~Reaper() {
      if (pid > 0) // the caller gave up: nobody waits for the result
        kill(pid, SIGKILL);
      reap();
    }
  } reaper{pipeEnds[0], pid};

  Frame frame;
  std::string bytes;
  while (readFrame(reaper.fd, frame, bytes)) {
    if (frame.kind == Frame::ProgressMade && bytes.size() == 16) {
      uint64_t both[2];
      std::memcpy(both, bytes.data(), sizeof both);
      if (progress)
        progress(both[0], both[1]);
      continue;
    }
    reaper.reap();
    if (frame.kind == Frame::Failure)
      throw Error(bytes);
    if (frame.kind == Frame::Result)
      return bytes;
    throw Error("cycle engine: the worker process sent something else than "
                "progress and a result");
  }
  reaper.reap();
  throw Error(fmt::format("cycle engine: the worker process ended by {} before "
                          "it had a result",
                          howItEnded(reaper.status)));
}

} // namespace neurite::sim
