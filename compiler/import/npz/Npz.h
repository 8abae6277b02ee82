// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints of trained networks (NumPy archives; Kinds.h) as `dend` networks.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_NPZ_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_NPZ_H

#include "compiler/import/common/Importer.h"

namespace dendrolith {

/// Imports a checkpoint of one of the kinds in Kinds.cpp. Constants are
/// computed in double; the network has the file's name. Throws
/// dendrolith::Error naming file, key, what was expected and what was found.
ImportedModel importNpz(mlir::MLIRContext &context, const std::string &path);

/// .npz: a checkpoint, or a study network (study/Study.h) if its arrays are
/// those of one.
Importer npzImporter();

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_NPZ_H
