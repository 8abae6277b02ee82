// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints of trained networks (NumPy archives; Npz.h) as `dend` networks.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_NPZ_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_NPZ_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/npz/common/Kind.h"

namespace dendrolith {

/// Imports a checkpoint of one of the kinds in Npz.cpp. Constants are
/// computed in double; the network has the file's name. Throws
/// dendrolith::Error naming file, key, what was expected and what was found.
ImportedModel importNpz(mlir::MLIRContext &context, const std::string &path);

/// .npz: a checkpoint, or a study network (study/Study.h) if its arrays are
/// those of one.
Importer npzImporter();

} // namespace dendrolith

namespace dendrolith::npz {

// The list of networks whose checkpoints (NumPy archives) are read.

/// Finds the kind of a checkpoint by what its meta says, else by its keys, and
/// tells the archive, whose messages then name the kind's folder. Throws Error
/// for a neuron that no kind knows, for keys that are those of another kind
/// than meta names, and for keys of no kind.
const CheckpointKind &recognise(Archive &archive);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_NPZ_H
