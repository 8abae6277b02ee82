// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/StepOps.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace dendrolith::native::program {

/// The words of an instruction in images, of 64 bits.
constexpr size_t kCodeWords = micro::Instruction::kBytes / sizeof(int64_t);
static constexpr const char *kStep = "step";

MicroDialect::MicroDialect(mlir::MLIRContext *context)
    : Dialect(getDialectNamespace(), context,
              mlir::TypeID::get<MicroDialect>()) {
#define MICRO_OP(number, Name, ...) addOperations<StepOp<MicroOp::Name>>();
#include "targets/loader/chip/MicroOps.def"
  addOperations<LoopOp>();
}

static mlir::Attribute encodeStep(mlir::OpBuilder &b, const Step &step) {
  std::vector<int64_t> words = micro::decodeI64(micro::encodeCode({step.code}));
  for (uint32_t number : {step.bits.a, step.bits.b, step.bits.c,
                          step.resultBits, step.number, step.sent, step.part})
    words.push_back(number);
  return b.getDenseI64ArrayAttr(words);
}

Step stepOf(mlir::Operation *op) {
  const llvm::ArrayRef<int64_t> words =
      op->getAttrOfType<mlir::DenseI64ArrayAttr>(kStep).asArrayRef();
  auto number = [&](size_t i) { return uint32_t(words[kCodeWords + i]); };
  Step step;
  step.code =
      micro::decodeCode(micro::encodeI64(words.take_front(kCodeWords))).front();
  step.bits = {number(0), number(1), number(2)};
  step.resultBits = number(3);
  step.number = number(4);
  step.sent = number(5);
  step.part = number(6);
  return step;
}

std::vector<Step> stepsInside(mlir::Operation *op) {
  std::vector<Step> steps;
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inside) {
    if (inside != op && inside->hasAttr(kStep))
      steps.push_back(stepOf(inside));
  });
  return steps;
}

static mlir::Operation *createStep(mlir::OpBuilder &b, const Step &step) {
  mlir::OperationState op(b.getUnknownLoc(), opNameOf(step.code.op));
  op.addAttribute(kStep, encodeStep(b, step));
  if (step.code.op == MicroOp::Skip)
    op.addRegion();
  return b.create(op);
}

static mlir::Operation *createLoop(mlir::OpBuilder &b) {
  mlir::OperationState op(b.getUnknownLoc(), LoopOp::getOperationName());
  op.addRegion();
  return b.create(op);
}

void createSteps(mlir::OpBuilder &b, const std::vector<StepGroup> &groups) {
  for (const StepGroup &group : groups) {
    mlir::Operation *op =
        group.isLoop() ? createLoop(b) : createStep(b, group.steps.front());
    if (op->getNumRegions() == 0)
      continue;
    mlir::OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op->getRegion(0));
    if (group.isLoop())
      for (const Step &step : group.steps)
        createStep(b, step);
    createSteps(b, group.inside);
  }
}

} // namespace dendrolith::native::program
