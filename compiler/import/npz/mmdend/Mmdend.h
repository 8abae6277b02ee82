// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints of layers of MMDEND, of LIF and of the neurons that they are
// compared with (models/mmdend/README.md has their keys and equations) as
// networks.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_MMDEND_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_MMDEND_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

/// A network of any number of layers has input @x (graded), a population @L0,
/// @L1, ... per layer, @out with the read-out, and output @logits, whose
/// attribute `decode` says how a sample's logits become one vector ("mean" over
/// the steps, or over the last n: "last=n"). Layers of LIF or ALIF neurons with
/// several passes per step are on clock @micro.
CheckpointKind mmdendKind();
CheckpointKind lifKind();
CheckpointKind baselineKind();

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_MMDEND_H
