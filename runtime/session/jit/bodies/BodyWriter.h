// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step body as a function of MLIR: one loop over the neurons of a population,
// with everything that an update does inside.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BODYWRITER_H
#define DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BODYWRITER_H

#include "runtime/session/jit/bodies/Places.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace dendrolith::sim::jit::bodies {

/// The name of the function, which is a dend::BodyFunction.
constexpr const char *kFunction = "update";

/// A module with the function, in the dialects arith, math, vector, scf and
/// llvm.
mlir::OwningOpRef<mlir::ModuleOp> writeBody(mlir::MLIRContext &context,
                                            const Places &places);

} // namespace dendrolith::sim::jit::bodies

#endif // DENDROLITH_RUNTIME_SESSION_JIT_BODIES_BODYWRITER_H
