// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_IMPORT_NPZ_BRANCHES_H
#define NEURITE_COMPILER_IMPORT_NPZ_BRANCHES_H

#include "compiler/import/npz/Archive.h"
#include "compiler/import/npz/Checkpoint.h"

namespace neurite::npz {

/// Reads the dendrite and soma of MMDEND layer `l`, whose channels are known.
/// The keys tau, tau_f, tau_p, gamma say that its branches are cables.
void readDendrite(Archive &archive, size_t l, Layer &layer);

} // namespace neurite::npz

#endif // NEURITE_COMPILER_IMPORT_NPZ_BRANCHES_H
