// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads files that somebody else wrote: only regular ones, because a device or
// pipe might never end, and no larger ones than the caller expects.

#ifndef DENDROLITH_TARGETS_SUPPORT_INPUTFILE_H
#define DENDROLITH_TARGETS_SUPPORT_INPUTFILE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace dendrolith {

/// A regular file, read from its beginning on or where it is needed.
class InputFile {
public:
  /// Throws Error when the file is missing, a directory or device, unreadable,
  /// or larger than `limit` bytes.
  InputFile(const std::string &path, uint64_t limit);
  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  const std::string &name() const { return path; }
  uint64_t size() const { return length; } // bytes
  /// Reads the next bytes: as many as there is room for, or all that are left.
  /// Throws Error when the file became shorter.
  size_t read(char *into, size_t room);
  /// Reads `count` bytes from `offset` on, wherever read() is.
  void readAt(uint64_t offset, char *into, size_t count) const;

private:
  const std::string path;
  int descriptor;
  uint64_t length = 0, left = 0;
};

/// Throws Error that says what failed with `path`, and why by errno.
[[noreturn]] void failWithErrno(const std::string &path, const char *what);

/// Reads a regular file of at most `limit` bytes. Throws Error as InputFile
/// does.
std::string readFile(const std::string &path, uint64_t limit);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_INPUTFILE_H
