// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as a function of MLIR: one loop over the neurons of a group, some
// lanes at a time, with everything that an update does inside.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_WRITEPROGRAM_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_WRITEPROGRAM_H

#include "compiler/native/program/Plan.h"

#include "mlir/IR/Builders.h"

namespace dendrolith::native::program {

/// Writes the function `name`, a sim::CompiledFunction, in the dialects arith,
/// math, vector, scf and llvm, where the builder stands. It updates `lanes`
/// neurons at a time. Returns how many words of scratch it needs.
mlir::FailureOr<size_t> writeProgram(mlir::OpBuilder &b, const Program &program,
                                     unsigned lanes, llvm::StringRef name);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_WRITEPROGRAM_H
