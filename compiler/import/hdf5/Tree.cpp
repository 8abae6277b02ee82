// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5 files are untrusted and their library has a history of memory errors:
// it parses them in a child process that may crash, hang or swell without harm.

#include "compiler/import/hdf5/Tree.h"

#include "compiler/import/hdf5/Walk.h"
#include "compiler/import/hdf5/Wire.h"
#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dendrolith::hdf5 {

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

static std::string describeDeath(const ProcessEnd &end) {
  if (end.outOfProcessorTime())
    return "reading it took more processor time than a network file may";
  if (end.signal)
    return fmt::format("the HDF5 library died on it (signal {})", end.signal);
  return "the HDF5 library gave up on it";
}

Node readFile(const std::string &path, const Limits &limits) {
  checkSignature(path);
  ProcessOptions options;
  options.memoryBytes = limits.memoryBytes;
  options.cpuSeconds = limits.cpuSeconds;
  options.wall = std::chrono::seconds(limits.wallSeconds);
  options.silent = true;
  options.outOfMemory = "needs more memory than a network file may";
  ChildProcess child(
      path, [&](FrameWriter &out) { sendFile(path, limits, out); }, options);
  std::string reason;
  try {
    Node root = decodeTree(child.frames(), limits);
    child.wait();
    return root;
  } catch (const TooLarge &) {
    reason = fmt::format("it holds more than {} elements, {} objects or {} "
                         "nested groups",
                         limits.elements, limits.objects, limits.depth);
  } catch (const FrameFailure &failure) {
    switch (failure.kind) {
    case FrameFailure::Reason::Refused:
      throw Error(path + ": " + printable(failure.message, 1000));
    case FrameFailure::Reason::TimedOut:
      throw Error(fmt::format("{}: reading it took longer than {} s; the file "
                              "is damaged or too large",
                              path, limits.wallSeconds));
    case FrameFailure::Reason::Closed:
      reason = describeDeath(child.wait());
      break;
    case FrameFailure::Reason::Malformed:
      reason = "the HDF5 library read nonsense from it";
      break;
    }
  }
  throw Error(
      fmt::format("{}: {}; the file is damaged or too large", path, reason));
}

} // namespace dendrolith::hdf5
