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

// Rewrite patterns that are one function. It writes with a Writer, which is
// made of a builder and of what all patterns of a conversion know, a
// Writer::State.

/// Writes the code of an op in its stead.
template <typename Op, typename Writer, void (*write)(Op, Writer &)>
class WriteOp : public mlir::OpRewritePattern<Op> {
public:
  using State = typename Writer::State;

  WriteOp(mlir::MLIRContext *context, State &state)
      : mlir::OpRewritePattern<Op>(context), state(state) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    Writer writer(rewriter, state);
    write(op, writer);
    rewriter.eraseOp(op);
    return mlir::success();
  }

private:
  State &state;
};

/// The same for an op with a region. `write` calls `inside` where the code of
/// the ops in it is to stand; they are converted before anything behind the op.
template <typename Op, typename Writer,
          void (*write)(Op, Writer &, llvm::function_ref<void()> inside)>
class WriteRegion : public mlir::ConversionPattern {
public:
  using State = typename Writer::State;

  WriteRegion(mlir::MLIRContext *context, State &state)
      : ConversionPattern(Op::getOperationName(), 1, context), state(state) {
    setHasBoundedRewriteRecursion(); // a region may have others inside
  }

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op, llvm::ArrayRef<mlir::ValueRange>,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    Writer writer(rewriter, state);
    mlir::LogicalResult converted = mlir::success();
    write(mlir::cast<Op>(op), writer,
          [&] { converted = convertRegion(op->getRegion(0), rewriter); });
    rewriter.eraseOp(op);
    return converted;
  }

private:
  State &state;
};

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_CODE_FUNCTION_H
