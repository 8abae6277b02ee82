// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `micro`: the instructions of a program as ops, in the order and
// the loops of its plan. Patterns turn all of them into code. An instruction
// names words of memories, so that its op has neither operands nor results.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPOPS_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPOPS_H

#include "compiler/native/program/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

namespace dendrolith::native::program {

class MicroDialect : public mlir::Dialect {
public:
  explicit MicroDialect(mlir::MLIRContext *context);
  static llvm::StringLiteral getDialectNamespace() { return "micro"; }
};

constexpr llvm::StringLiteral opNameOf(MicroOp code) {
  switch (code) {
#define MICRO_OP(number, Name, text, ...)                                      \
  case MicroOp::Name:                                                          \
    return "micro." text;
#include "targets/loader/chip/MicroOps.def"
  }
  return "";
}

template <typename Concrete, template <typename> class Regions>
using MicroBase =
    mlir::Op<Concrete, Regions, mlir::OpTrait::ZeroResults,
             mlir::OpTrait::ZeroSuccessors, mlir::OpTrait::ZeroOperands>;

/// An instruction, such as `micro.add`. The attribute `step` has its Step; a
/// skip has a region, which is what it guards.
template <MicroOp code>
class StepOp : public MicroBase<StepOp<code>, mlir::OpTrait::VariadicRegions> {
public:
  using Base = MicroBase<StepOp<code>, mlir::OpTrait::VariadicRegions>;
  using Base::Base;
  static llvm::StringLiteral getOperationName() { return opNameOf(code); }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
};

/// A loop over elements, which every step of its region goes through.
class LoopOp : public MicroBase<LoopOp, mlir::OpTrait::OneRegion> {
public:
  using Base = MicroBase<LoopOp, mlir::OpTrait::OneRegion>;
  using Base::Base;
  static llvm::StringLiteral getOperationName() { return "micro.loop"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
};

/// Writes what a plan says as ops where the builder stands.
void createSteps(mlir::OpBuilder &b, const std::vector<StepGroup> &groups);

/// The step of an instruction.
Step stepOf(mlir::Operation *op);
/// Those of all instructions in the regions of an op, in their order.
std::vector<Step> stepsInside(mlir::Operation *op);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPOPS_H
