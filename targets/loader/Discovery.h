// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of targets and the files that they stand for.

#ifndef NEURITE_TARGETS_LOADER_DISCOVERY_H
#define NEURITE_TARGETS_LOADER_DISCOVERY_H

#include <string>
#include <vector>

namespace neurite {

/// Directories searched for names, in order: $NEURITE_TARGETS alone if set,
/// else beside the executable (../share/neurite/targets, ../../targets), else
/// the source tree the library was built from.
std::vector<std::string> searchDirs();

/// Names of all targets in the search directories, sorted.
std::vector<std::string> listTargets();

/// Whether a text is meant as a path: it contains '/' or ends in ".yaml".
bool isPath(const std::string &nameOrPath);

/// Whether a text can be a name. Names go into paths, so they must not be able
/// to leave the directory.
bool isName(const std::string &name);

/// The chip file of that name: in the folder next to the one that holds the
/// file `beside` (may be empty), else in searchDirs(). "" when there is none.
std::string findTarget(const std::string &name, const std::string &beside);

} // namespace neurite

#endif // NEURITE_TARGETS_LOADER_DISCOVERY_H
