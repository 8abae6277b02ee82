// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Files.h"

#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace neurite;

[[noreturn]] static void fail(const std::string &path, const char *what) {
  throw Error(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string neurite::sha256OfFile(const std::string &path, uint64_t limit) {
  InputFile file(path, limit);
  std::string piece(size_t(1) << 18, '\0');
  Sha256 sum;
  while (size_t count = file.read(piece.data(), piece.size()))
    sum.add(std::string_view(piece).substr(0, count));
  return sum.digest();
}

//===----------------------------------------------------------------------===//
// AtomicFile
//===----------------------------------------------------------------------===//

/// A name beside `path` that no other process or thread uses.
static std::string temporaryName(const std::string &path, unsigned serial) {
  std::filesystem::path target(path);
  std::string name = fmt::format(".{}.{}.{}.part", target.filename().string(),
                                 ::getpid(), serial);
  return target.has_parent_path() ? (target.parent_path() / name).string()
                                  : name;
}

AtomicFile::AtomicFile(std::string destination) : path(std::move(destination)) {
  static std::atomic<unsigned> nextSerial{0};
  struct stat status;
  if (path.empty() || path.back() == '/')
    throw Error(fmt::format("{}: expected a file name to write to",
                            path.empty() ? "''" : path));
  // A rename would replace a device by a file.
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Error(fmt::format(
        "{}: cannot write: expected a regular file or no "
        "file, found {}",
        path, S_ISDIR(status.st_mode) ? "a directory" : "a device or pipe"));
  do {
    temporary = temporaryName(path, nextSerial++);
    descriptor = ::open(temporary.c_str(),
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) {
    temporary.clear();
    fail(path, "cannot write");
  }
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      descriptor(std::exchange(other.descriptor, -1)) {
  other.temporary.clear();
}

AtomicFile::~AtomicFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail(path, "cannot write");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void AtomicFile::close() {
  // Some file systems report a full disk only here.
  if (descriptor >= 0 && ::close(std::exchange(descriptor, -1)) != 0)
    fail(path, "cannot write");
}

void AtomicFile::commit() {
  close();
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    fail(path, "cannot write");
  temporary.clear();
}

void neurite::writeAside(const std::string &path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

//===----------------------------------------------------------------------===//
// OutputDirectory
//===----------------------------------------------------------------------===//

static void removeIfEmpty(const std::vector<std::string> &directories) {
  for (auto it = directories.rbegin(); it != directories.rend(); ++it)
    ::rmdir(it->c_str());
}

OutputDirectory::OutputDirectory(std::string directory)
    : path(std::move(directory)) {
  if (path.empty())
    throw Error("'': expected a directory name to write to");
  std::vector<std::string> missing;
  std::error_code ignored;
  for (std::filesystem::path at(path);
       !at.empty() && !std::filesystem::exists(at, ignored);
       at = at.parent_path())
    if (at.has_filename()) // "a/b/" names b twice
      missing.push_back(at.string());
  std::reverse(missing.begin(), missing.end());
  for (const std::string &part : missing) {
    if (::mkdir(part.c_str(), 0777) == 0) {
      created.push_back(part);
    } else if (errno != EEXIST) {
      int reason = errno;
      removeIfEmpty(created);
      errno = reason;
      fail(part, "cannot create the directory");
    }
  }
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    fail(path, "cannot write");
  if (!S_ISDIR(status.st_mode))
    throw Error(fmt::format("{}: expected a directory, found a file", path));
  if (::access(path.c_str(), W_OK | X_OK) != 0)
    fail(path, "cannot write into the directory");
}

OutputDirectory::~OutputDirectory() {
  files.clear();
  // Holds files after commit(), and then stays.
  removeIfEmpty(created);
}

void OutputDirectory::write(const std::string &name, std::string_view bytes) {
  if (name.find('/') != std::string::npos)
    throw Error(fmt::format("'{}': expected a file name without '/'", name));
  AtomicFile file((std::filesystem::path(path) / name).string());
  file.write(bytes);
  file.close();
  files.push_back(std::move(file));
}

void OutputDirectory::commit() {
  if (files.size() > 1 && ::unlink(files.back().path.c_str()) != 0 &&
      errno != ENOENT)
    fail(files.back().path, "cannot replace");
  for (AtomicFile &file : files)
    file.commit();
  files.clear();
}
