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

// Reads the constants of baseline neurons (Baseline.h).

/// Reads the constants of layer `l`, whose channels are known. Throws Error,
/// also for a parallel spiking neuron whose weights reach into the future,
/// which nothing that runs step by step can compute.
void readBaseline(Archive &archive, const Meta &meta, size_t l, Layer &layer);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READCHECKPOINT_H
