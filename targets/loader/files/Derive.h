// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as a variation of another, by a file with a `base`. It works on the
// tree, so that the outcome is one whole file again (as Override.h does).

#ifndef DENDROLITH_TARGETS_LOADER_FILES_DERIVE_H
#define DENDROLITH_TARGETS_LOADER_FILES_DERIVE_H

#include "targets/loader/yaml/Yaml.h"

#include <string>

namespace dendrolith::yaml {

/// Whether a chip file names a `base`.
bool hasBase(const Node &root);

/// The base's tree with the members of `root` in their place: maps are merged
/// key by key, everything else (records, lists, words) is replaced whole; cost
/// tables come from the base unless `costs_from` says otherwise. The
/// base is looked for beside the folder of `filename`, then by name. Throws
/// Error when it is not found or has a base itself.
Node withBase(const Node &root, const std::string &filename);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_FILES_DERIVE_H
