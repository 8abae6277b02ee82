// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of networks whose checkpoints (NumPy archives) are read.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_KINDS_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_KINDS_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

/// Finds the kind of a checkpoint by what its meta says, else by its keys, and
/// tells the archive, whose messages then name the kind's folder. Throws Error
/// for a neuron that no kind knows, for keys that are those of another kind
/// than meta names, and for keys of no kind.
const CheckpointKind &recognise(Archive &archive);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_KINDS_H
