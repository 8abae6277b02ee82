// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which units are silent, and whether the network without them is the same.

#ifndef DENDROLITH_COMPILER_PIPELINES_DEADUNITS_H
#define DENDROLITH_COMPILER_PIPELINES_DEADUNITS_H

#include "dialects/dend/Dend.h"
#include "runtime/host/Signals.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace dendrolith {

/// Runs the integer network on the samples, removes the neurons that emitted
/// nothing, and runs the result beside the whole network: every output and
/// every emission of the neurons that are left must be equal.
mlir::LogicalResult
removeDeadUnits(mlir::ModuleOp fixed,
                const std::map<std::string, Samples> &inputs);

/// That comparison: the neurons that `removed` on the populations of `pruned`
/// names must have been silent. Writes into the rows of the rewrite; fails with
/// a diagnostic if a value differs.
mlir::LogicalResult verifyPruned(dend::NetworkOp pruned, dend::NetworkOp whole,
                                 const std::map<std::string, Samples> &inputs);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_DEADUNITS_H
