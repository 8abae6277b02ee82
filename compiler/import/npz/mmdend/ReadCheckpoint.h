// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the layers of MMDEND, LIF and baseline checkpoints.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READCHECKPOINT_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READCHECKPOINT_H

#include "compiler/import/npz/mmdend/Checkpoint.h"

namespace dendrolith::npz {

/// Reads and checks the layers of a network. Throws
/// dendrolith::Error naming file and key.
Checkpoint readCheckpoint(Archive &archive, const Meta &meta);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READCHECKPOINT_H
