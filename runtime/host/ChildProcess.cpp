// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/ChildProcess.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dendrolith {
namespace {

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

uint64_t mappedBytes() {
  uint64_t pages = 0;
  if (FILE *statm = std::fopen("/proc/self/statm", "r")) {
    unsigned long value = 0;
    if (std::fscanf(statm, "%lu", &value) == 1)
      pages = value;
    std::fclose(statm);
  }
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource_t resource, uint64_t value) {
  rlimit now;
  if (::getrlimit(resource, &now) != 0)
    return;
  // The hard limit stays above the soft one, so that a child out of processor
  // time dies of SIGXCPU and can be told from one that was killed.
  now.rlim_cur = std::min({rlim_t(value), now.rlim_cur, now.rlim_max});
  ::setrlimit(resource, &now);
}

void setLimits(const ProcessOptions &options) {
  if (options.memoryBytes || options.cpuSeconds)
    limit(RLIMIT_CORE, 0); // it is expected to die, and its parent says why
  if (options.cpuSeconds)
    limit(RLIMIT_CPU, *options.cpuSeconds);
  if (options.memoryBytes)
    limit(RLIMIT_AS, mappedBytes() + *options.memoryBytes);
}

void beSilent() {
  int null = ::open("/dev/null", O_RDWR);
  if (null < 0)
    return;
  ::dup2(null, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  if (null > STDERR_FILENO)
    ::close(null);
}

/// Never returns: the child's copies of the caller's objects must not be
/// destroyed, nor its buffers flushed a second time.
[[noreturn]] void runChild(int fd, pid_t parent, const ChildProcess::Work &work,
                           const ProcessOptions &options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(1);               // it died before the line above
  ::signal(SIGPIPE, SIG_IGN); // a write says that nobody listens
  if (options.silent)
    beSilent();
  setLimits(options);
  FrameWriter out(fd);
  try {
    work(out);
    out.end();
  } catch (const std::bad_alloc &) {
    out.error(options.outOfMemory);
  } catch (const std::exception &error) {
    out.error(error.what());
  } catch (...) {
    out.error("unknown exception");
  }
  ::_exit(0);
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

[[noreturn]] void refuse(const std::string &place, const char *what,
                         int error) {
  throw Error(fmt::format("{}: no {} for a child process: {}", place, what,
                          std::strerror(error)));
}

/// An end of a pipe behind the standard descriptors. Where one of those is
/// closed, pipe() hands it out, and whatever prints would write into it.
int aboveStandard(int fd) {
  if (fd > STDERR_FILENO)
    return fd;
  int higher = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int error = errno;
  ::close(fd);
  errno = error;
  return higher;
}

struct Pipe {
  int read = -1, write = -1;
};

Pipe makePipe(const std::string &place) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    refuse(place, "pipe", errno);
  Pipe pipe;
  pipe.read = aboveStandard(ends[0]);
  int error = errno;
  pipe.write = aboveStandard(ends[1]);
  if (pipe.read < 0 || pipe.write < 0) {
    error = pipe.read < 0 ? error : errno;
    for (int fd : {pipe.read, pipe.write})
      if (fd >= 0)
        ::close(fd);
    refuse(place, "pipe", error);
  }
  return pipe;
}

std::optional<FrameReader::Clock::time_point>
deadlineOf(const ProcessOptions &options) {
  if (!options.wall)
    return std::nullopt;
  return FrameReader::Clock::now() + *options.wall;
}

} // namespace

bool ProcessEnd::outOfProcessorTime() const { return signal == SIGXCPU; }

std::string ProcessEnd::text() const {
  if (signal != 0)
    return fmt::format("signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exit status {}", exitCode);
}

ChildProcess::ChildProcess(const std::string &place, const Work &work,
                           const ProcessOptions &options)
    : reader(-1, std::nullopt) {
  Pipe pipe = makePipe(place);
  std::fflush(nullptr); // else the child would write the same text again
  const pid_t parent = ::getpid();
  reader = FrameReader(pipe.read, deadlineOf(options));
  pid = ::fork();
  if (pid == 0) {
    ::close(pipe.read);
    runChild(pipe.write, parent, work, options);
  }
  int error = errno;
  ::close(pipe.write);
  fd = pipe.read;
  if (pid < 0) {
    ::close(fd);
    refuse(place, "process", error);
  }
}

ChildProcess::~ChildProcess() {
  kill();
  wait();
}

void ChildProcess::kill() {
  if (pid > 0)
    ::kill(pid, SIGKILL);
}

ProcessEnd ChildProcess::wait() {
  if (pid <= 0)
    return ended;
  ::close(fd);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  pid = -1;
  if (WIFSIGNALED(status))
    ended.signal = WTERMSIG(status);
  else
    ended.exitCode = WEXITSTATUS(status);
  return ended;
}

} // namespace dendrolith

std::string dendrolith::beginOf(int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  // The name in brackets may hold anything. Behind it come the state and, as
  // the 20th field, the begin.
  const size_t name = text.rfind(')');
  if (name == std::string::npos)
    return "";
  std::istringstream fields(text.substr(name + 1));
  std::string field;
  for (int i = 0; i < 20; ++i) {
    fields >> field;
    if (i == 0 && (field == "Z" || field == "X"))
      return "";
  }
  return field;
}
