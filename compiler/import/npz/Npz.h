// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints of trained networks (NumPy archives; Kinds.h) as `dend` networks.

#ifndef NEURITE_COMPILER_IMPORT_NPZ_NPZ_H
#define NEURITE_COMPILER_IMPORT_NPZ_NPZ_H

#include "compiler/import/Importer.h"

namespace neurite {

/// Imports a checkpoint of one of the kinds in Kinds.cpp. Constants are
/// computed in double; the network has the file's name. Throws neurite::Error
/// naming file, key, what was expected and what was found.
ImportedModel importNpz(mlir::MLIRContext &context, const std::string &path);

/// .npz: a checkpoint, or a study network (study/Study.h) if its arrays are
/// those of one.
Importer npzImporter();

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_NPZ_NPZ_H
