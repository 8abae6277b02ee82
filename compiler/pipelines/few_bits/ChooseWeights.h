// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of a network's weights, chosen layer by layer on what the
// network does with its calibration samples.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_CHOOSEWEIGHTS_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_CHOOSEWEIGHTS_H

#include "compiler/transforms/quantise/ChooseLayer.h"
#include "runtime/host/Signals.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace dendrolith {

/// Chooses the weights of a prepared network for --dend-quantise. Layers come
/// in the order of the data; each sees what the layers before it send once they
/// have their integers, and its biases are set such that mean sums are those of
/// the float network. Layers that see themselves or later ones get a second
/// pass. Without samples weights are rounded by themselves and biases stay.
/// Bits by layer must be set. Fails with a diagnostic.
mlir::LogicalResult chooseWeights(mlir::ModuleOp prepared, const Target &chip,
                                  const QuantiserOptions &options,

                                  const std::map<std::string, Samples> &inputs,
                                  WeightChoices &choices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_CHOOSEWEIGHTS_H
