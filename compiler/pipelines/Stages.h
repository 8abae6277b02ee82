// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes behind quantisation, as steps of a Compilation.

#ifndef NEURITE_COMPILER_PIPELINES_STAGES_H
#define NEURITE_COMPILER_PIPELINES_STAGES_H

#include "compiler/pipelines/Compile.h"

#include "mlir/IR/BuiltinOps.h"

namespace neurite {

/// Phases, period and connection delays of an integer network.
mlir::LogicalResult scheduleNetwork(mlir::ModuleOp fixed,
                                    const CompileOptions &options);

/// The chip's tables in place of a scheduled network.
mlir::LogicalResult mapOntoChip(mlir::ModuleOp fixed,
                                const CompileOptions &options);

/// Splits the wide dendrites of an integer network, not yet scheduled, as
/// `options.splitDendrite` asks; "auto" maps the network with each of them wide
/// and in 2, 4, 8, ... parts up to the first number that fits, and takes what
/// the mapper finds cheapest, wide on a tie. Both costs are added to the
/// choices. Throws Error.
void splitDendrites(mlir::OwningOpRef<mlir::ModuleOp> &fixed,
                    const CompileOptions &options, Choices &choices);

} // namespace neurite

#endif // NEURITE_COMPILER_PIPELINES_STAGES_H
