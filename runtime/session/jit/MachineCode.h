// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From MLIR to a function in memory: MLIR's own lowerings, LLVM's optimiser,
// ORC.

#ifndef NEURITE_RUNTIME_SESSION_JIT_MACHINECODE_H
#define NEURITE_RUNTIME_SESSION_JIT_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace neurite::sim::jit {

/// Whether LLVM makes code for this processor.
bool hasMachineCode();

/// Registers what a context needs whose modules become machine code.
void loadDialects(mlir::MLIRContext &context);

/// Compiles a module of the dialects that writeBody() uses for this processor,
/// with the module itself left lowered. Returns the address of `function` and
/// what keeps it in memory. Throws Error.
std::pair<void *, std::shared_ptr<void>> compileModule(mlir::ModuleOp module,
                                                       const char *function);

} // namespace neurite::sim::jit

#endif // NEURITE_RUNTIME_SESSION_JIT_MACHINECODE_H
