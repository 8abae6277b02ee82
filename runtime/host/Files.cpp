// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Files.h"

#include "runtime/host/Parts.h"

#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <regex>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace dendrolith;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string dendrolith::sha256OfFile(const std::string &path, uint64_t limit) {
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
  std::string name =
      fmt::format(".{}.{}.{}.{}.part", target.filename().string(), hostName(),
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
    dropPart(slot);
    slot = addPart(temporary, Part::File);
    descriptor =
        ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) {
    int reason = errno;
    dropPart(slot);
    temporary.clear();
    errno = reason;
    failWithErrno(path, "cannot write");
  }
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::move(other.temporary)),
      descriptor(std::exchange(other.descriptor, -1)),
      slot(std::exchange(other.slot, -1)) {
  other.temporary.clear();
}

AtomicFile::~AtomicFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
  dropPart(slot);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      failWithErrno(path, "cannot write");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void AtomicFile::sync() {
  if (::fsync(descriptor) != 0)
    failWithErrno(path, "cannot write");
}

void AtomicFile::close() {
  // Some file systems report a full disk only here.
  if (descriptor >= 0 && ::close(std::exchange(descriptor, -1)) != 0)
    failWithErrno(path, "cannot write");
}

void AtomicFile::commit() {
  close();
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    failWithErrno(path, "cannot write");
  temporary.clear();
  dropPart(std::exchange(slot, -1));
}

void dendrolith::writeAside(const std::string &path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void dendrolith::makeFolder(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    throw Error("cannot make '" + path + "': " + error.message());
}

//===----------------------------------------------------------------------===//
// Folders and names
//===----------------------------------------------------------------------===//

template <typename Sync>
static void syncThrough(const std::string &path, const Sync &sync) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool good = folder >= 0 && sync(folder) == 0;
  const int reason = errno;
  if (folder >= 0)
    ::close(folder);
  errno = reason;
  // Some network file systems have nothing to wait for, and say so.
  if (!good && reason != EINVAL)
    failWithErrno(path, "cannot write into the directory");
}

void dendrolith::syncFolder(const std::string &path) {
  syncThrough(path, ::fsync);
}

void dendrolith::syncFileSystem(const std::string &path) {
  syncThrough(path, ::syncfs);
}

std::optional<FileWriter> dendrolith::writerOf(const std::string &name) {
  // ".FILE.HOST.PID.SERIAL.part"; a file may hold dots, a host does not.
  static const std::regex form(R"(\..+\.([^.]+)\.(\d{1,9})\.\d+\.part)");
  std::smatch found;
  if (!std::regex_match(name, found, form))
    return std::nullopt;
  return FileWriter{found[1], std::stoll(found[2])};
}

std::string dendrolith::hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  const std::string whole = name;
  const std::string host = whole.substr(0, whole.find('.'));
  return host.empty() ? "host" : host;
}
