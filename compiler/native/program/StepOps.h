// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `micro`: the instructions of a program as ops, in the order and
// the loops of its plan. Patterns turn all of them into code. An instruction
// names words of memories, so that its op has neither operands nor results.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPOPS_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPOPS_H

#include "compiler/native/program/Plan.h"

#include "compiler/native/code/Function.h"
#include "compiler/native/program/Visit.h"
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
/// The steps of all instructions in the regions of an op, in their order.
std::vector<Step> stepsInside(mlir::Operation *op);

// Patterns of instructions that are one function: of the whole instruction, of
// an element of its result, or of that and the operands' elements.

template <MicroOp code, void (*write)(const Step &, Visit &)>
void writeStep(StepOp<code> op, Visit &v) {
  write(stepOf(op), v);
}
template <MicroOp code, void (*write)(const Step &, Visit &)>
using WriteStep = WriteOp<StepOp<code>, Visit, writeStep<code, write>>;

/// Writes the element of the loop, or all of them where there is none.
template <Lane (*compute)(const Step &, const At &, Visit &)>
void writeEach(const Step &step, Visit &v) {
  const uint32_t count = v.state.element ? 1 : step.code.n;
  // All operands are read first: a result may take the words of one.
  std::vector<Lane> results;
  for (uint32_t e = 0; e < count; ++e)
    results.push_back(compute(step, {e, v.state.element}, v));
  if (step.hasResult())
    for (uint32_t e = 0; e < count; ++e)
      v.put(step, {e, v.state.element}, results[e]);
}
template <MicroOp code, Lane (*compute)(const Step &, const At &, Visit &)>
using WriteEach = WriteStep<code, writeEach<compute>>;

template <Lane (*compute)(const Step &, const Lane *, Visit &)>
Lane ofOperands(const Step &step, const At &at, Visit &v) {
  const Lane operands[] = {v.element(step, 0, at), v.element(step, 1, at),
                           v.element(step, 2, at)};
  return compute(step, operands, v);
}
template <MicroOp code, Lane (*compute)(const Step &, const Lane *, Visit &)>
using WritePointwise = WriteEach<code, ofOperands<compute>>;

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPOPS_H
