// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_NATIVE_PASSES_TD
#define DENDROLITH_COMPILER_NATIVE_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar NativeDialects = [
  "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
  "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
  "::mlir::LLVM::LLVMDialect"];
defvar LanesOption = Option<"lanes", "lanes", "unsigned", "8",
  "neurons whose updates are computed together; 1 where a neuron stands alone">;

def DendBodyToVector : Pass<"dend-body-to-vector", "::mlir::ModuleOp"> {
  let summary = "Write the step body of each neuron model as a function on vectors";
  let description = [{
    Adds an `llvm.func` of the model's name behind the networks for each
    `dend.neuron` whose body is one on reals that code is written for. The
    function loops over the neurons of a population and updates `lanes` of them
    at a time; dialects/dend/fast/CompiledBody.h says what its arguments are.
  }];
  let options = [LanesOption];
  let dependentDialects = NativeDialects;
}

def ChipProgramToVector : Pass<"chip-program-to-vector", "::mlir::ModuleOp"> {
  let summary = "Write each program of a vector neuron core as a function on vectors";
  let description = [{
    Adds an `llvm.func` of the model's name behind the image for each
    `chip.program` that differs from those before it. The function loops over
    the neurons of a group and updates `lanes` of them at a time;
    simulator/functional/neuron/Compiled.h says what its arguments are.
  }];
  let options = [LanesOption];
  let dependentDialects = NativeDialects #
    ["::dendrolith::native::program::MicroDialect"];
}

#endif // DENDROLITH_COMPILER_NATIVE_PASSES_TD
