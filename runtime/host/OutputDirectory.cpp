// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/OutputDirectory.h"

#include "runtime/host/Parts.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace dendrolith {

namespace {

/// The lock of a directory, which ends with the process, whatever ends it; -1
/// where there is none to be had: the directory is gone, unreadable, or its
/// file system knows no locks. `taken` says that somebody else has it.
int lockOf(const std::string &path, bool &taken) {
  const int file = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  taken = file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0 &&
          errno == EWOULDBLOCK;
  if (taken)
    ::close(file);
  return taken ? -1 : file;
}

/// Whether the path still names the directory that is open: whoever made it
/// may have removed it before it was locked here.
bool isAt(const std::string &path, int file) {
  struct stat opened, named;
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

std::vector<std::string> missingOf(const std::string &path) {
  std::vector<std::string> missing;
  std::error_code ignored;
  for (std::filesystem::path at(path);
       !at.empty() && !std::filesystem::exists(at, ignored);
       at = at.parent_path())
    if (at.has_filename()) // "a/b/" names b twice
      missing.push_back(at.string());
  std::reverse(missing.begin(), missing.end());
  return missing;
}

} // namespace

OutputDirectory::OutputDirectory(std::string directory,
                                 std::vector<std::string> mayHold)
    : path(std::move(directory)), names(std::move(mayHold)) {
  if (path.empty())
    throw Error("'': expected a directory name to write to");
  try {
    makeAndLock();
    checkFiles();
  } catch (const Error &) {
    removeCreated();
    throw;
  }
  // A signal takes them along only from here on: before, another run may have
  // locked them.
  for (const std::string &part : created)
    slots.push_back(addPart(part, Part::Folder));
  removeParts();
}

void OutputDirectory::makeAndLock() {
  // Each turn that ends without the directory is one in which another run
  // removed what it had made.
  for (int turn = 0; turn < 1000; ++turn) {
    if (!makeDirectories())
      continue;
    checkDirectory();
    bool taken = false;
    lock = lockOf(path, taken);
    if (taken)
      throw Error(fmt::format("{}: another run writes into this directory; "
                              "wait for it or choose another one",
                              path));
    if (lock < 0 && errno != ENOENT)
      return; // without a lock
    if (lock >= 0 && isAt(path, lock))
      return;
    closeLock();
  }
  errno = ENOENT;
  failWithErrno(path, "cannot write");
}

bool OutputDirectory::makeDirectories() {
  for (const std::string &part : missingOf(path)) {
    if (::mkdir(part.c_str(), 0777) == 0) {
      if (std::find(created.begin(), created.end(), part) == created.end())
        created.push_back(part);
    } else if (errno == ENOENT) {
      return false;
    } else if (errno != EEXIST) {
      failWithErrno(part, "cannot create the directory");
    }
  }
  return true;
}

void OutputDirectory::checkDirectory() const {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT)
      failWithErrno(path, "cannot write");
    return; // gone again, or a link to nothing
  }
  if (!S_ISDIR(status.st_mode))
    throw Error(fmt::format("{}: expected a directory, found a file", path));
  if (::access(path.c_str(), W_OK | X_OK) != 0 && errno != ENOENT)
    failWithErrno(path, "cannot write into the directory");
}

/// What cannot be replaced, or should not be, fails before the work, too.
void OutputDirectory::checkFiles() const {
  struct stat status;
  const std::filesystem::path folder(path);
  std::error_code ignored;
  const bool result = std::filesystem::exists(folder / names.back(), ignored);
  for (const std::string &name : names) {
    const std::string file = (folder / name).string();
    if (::stat(file.c_str(), &status) != 0)
      continue;
    if (!S_ISREG(status.st_mode))
      throw Error(fmt::format(
          "{}: cannot write: expected a regular file or no file, found {}",
          file, S_ISDIR(status.st_mode) ? "a directory" : "a device or pipe"));
    if (!result)
      throw Error(fmt::format(
          "{}: this file is of no result, as there is no {} beside it, and "
          "would be replaced or removed; choose another directory, or remove "
          "the file",
          file, names.back()));
  }
}

/// Whoever was killed may have left files under construction. With the lock
/// they are nobody's.
void OutputDirectory::removeParts() const {
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator(path, ignored)) {
    const std::string file = entry.path().filename().string();
    for (const std::string &name : names)
      if (file.rfind("." + name + ".", 0) == 0 &&
          entry.path().extension() == ".part")
        ::unlink(entry.path().c_str());
  }
}

void OutputDirectory::closeLock() {
  if (lock >= 0)
    ::close(std::exchange(lock, -1));
}

/// Directories that hold files stay, and those in which another run has begun:
/// a directory goes only under its lock.
void OutputDirectory::removeCreated() {
  for (auto it = created.rbegin(); it != created.rend(); ++it) {
    if (lock >= 0 && isAt(*it, lock)) {
      ::rmdir(it->c_str());
      continue;
    }
    bool taken = false;
    const int own = lockOf(*it, taken);
    if (!taken)
      ::rmdir(it->c_str());
    if (own >= 0)
      ::close(own);
  }
  for (int slot : slots)
    dropPart(slot);
  closeLock();
}

OutputDirectory::~OutputDirectory() {
  files.clear();
  removeCreated();
}

AtomicFile OutputDirectory::begin(const std::string &name) const {
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error(fmt::format("'{}' is no file of a result", name));
  return AtomicFile((std::filesystem::path(path) / name).string());
}

int OutputDirectory::open(const std::string &name, std::string_view bytes) {
  AtomicFile file = begin(name);
  file.write(bytes);
  const int descriptor = ::fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    failWithErrno(file.path, "cannot write");
  files.push_back(std::move(file));
  return descriptor;
}

std::optional<std::string>
OutputDirectory::digest(const std::string &name) const {
  const std::string wanted = (std::filesystem::path(path) / name).string();
  for (const AtomicFile &file : files)
    if (file.path == wanted)
      return sha256OfFile(file.temporary, UINT64_MAX);
  return std::nullopt;
}

void OutputDirectory::write(const std::string &name, const Content &content) {
  AtomicFile file = begin(name);
  content([&](std::string_view bytes) { file.write(bytes); });
  file.close();
  files.push_back(std::move(file));
}

void OutputDirectory::write(const std::string &name, std::string_view bytes) {
  write(name, [&](const ByteSink &sink) { sink(bytes); });
}

void OutputDirectory::commit() {
  if (files.empty())
    return;
  if (::unlink(files.back().path.c_str()) != 0 && errno != ENOENT)
    failWithErrno(files.back().path, "cannot replace");
  for (const std::string &name : names) {
    const std::string old = (std::filesystem::path(path) / name).string();
    bool again =
        std::any_of(files.begin(), files.end(),
                    [&](const AtomicFile &file) { return file.path == old; });
    if (!again && ::unlink(old.c_str()) != 0 && errno != ENOENT)
      failWithErrno(old, "cannot remove a file of the result before");
  }
  for (AtomicFile &file : files)
    file.commit();
  files.clear();
}

} // namespace dendrolith
