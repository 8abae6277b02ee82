// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program as processes of stock Lava: its tables, put together
// again.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTPROGRAM_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTPROGRAM_H

#include "compiler/lava/lava.pb.h"
#include "runtime/image/program.pb.h"

#include <string>

namespace dendrolith::lava {

/// Groups of fixed-function neurons become LIF, synapse lists the matrices they
/// were cut from; the mapping says on which cores they are. Expects a validated
/// program. Throws Error, with the advice to export the model instead, for
/// populations of microcode or that LIF cannot be, and for programs of more
/// than one step per tick.
Model exportProgram(const image::Program &program);

constexpr uint32_t kSchemaVersion = 1;

/// Gives the file's bytes; equal models give equal bytes. Throws Error at 2
/// GiB.
std::string serialize(const Model &model);

/// Writes what serialize() gives to a file, aside first and then renamed.
void writeModel(const Model &model, const std::string &path);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_EXPORTPROGRAM_H
