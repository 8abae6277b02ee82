// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of targets and the files that they stand for.

#ifndef DENDROLITH_TARGETS_LOADER_FILES_DISCOVERY_H
#define DENDROLITH_TARGETS_LOADER_FILES_DISCOVERY_H

#include <string>
#include <vector>

namespace dendrolith {

/// The folders of $DENDROLITH_TARGETS, which ':' separates. Throws Error for
/// one that is not there: a chip of the same name would be taken instead.
std::vector<std::string> ownDirs();

/// A folder that lies beside the program, ../share/dendrolith/NAME, in a build
/// tree as a link into the sources; "" where there is none.
std::string shippedDir(const std::string &name);

/// Folders searched for names, in order: ownDirs() and the shipped chips.
std::vector<std::string> searchDirs();

/// Names of the targets in one folder, in any order.
std::vector<std::string> targetsIn(const std::string &dir);

/// Names of all targets in the search directories, sorted.
std::vector<std::string> listTargets();

/// Whether a text is meant as a path: it contains '/' or ends in ".yaml".
bool isPath(const std::string &nameOrPath);

/// Whether a text can be a name. Names go into paths, so they must not be able
/// to leave the directory.
bool isName(const std::string &name);

/// The chip file of that name: in the folder next to the one that holds the
/// file `beside` (may be empty), else in searchDirs(); never `beside` itself.
/// "" when there is none.
std::string findTarget(const std::string &name, const std::string &beside);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_FILES_DISCOVERY_H
