// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dendrites of an MMDEND checkpoint (eq. 7 to 15).
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_BRANCHES_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_BRANCHES_H

#include "compiler/import/npz/common/Archive.h"
#include "compiler/import/npz/mmdend/Checkpoint.h"

namespace dendrolith::npz {

/// Reads the dendrite and soma of MMDEND layer `l`, whose channels are known.
/// The keys tau, tau_f, tau_p, gamma say that its branches are cables.
void readDendrite(Archive &archive, size_t l, Layer &layer);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_BRANCHES_H
