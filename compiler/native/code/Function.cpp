// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/code/Function.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"

namespace dendrolith::native {

using namespace mlir;

std::string freeName(ModuleOp module, StringRef model) {
  std::string name = model.str();
  for (int i = 1; SymbolTable::lookupSymbolIn(module, name); ++i)
    name = model.str() + "_" + std::to_string(i);
  return name;
}

LLVM::LLVMFuncOp createFunction(OpBuilder &b, StringRef name, unsigned pointers,
                                unsigned numbers) {
  MLIRContext *context = b.getContext();
  SmallVector<mlir::Type> types(pointers, LLVM::LLVMPointerType::get(context));
  types.append(numbers, b.getI64Type());
  auto function = LLVM::LLVMFuncOp::create(
      b, b.getUnknownLoc(), name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
  for (unsigned i = 0; i < pointers; ++i)
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  return function;
}

LogicalResult convertFunction(LLVM::LLVMFuncOp function,
                              RewritePatternSet patterns) {
  ConversionTarget target(*function.getContext());
  target.addLegalDialect<arith::ArithDialect, math::MathDialect,
                         vector::VectorDialect, scf::SCFDialect,
                         LLVM::LLVMDialect>();
  target.addLegalOp<UnrealizedConversionCastOp>();
  ConversionConfig config;
  // Patterns read ops that others have converted.
  config.allowPatternRollback = true;
  // Every value is written where its place is, also one that another equals.
  config.foldingMode = DialectConversionFoldingMode::Never;
  config.buildMaterializations = false;
  return applyFullConversion(function, target, std::move(patterns), config);
}

LogicalResult convertRegion(Region &region,
                            ConversionPatternRewriter &rewriter) {
  std::vector<Operation *> ops;
  for (Operation &op : region.front())
    ops.push_back(&op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.inlineBlockBefore(&region.front(), rewriter.getInsertionBlock(),
                             rewriter.getInsertionPoint());
  for (Operation *op : ops)
    if (failed(rewriter.legalize(op)))
      return failure();
  return success();
}

} // namespace dendrolith::native
