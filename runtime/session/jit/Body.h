// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as a function of MLIR: one loop over the neurons of a group, some
// lanes at a time, with everything that an update does inside.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_BODY_H
#define DENDROLITH_RUNTIME_SESSION_JIT_BODY_H

#include "runtime/session/jit/Plan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace dendrolith::sim {
class MicroProgram;
} // namespace dendrolith::sim

namespace dendrolith::sim::jit {

/// The name of the function, which is a CompiledFunction.
constexpr const char *kFunction = "visit";

/// A module with the function for `lanes` neurons at a time, in the dialects
/// arith, math, vector, scf and llvm.
mlir::OwningOpRef<mlir::ModuleOp> writeBody(mlir::MLIRContext &context,
                                            const MicroProgram &program,
                                            const Plan &plan, unsigned lanes);

} // namespace dendrolith::sim::jit

#endif // DENDROLITH_RUNTIME_SESSION_JIT_BODY_H
