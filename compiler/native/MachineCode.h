// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From MLIR to a function in memory: MLIR's own lowerings, LLVM's optimiser,
// ORC.

#ifndef DENDROLITH_COMPILER_NATIVE_MACHINECODE_H
#define DENDROLITH_COMPILER_NATIVE_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <memory>

namespace dendrolith::native {

/// Whether LLVM makes code for this processor.
bool hasMachineCode();

/// Registers what a context needs whose modules become machine code.
void loadDialects(mlir::MLIRContext &context);

/// The passes from vector, scf, math and arith to llvm, for `dendrolith-opt`
/// (native-to-llvm), too.
void buildNativeToLLVM(mlir::OpPassManager &passes);

/// What makes code for this processor, and keeps it.
class MachineCode {
public:
  /// Throws Error.
  MachineCode();
  ~MachineCode();

  /// Compiles a module of these dialects, which is left lowered. Returns the
  /// address of `function`, which updates one neuron at a time where that is
  /// `alone`. Throws Error.
  void *compile(mlir::ModuleOp module, const char *function, bool alone);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_MACHINECODE_H
