// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_WRITEMODEL_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_WRITEMODEL_H

#include "compiler/lava/lava.pb.h"

#include <string>

namespace dendrolith::lava {

constexpr uint32_t kSchemaVersion = 1;

/// Gives the file's bytes; equal models give equal bytes. Throws Error at 2
/// GiB.
std::string serialize(const Model &model);

/// Writes what serialize() gives to a file, aside first and then renamed.
void writeModel(const Model &model, const std::string &path);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_WRITEMODEL_H
