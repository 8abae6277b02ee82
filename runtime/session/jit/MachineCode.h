// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From MLIR to a function in memory: MLIR's own lowerings, LLVM's optimiser,
// ORC.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_MACHINECODE_H
#define DENDROLITH_RUNTIME_SESSION_JIT_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace dendrolith::sim::jit {

/// Whether LLVM makes code for this processor.
bool hasMachineCode();

/// Registers what a context needs whose modules become machine code.
void loadDialects(mlir::MLIRContext &context);

/// What makes code for this processor, and keeps it.
class MachineCode {
public:
  /// Throws Error.
  MachineCode();
  ~MachineCode();

  /// Compiles a module of the dialects that writeBody() uses, with the module
  /// itself left lowered. Returns the address of `function`, which updates one
  /// neuron at a time where that is `alone`. Throws Error.
  void *compile(mlir::ModuleOp module, const char *function, bool alone);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

} // namespace dendrolith::sim::jit

#endif // DENDROLITH_RUNTIME_SESSION_JIT_MACHINECODE_H
