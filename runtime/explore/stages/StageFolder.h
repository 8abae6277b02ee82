// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stages left behind, in a folder that workers share: one file each, named
// by the hash of all that the stage depends on. A file appears whole or not at
// all. Its content follows from its name, so it does not matter which worker
// wrote it, and any file may be deleted at any time.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_STAGEFOLDER_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_STAGEFOLDER_H

#include "targets/support/Error.h"

#include <optional>
#include <string>
#include <string_view>

namespace dendrolith::explore {

/// What goes wrong with the folder is nothing that a design did.
class Unwritable : public Error {
public:
  using Error::Error;
};

class StageFolder {
public:
  /// The folder is made when something is first put there.
  explicit StageFolder(std::string folder) : folder(std::move(folder)) {}

  /// `key` is a SHA-256. Nothing where there is no such file, or a damaged one.
  std::optional<std::string> find(const std::string &stage,
                                  const std::string &key) const;
  /// Throws Unwritable.
  void put(const std::string &stage, const std::string &key,
           std::string_view bytes) const;
  /// FOLDER/STAGE/ab/cdef...
  std::string pathOf(const std::string &stage, const std::string &key) const;

private:
  std::string folder;
};

/// The version of this program and of what a point means. A point of another
/// version is measured again.
std::string versionOfResults();

/// The hash of this executable. Stages leave the memory of one program, and no
/// other program may read it.
const std::string &versionOfBuild();

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_STAGEFOLDER_H
