// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work in a child process: for a library that may crash, hang or swell on a
// hostile file, and for one that can be used only once per process. The child
// is a fork, so it sees all that its parent holds; what it finds out comes back
// as frames (Frames.h). It never outlives its parent.

#ifndef DENDROLITH_RUNTIME_HOST_CHILDPROCESS_H
#define DENDROLITH_RUNTIME_HOST_CHILDPROCESS_H

#include "runtime/host/Frames.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

namespace dendrolith {

/// How a child ended.
struct ProcessEnd {
  int signal = 0;   ///< that killed it, or 0
  int exitCode = 0; ///< where no signal did

  /// The child met ProcessOptions::cpuSeconds.
  bool outOfProcessorTime() const;
  /// "signal 9 (Killed)" or "exit status 3".
  std::string text() const;
};

struct ProcessOptions {
  /// Bytes that the child may use beyond what is mapped at the fork.
  std::optional<uint64_t> memoryBytes = {};
  std::optional<uint32_t> cpuSeconds = {};
  /// How long the parent waits for frames, from the fork on.
  std::optional<std::chrono::milliseconds> wall = {};
  /// Throws away what the child prints: complaints of a library (HDF5's error
  /// stack, the allocator's last words) that are not the user's.
  bool silent = false;
  /// The child's error frame where it has no memory left.
  std::string outOfMemory = "out of memory";
};

class ChildProcess {
public:
  /// What the child does. The stream is ended after it, with the message of an
  /// exception that it throws as an error frame.
  using Work = std::function<void(FrameWriter &)>;

  /// Forks. Throws Error that begins with `place` where the system has no pipe
  /// or no process left. Descriptors 0 to 2 may be closed in the parent: none
  /// of them is taken for the pipe.
  ChildProcess(const std::string &place, const Work &work,
               const ProcessOptions &options = {});
  /// Kills the child if it has not been waited for: nobody wants its result.
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  FrameReader &frames() { return reader; }
  /// The descriptor of the pipe that carries frames, for poll(): a frame is
  /// there, or the child ended.
  int descriptor() const { return fd; }
  /// Nobody wants its result any more; wait() says how it ended all the same.
  void kill();
  /// Closes the pipe, at which a child that still writes ends, and waits.
  ProcessEnd wait();

private:
  int fd = -1;
  pid_t pid = -1;
  FrameReader reader;
  ProcessEnd ended;
};

/// When a process of this machine began, in ticks since the machine did:
/// another one that is given the same number began at another time. "" where
/// there is none, or only what is left of one that nobody has waited for.
std::string beginOf(int64_t pid);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_CHILDPROCESS_H
