// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/InputFile.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace dendrolith;

void dendrolith::failWithErrno(const std::string &path, const char *what) {
  throw Error(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

InputFile::InputFile(const std::string &path, uint64_t limit)
    : path(path),
      // Without O_NONBLOCK, opening a pipe nobody writes to would hang.
      descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor < 0)
    failWithErrno(path, "cannot open");
  try {
    struct stat status;
    if (::fstat(descriptor, &status) != 0)
      failWithErrno(path, "cannot read");
    if (!S_ISREG(status.st_mode))
      throw Error(fmt::format("{}: expected a regular file, found {}", path,
                              S_ISDIR(status.st_mode) ? "a directory"
                                                      : "a device or pipe"));
    length = left = static_cast<uint64_t>(status.st_size);
    if (length > limit)
      throw Error(fmt::format("{}: expected at most {} bytes, found {}", path,
                              limit, length));
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

InputFile::~InputFile() { ::close(descriptor); }

size_t InputFile::read(char *into, size_t room) {
  const size_t count = std::min<uint64_t>(room, left);
  readAt(length - left, into, count);
  left -= count;
  return count;
}

void InputFile::readAt(uint64_t offset, char *into, size_t count) const {
  for (size_t done = 0; done < count;) {
    ssize_t got = ::pread(descriptor, into + done, count - done,
                          static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      failWithErrno(path, "cannot read");
    if (got == 0)
      throw Error(fmt::format("{}: became shorter while it was read", path));
    done += static_cast<size_t>(got);
  }
}

std::string dendrolith::readFile(const std::string &path, uint64_t limit) {
  InputFile file(path, limit);
  std::string bytes;
  withMemoryFor(path, [&] { bytes.resize(file.size()); });
  file.read(bytes.data(), bytes.size());
  return bytes;
}
