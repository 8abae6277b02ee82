// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rewrite pattern that is one function.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_WRITEOP_H
#define DENDROLITH_COMPILER_NATIVE_BODY_WRITEOP_H

#include "compiler/native/body/Elements.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::body {

/// Writes the code of an op in its stead.
template <typename Op, void (*write)(Op, Elements &)>
class WriteOp : public mlir::OpRewritePattern<Op> {
public:
  WriteOp(mlir::MLIRContext *context, BodyState &state)
      : mlir::OpRewritePattern<Op>(context), state(state) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    Elements elements(rewriter, state);
    write(op, elements);
    rewriter.eraseOp(op);
    return mlir::success();
  }

private:
  BodyState &state;
};

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_WRITEOP_H
