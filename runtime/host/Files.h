// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that appear whole or not at all: written beside their final place and
// renamed when complete, removed when anything goes wrong before that.

#ifndef NEURITE_RUNTIME_HOST_FILES_H
#define NEURITE_RUNTIME_HOST_FILES_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neurite {

/// A regular file, read from its beginning on or where it is needed.
class InputFile {
public:
  /// Throws Error: missing, a directory or device, unreadable, more than
  /// `limit` bytes.
  InputFile(const std::string &path, uint64_t limit);
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  const std::string &name() const { return path; }
  uint64_t size() const { return length; } // bytes
  /// The next bytes: as many as there is room for, or all that are left. Throws
  /// Error when the file became shorter.
  size_t read(char *into, size_t room);
  /// `count` bytes from `offset` on, wherever read() is.
  void readAt(uint64_t offset, char *into, size_t count) const;

private:
  const std::string path;
  int descriptor;
  uint64_t length = 0, left = 0;
};

/// The bytes of a regular file of at most `limit` bytes. Throws Error: missing,
/// a directory or device, unreadable, too large.
std::string readFile(const std::string &path, uint64_t limit);

/// Its SHA-256 (targets/support/Sha256.h), piece by piece.
std::string sha256OfFile(const std::string &path, uint64_t limit);

/// A file under construction. Lives in the directory of `path` under a
/// temporary name until commit(); the destructor removes it otherwise.
class AtomicFile {
public:
  /// Creates the temporary file. Throws Error when the directory is missing or
  /// not writable, or when `path` is something other than a regular file.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;

  void write(std::string_view bytes);
  /// Closes and renames. Throws Error (disk full, ...), leaving no file.
  void commit();

private:
  friend class OutputDirectory;
  void close();
  std::string path, temporary; // temporary empty = committed or moved from
  int descriptor = -1;
};

/// AtomicFile, write, commit.
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

  /// Writes `name` (no '/') aside.
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
