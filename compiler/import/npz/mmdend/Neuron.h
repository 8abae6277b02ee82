// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neuron models of a checkpoint.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_NEURON_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_NEURON_H

#include "compiler/import/npz/mmdend/Checkpoint.h"

#include "mlir/IR/Builders.h"

namespace dendrolith::npz {

/// A parameter of a model: its name, its type per neuron, its elements.
struct Parameter {
  std::string name;
  mlir::Type type;
  Values values;
  bool perNeuron = false;
};

/// The parameters of a layer's neurons, in the order of its model.
std::vector<Parameter> parameters(mlir::Builder &builder,
                                  const Checkpoint &checkpoint,
                                  const Layer &layer);

/// Layers with equal text may share a model.
std::string formOf(const Checkpoint &checkpoint, const Layer &layer);

/// Creates the model `name` of a layer: port "I", output "s", states "V0",
/// "V1", ... and "Vs" (MMDEND) or "v" (LIF); a baseline's are in Baseline.cpp.
void createModel(mlir::OpBuilder &builder, const std::string &name,
                 const Checkpoint &checkpoint, const Layer &layer);

/// Creates the model of the read-out: "y" is what port "I" receives. For LIF
/// and parametric LIF networks it is a compartment that keeps nothing and is
/// probed, which a fixed-function neuron without a threshold can be; for other
/// networks it is an output.
void createReadout(mlir::OpBuilder &builder, const std::string &name,
                   const Checkpoint &checkpoint);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_NEURON_H
