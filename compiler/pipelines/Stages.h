// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines of Pipelines.h as steps of a Compilation.

#ifndef DENDROLITH_COMPILER_PIPELINES_STAGES_H
#define DENDROLITH_COMPILER_PIPELINES_STAGES_H

#include "compiler/lowering/MapJob.h"
#include "compiler/mapping/MappingMemo.h"
#include "compiler/pipelines/CompileOptions.h"
#include "runtime/host/Signals.h"
#include "targets/loader/SharedTarget.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace dendrolith {

/// A float network in the form that is calibrated and quantised.
mlir::LogicalResult prepareNetwork(mlir::ModuleOp module);

/// A prepared network for a chip without programs: populations whose arithmetic
/// is a neuron that such a chip may have are that neuron again.
mlir::LogicalResult raiseNetwork(mlir::ModuleOp module);

/// The integers of `chip` in place of a prepared network that has its bits by
/// layer; its weights are first chosen on the calibration samples `inputs`, as
/// `quantiser` says, which is without "auto".
mlir::LogicalResult
quantiseNetwork(mlir::ModuleOp prepared, const CompileOptions &options,
                const SharedTarget &chip,
                const std::map<std::string, Samples> &inputs,
                const QuantiserOptions &quantiser);

/// Phases, period and connection delays of an integer network.
mlir::LogicalResult scheduleNetwork(mlir::ModuleOp fixed,
                                    const CompileOptions &options,
                                    const SharedTarget &chip);

/// The chip without the limits that `options` override. Throws Error for a
/// limit that there is not.
Target withoutLimits(const SharedTarget &chip, const CompileOptions &options);

/// The chip's tables in place of a scheduled network. Mappings that `memo` has
/// are not searched for again.
mlir::LogicalResult mapOntoChip(mlir::ModuleOp fixed,
                                const CompileOptions &options,
                                const SharedTarget &chip, MappingMemo &memo);

/// What mapOntoChip() would ask the mapper; the network stays as it is.
mlir::LogicalResult prepareToMap(mlir::ModuleOp fixed,
                                 const CompileOptions &options,
                                 const SharedTarget &chip, MapJob &job);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_STAGES_H
