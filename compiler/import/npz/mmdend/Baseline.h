// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neurons that MMDEND and DendriCL are compared with, in the layout of an
// MMDEND or LIF checkpoint (models/mmdend/EQUATIONS.md has their keys,
// equations and sources): parametric LIF, KLIF, GLIF, parallel spiking neurons
// (masked and sliding), PMSN, and the adaptive LIF of an LSNN.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_BASELINE_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_BASELINE_H

#include "compiler/import/npz/mmdend/Checkpoint.h"

#include "mlir/IR/Builders.h"

namespace dendrolith::npz {

/// Their words in "neuron" of a checkpoint's meta.
std::vector<std::string> baselineWords();
/// The neuron of a word that is one of those.
Meta::Neuron neuronOf(const std::string &word);
/// The word for any neuron, which is the name of its model as well.
std::string wordFor(Meta::Neuron neuron);

/// Layers with equal text may share a model.
std::string baselineForm(const Checkpoint &checkpoint, const Layer &layer);

/// Creates the model `name` of a layer: port "I", output "s".
void createBaseline(mlir::OpBuilder &builder, const std::string &name,
                    const Checkpoint &checkpoint, const Layer &layer);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_BASELINE_H
