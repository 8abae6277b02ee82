// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints of MMDEND, LIF and DendriCL networks (NumPy archives) as `dend`
// networks.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283

#ifndef NEURITE_COMPILER_IMPORT_NPZ_NPZ_H
#define NEURITE_COMPILER_IMPORT_NPZ_NPZ_H

#include "compiler/import/Importer.h"

namespace neurite {

/// Imports a checkpoint. For an MMDEND or LIF network of any number of layers
/// (models/mmdend/README.md has their keys and equations) it gives input @x
/// (graded), a population @L0, @L1, ... per layer, @out with the read-out, and
/// output @logits, whose attribute `decode` says how a sample's logits become
/// one vector ("mean" over the steps, or over the last n: "last=n"); layers of
/// LIF neurons with several passes per step are on clock @micro; of a DendriCL
/// network (models/dendricl/README.md) what Dendricl.h says. Constants are
/// computed in double. The network has the file's name. Throws neurite::Error
/// naming file, key, what was expected and what was found.
ImportedModel importNpz(mlir::MLIRContext &context, const std::string &path);

/// .npz: a checkpoint, or a study network (study/Study.h) if its arrays are
/// those of one.
Importer npzImporter();

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_NPZ_NPZ_H
