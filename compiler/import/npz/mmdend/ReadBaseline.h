// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the constants of baseline neurons (Baseline.h).

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READBASELINE_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READBASELINE_H

#include "compiler/import/npz/mmdend/Checkpoint.h"

namespace dendrolith::npz {

/// Reads the constants of layer `l`, whose channels are known. Throws Error,
/// also for a parallel spiking neuron whose weights reach into the future,
/// which nothing that runs step by step can compute.
void readBaseline(Archive &archive, const Meta &meta, size_t l, Layer &layer);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_READBASELINE_H
