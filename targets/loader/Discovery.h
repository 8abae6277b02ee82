// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From names to files, for the loader itself.

#ifndef NEURITE_TARGETS_LOADER_DISCOVERY_H
#define NEURITE_TARGETS_LOADER_DISCOVERY_H

#include "targets/loader/Target.h"

#include <string>

namespace neurite {

/// The chip file of that name: in the folder next to the one that holds the
/// file `beside` (may be empty), else in searchDirs(). "" when there is none.
std::string findTarget(const std::string &name, const std::string &beside);

} // namespace neurite

#endif // NEURITE_TARGETS_LOADER_DISCOVERY_H
