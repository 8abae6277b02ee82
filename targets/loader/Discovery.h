// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From names to files, and questions to all chips that have a name.

#ifndef NEURITE_TARGETS_LOADER_DISCOVERY_H
#define NEURITE_TARGETS_LOADER_DISCOVERY_H

#include "targets/loader/Target.h"

#include <string>
#include <vector>

namespace neurite {

/// The chip file of that name: in the folder next to the one that holds the
/// file `beside` (may be empty), else in searchDirs(). "" when there is none.
std::string findTarget(const std::string &name, const std::string &beside);

/// The names of those targets whose cores have an instruction. A file that
/// cannot be read is left out: it is no answer to this question.
std::vector<std::string> targetsWith(MicroOp op);

} // namespace neurite

#endif // NEURITE_TARGETS_LOADER_DISCOVERY_H
