// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a whole chip file.

#ifndef DENDROLITH_TARGETS_LOADER_READ_CHIPREADER_H
#define DENDROLITH_TARGETS_LOADER_READ_CHIPREADER_H

#include "targets/loader/chip/Chip.h"
#include "targets/loader/yaml/Yaml.h"

#include <string>

namespace dendrolith::yaml {

/// The chip of a tree without a `base`; `text` is what the tree was parsed
/// from. Throws Error with the place of what is wrong.
Chip readChip(const Node &root, const std::string &text,
              const std::string &filename);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_READ_CHIPREADER_H
