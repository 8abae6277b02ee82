// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a body or a program becomes, and the conversion of the ops
// in it.

#ifndef DENDROLITH_COMPILER_NATIVE_CODE_FUNCTION_H
#define DENDROLITH_COMPILER_NATIVE_CODE_FUNCTION_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

#include <string>

namespace dendrolith::native {

/// The name of a model, with a number behind it where the module has a symbol
/// of that name: networks may name their models alike.
std::string freeName(mlir::ModuleOp module, llvm::StringRef model);

/// A function of so many pointers, and of numbers of i64 behind them. No
/// pointer points into what another one does.
mlir::LLVM::LLVMFuncOp createFunction(mlir::OpBuilder &b, llvm::StringRef name,
                                      unsigned pointers, unsigned numbers);

/// Converts all that is inside to arith, math, vector, scf and llvm. Fails
/// where an op has no pattern.
mlir::LogicalResult convertFunction(mlir::LLVM::LLVMFuncOp function,
                                    mlir::RewritePatternSet patterns);

/// Moves the ops of a region of one block to where the rewriter stands, and
/// converts them there at once.
mlir::LogicalResult convertRegion(mlir::Region &region,
                                  mlir::ConversionPatternRewriter &rewriter);

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_CODE_FUNCTION_H
