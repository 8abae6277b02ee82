// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5 files are untrusted and their library has a history of memory errors:
// it parses them in a child that may crash, hang or swell without harm.

#include "compiler/import/LimitedProcess.h"
#include "compiler/import/hdf5/Walk.h"
#include "targets/support/Error.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace neurite::hdf5 {

/// Looks at the first bytes here, so that a file of another kind is named as
/// what it is. Files that are no regular files could block an open.
static void checkSignature(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    throw Error(
        fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    throw Error(
        fmt::format("{}: not a regular file, expected an HDF5 file", path));
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    throw Error(
        fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  char head[8] = {};
  ssize_t n = ::pread(fd, head, sizeof head, 0);
  ::close(fd);
  auto starts = [&](const char *magic, ssize_t size) {
    return n >= size && std::memcmp(head, magic, size) == 0;
  };
  if (starts("\211HDF\r\n\032\n", 8))
    return;
  std::string found = "another kind of file";
  if (n == 0)
    found = "an empty file";
  else if (starts("PK\003\004", 4))
    found = "a zip archive (torch.save and numpy .npz write these)";
  else if (n >= 2 && head[0] == '\200' && head[1] >= 2 && head[1] <= 5)
    found = "a python pickle";
  throw Error(fmt::format("{}: expected an HDF5 file, found {}; write the "
                          "network with nir.write (.nir) or lava-dl's "
                          "export_hdf5 (.net)",
                          path, found));
}

[[noreturn]] static void runChild(int fd, const std::string &path,
                                  const Limits &limits) {
  // Its complaints (HDF5's error stack, the allocator's last words) are not
  // the user's.
  if (int null = ::open("/dev/null", O_RDWR); null >= 0) {
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
  }
  limitProcess(limits.memoryBytes, limits.cpuSeconds);
  FrameWriter out(fd);
  try {
    sendFile(path, limits, out);
    out.end();
  } catch (const std::bad_alloc &) {
    out.error("needs more memory than a network file may");
  } catch (const std::exception &error) {
    out.error(error.what());
  }
  ::_exit(0);
}

namespace {
/// Owns the child: whatever happens, it is killed and waited for.
struct Child {
  pid_t pid;
  int fd;
  int status = 0;
  bool waited = false;
  ~Child() { finish(true); }
  void finish(bool kill) {
    if (waited)
      return;
    ::close(fd);
    if (kill)
      ::kill(pid, SIGKILL);
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    waited = true;
  }
};
} // namespace

static std::string describeDeath(int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return "reading it took more processor time than a network file may";
  if (WIFSIGNALED(status))
    return fmt::format("the HDF5 library died on it (signal {})",
                       WTERMSIG(status));
  return "the HDF5 library gave up on it";
}

Node readFile(const std::string &path, const Limits &limits) {
  checkSignature(path);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(fmt::format("{}: no pipe for the reader: {}", path,
                            std::strerror(errno)));
  pid_t pid = ::fork();
  if (pid < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw Error(fmt::format("{}: no process for the reader: {}", path,
                            std::strerror(errno)));
  }
  if (pid == 0)
    runChild(ends[1], path, limits);
  ::close(ends[1]);
  Child child{pid, ends[0]};
  FrameReader reader(child.fd, FrameReader::Clock::now() +
                                   std::chrono::seconds(limits.wallSeconds));
  std::string reason;
  try {
    Node root = decodeTree(reader, limits);
    child.finish(false);
    return root;
  } catch (const WireFailure &failure) {
    switch (failure.kind) {
    case WireFailure::Kind::Refused:
      throw Error(path + ": " + printable(failure.message, 1000));
    case WireFailure::Kind::TimedOut:
      throw Error(fmt::format("{}: reading it took longer than {} s; the file "
                              "is damaged or too large",
                              path, limits.wallSeconds));
    case WireFailure::Kind::Closed:
      child.finish(false);
      reason = describeDeath(child.status);
      break;
    case WireFailure::Kind::Malformed:
      reason = "the HDF5 library read nonsense from it";
      break;
    case WireFailure::Kind::TooLarge:
      reason = fmt::format("it holds more than {} elements, {} objects or {} "
                           "nested groups",
                           limits.elements, limits.objects, limits.depth);
      break;
    }
  }
  throw Error(
      fmt::format("{}: {}; the file is damaged or too large", path, reason));
}

} // namespace neurite::hdf5
