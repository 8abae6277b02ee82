// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes files that appear whole or not at all: they are written beside their
// final place, renamed when they are complete, and removed when anything goes
// wrong before that.

#ifndef DENDROLITH_RUNTIME_HOST_FILES_H
#define DENDROLITH_RUNTIME_HOST_FILES_H

#include "targets/support/InputFile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

/// The SHA-256 (targets/support/Sha256.h) of a regular file of at most `limit`
/// bytes, which is read piece by piece. Throws Error as readFile() does.
std::string sha256OfFile(const std::string &path, uint64_t limit);

/// A file under construction. It lives in the directory of `path` under a
/// temporary name until commit(); without one the destructor removes it.
class AtomicFile {
public:
  /// Creates the temporary file. Throws Error when the directory is missing or
  /// not writable, or when `path` is something other than a regular file.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;

  void write(std::string_view bytes);
  /// Waits until the disk has what was written. Throws Error.
  void sync();
  /// Closes and renames the file. Throws Error (disk full, ...) and leaves no
  /// file then.
  void commit();

private:
  friend class OutputDirectory;
  void close();
  std::string path, temporary; // `temporary` is empty after commit and move
  int descriptor = -1;
  int slot = -1; // for a signal
};

/// Writes one AtomicFile and commits it.
void writeAside(const std::string &path, std::string_view bytes);

/// Makes a folder, and those above it, where they are not there. Throws Error.
void makeFolder(const std::string &path);

/// Waits until the disk has the names in a folder. Throws Error.
void syncFolder(const std::string &path);

/// Waits until the disk has everything of the file system that a folder is on:
/// sooner done than a wait for each of many files. Throws Error.
void syncFileSystem(const std::string &path);

/// "host.pid" in the temporary name of an AtomicFile; nothing where the name is
/// of none.
struct FileWriter {
  std::string host;
  int64_t pid = 0;
};
std::optional<FileWriter> writerOf(const std::string &name);

/// The name of this machine, short.
std::string hostName();

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_FILES_H
