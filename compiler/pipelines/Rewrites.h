// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites that a user asks for by name. Each is a pass, after which the
// network is run beside what it was, to see that it still does the same.

#ifndef DENDROLITH_COMPILER_PIPELINES_REWRITES_H
#define DENDROLITH_COMPILER_PIPELINES_REWRITES_H

#include "dialects/dend/reference/Tensor.h"
#include "runtime/host/Signals.h"

#include "dialects/dend/Dend.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith {

/// All names, in the order in which rewrites are applied.
std::vector<std::string> rewriteNames();

/// Applies those among `names` that change the float network.
mlir::LogicalResult rewriteFloat(mlir::ModuleOp module,
                                 const std::vector<std::string> &names);

/// Runs the float network and the one it was before on the first samples, and
/// writes into the rows of its rewrites how far apart they are. Fails with a
/// diagnostic if outputs differ by more than rounding while no spike does.
mlir::LogicalResult verifyFloat(dend::NetworkOp rewritten,
                                dend::NetworkOp before,
                                const dend::Bindings &bindings,
                                const std::map<std::string, Samples> &inputs);

/// Whether `names` has the rewrite of the integer network, "dead-units".
bool removesDeadUnits(const std::vector<std::string> &names);

// Which units are silent, and whether the network without them is the same.

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

#endif // DENDROLITH_COMPILER_PIPELINES_REWRITES_H
