// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step body, lowered as the compiler would for a target.

#ifndef DENDROLITH_TESTS_COMPILER_LOWERING_BODY_H
#define DENDROLITH_TESTS_COMPILER_LOWERING_BODY_H

#include "compiler/lowering/microcode/LowerBody.h"
#include "runtime/image/program.pb.h"
#include "runtime/microcode/Isa.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace dendrolith::test {

/// Parses a network that holds one neuron model and lowers the model. `errors`
/// collects diagnostics, one per line.
class Body {
public:
  /// `model` is the dend.neuron op; structure ops are expanded if `expand`.
  explicit Body(const std::string &model, const std::string &target = "ideal",
                bool expand = true);

  bool ok = false;
  image::Microprogram program;
  std::vector<micro::Instruction> code;
  std::string errors;

  /// Names of the instructions, "mul add emit".
  std::string ops() const;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_LOWERING_BODY_H
