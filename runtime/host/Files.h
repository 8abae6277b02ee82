// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes files that appear whole or not at all: they are written beside their
// final place, renamed when they are complete, and removed when anything goes
// wrong before that.

#ifndef NEURITE_RUNTIME_HOST_FILES_H
#define NEURITE_RUNTIME_HOST_FILES_H

#include "targets/support/InputFile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neurite {

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
  /// Closes and renames the file. Throws Error (disk full, ...) and leaves no
  /// file then.
  void commit();

private:
  friend class OutputDirectory;
  void close();
  std::string path, temporary; // `temporary` is empty after commit and move
  int descriptor = -1;
};

/// Writes one AtomicFile and commits it.
void writeAside(const std::string &path, std::string_view bytes);

/// The directory of `--out`: its files appear together at commit().
class OutputDirectory {
public:
  /// Creates the directory (and its parents) if needed, so that a bad path
  /// fails before the work and not after it.
  explicit OutputDirectory(std::string path);
  /// Without commit(): removes what was written aside, and the directories
  /// the constructor made if they are still empty.
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory &) = delete;
  OutputDirectory &operator=(const OutputDirectory &) = delete;

  /// Writes a file aside; its name has no '/'.
  void write(const std::string &name, std::string_view bytes);
  /// Renames all files, in the order written. The last one marks the others as
  /// complete: an older one goes first, so that whatever interrupts this leaves
  /// no mark beside a mixture of old and new.
  void commit();

private:
  std::string path;
  std::vector<std::string> created; // directories made, outermost first
  std::vector<AtomicFile> files;
};

} // namespace neurite

#endif // NEURITE_RUNTIME_HOST_FILES_H
