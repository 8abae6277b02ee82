// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of a result: its files appear together, and replace a result that
// was there as a whole.

#ifndef DENDROLITH_RUNTIME_HOST_OUTPUTDIRECTORY_H
#define DENDROLITH_RUNTIME_HOST_OUTPUTDIRECTORY_H

#include "runtime/host/Content.h"
#include "runtime/host/Files.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

/// The directory of `--out`; its files appear at commit().
class OutputDirectory {
public:
  /// Creates the directory (and its parents) if needed, so that a bad path
  /// fails before the work and not after it. `names` are all files that a
  /// result may have, the mark that it is complete last: where files of these
  /// names lie without a mark they are somebody else's, an Error. While this
  /// object lives, no other one may be made of the same directory, in any
  /// process: two runs cannot mix there.
  OutputDirectory(std::string path, std::vector<std::string> names);
  /// Without commit(): removes what was written aside, and the directories
  /// the constructor made if they are still empty and no other run's.
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory &) = delete;
  OutputDirectory &operator=(const OutputDirectory &) = delete;

  /// Writes a file aside; it is one of the names.
  void write(const std::string &name, const Content &content);
  void write(const std::string &name, std::string_view bytes);
  /// Begins a file aside with some bytes, for somebody who writes the rest
  /// until commit(). Returns a descriptor of its own that reads and writes.
  int open(const std::string &name, std::string_view begin);
  /// The SHA-256 of a file that was begun by open(), as it is now; none where
  /// there is no such file.
  std::optional<std::string> digest(const std::string &name) const;
  const std::string &folder() const { return path; }
  /// Renames all files, in the order written. The last one marks the others as
  /// complete: an older one goes first, so that whatever interrupts this leaves
  /// no mark beside a mixture of old and new. Files of a result before that
  /// this one has not go as well, before any of the new ones is there.
  void commit();

private:
  void makeAndLock();
  bool makeDirectories(); // false where one went away meanwhile
  void checkDirectory() const;
  void checkFiles() const;
  void closeLock();
  void removeParts() const;
  void removeCreated();
  std::string path;
  std::vector<std::string> names;
  int lock = -1;                    // descriptor of the directory
  std::vector<int> slots;           // of `created`, for a signal
  std::vector<std::string> created; // directories made, outermost first
  AtomicFile begin(const std::string &name) const;
  std::vector<AtomicFile> files;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_OUTPUTDIRECTORY_H
