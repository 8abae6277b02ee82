// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Evaluate.h"
#include "dialects/dend/reference/Ssf.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace neurite::dend {
namespace {

/// Calls `use` with the op cast to its class; false if the op is unknown.
template <typename F> bool withOp(Operation *op, F use) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<AddOp, SubOp, MulOp, DivOp, MinOp, MaxOp, NegOp, AbsOp, RescaleOp,
            ToRealOp, CmpOp, SelectOp, ClampOp, ShiftOp, ClzOp, MathOp, TableOp,
            DotOp, MatVecOp, VecMatOp, OuterAddOp, ReduceOp, TopKOp, SliceOp,
            ElementOp, ConcatOp, RollOp, SplatOp, WhenOp, CompartmentOp,
            BranchOp, CableOp, JoinOp, SomaOp, FireOp, SsfOp, DeltaRuleOp,
            CubaOp, LiteralOp>([&](auto typed) {
        use(typed);
        return true;
      })
      .Default([](Operation *) { return false; });
}

} // namespace

LogicalResult checkBody(NeuronOp model) {
  WalkResult walked = model.getBlock().walk([&](Operation *op) -> WalkResult {
    if (isa<YieldOp, GiveOp>(op))
      return success();
    if (!withOp(op, [](auto) {}))
      return op->emitOpError() << "has no meaning in a step body";
    if (isa<MathOp>(op) && fixedType(op->getResult(0).getType()))
      return op->emitOpError() << "stands for a recipe in fixed point; run "
                                  "--dend-expand-structure first";
    if (auto ssf = dyn_cast<SsfOp>(op))
      return checkSsf(ssf);
    return success();
  });
  return failure(walked.wasInterrupted());
}

void evaluate(Operation *op, Frame &frame) {
  // Literals are computed once, when the frame is made.
  if (!isa<LiteralOp>(op))
    withOp(op, [&](auto typed) { evaluate(typed, frame); });
}

void evaluateLiterals(NeuronOp model, Frame &frame) {
  model.getBlock().walk([&](LiteralOp op) { evaluate(op, frame); });
}

} // namespace neurite::dend
