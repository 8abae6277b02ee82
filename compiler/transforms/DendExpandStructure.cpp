// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-expand-structure: structure ops as the arithmetic they mean. The
// reference interpreter evaluates both forms, so it checks this pass.

#include "compiler/transforms/ExpandCuba.h"
#include "compiler/transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace neurite {
#define GEN_PASS_DEF_DENDEXPANDSTRUCTURE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

/// Builds real arithmetic of one type in front of an op.
class RealBuilder {
public:
  RealBuilder(Operation *op, Type type)
      : builder(op), loc(op->getLoc()), type(type) {}
  Value add(Value a, Value b) {
    return dend::AddOp::create(builder, loc, type, a, b);
  }
  Value sub(Value a, Value b) {
    return dend::SubOp::create(builder, loc, type, a, b);
  }
  Value mul(Value a, Value b) {
    return dend::MulOp::create(builder, loc, type, a, b);
  }

private:
  OpBuilder builder;
  Location loc;
  Type type;
};

// (keep * state + gain * drive) + offset
void expand(dend::CompartmentOp op) {
  RealBuilder b(op, op.getResult().getType());
  Value drive =
      op.getGain() ? b.mul(op.getGain(), op.getDrive()) : Value(op.getDrive());
  Value next = b.add(b.mul(op.getKeep(), op.getState()), drive);
  op.getResult().replaceAllUsesWith(op.getOffset() ? b.add(next, op.getOffset())
                                                   : next);
  op.erase();
}

// keep * state + gain * (dendrite + feed * input)
void expand(dend::SomaOp op) {
  RealBuilder b(op, op.getResult().getType());
  Value inner = b.add(op.getDendrite(), b.mul(op.getFeed(), op.getInput()));
  op.getResult().replaceAllUsesWith(
      b.add(b.mul(op.getKeep(), op.getState()), b.mul(op.getGain(), inner)));
  op.erase();
}

/// Only a weighted or plain sum has an arithmetic form in the body ops.
void expand(dend::JoinOp op) {
  if (op.getKind() != dend::JoinKind::Sum ||
      !dend::isReal(op.getResult().getType()))
    return;
  RealBuilder b(op, op.getResult().getType());
  OpBuilder builder(op);
  // The reference sums from zero, so a lone branch is 0 + x (-0 becomes 0).
  auto type = cast<FloatType>(dend::elementType(op.getResult().getType()));
  Value sum = dend::LiteralOp::create(builder, op.getLoc(), type,
                                      FloatAttr::get(type, 0.0));
  for (auto [j, branch] : llvm::enumerate(op.getBranches())) {
    Value term = branch;
    if (op.getWeights())
      term = b.mul(dend::ElementOp::create(builder, op.getLoc(), type,
                                           op.getWeights(), j),
                   term);
    sum = b.add(sum, term);
  }
  op.getResult().replaceAllUsesWith(sum);
  op.erase();
}

void expand(dend::FireOp op) {
  Type type = op.getNext().getType();
  if (!dend::isReal(type))
    return;
  OpBuilder builder(op);
  Value spike = dend::CmpOp::create(
      builder, op.getLoc(), op.getSpike().getType(),
      op.getInclusive() ? dend::Predicate::GE : dend::Predicate::GT,
      op.getPotential(), op.getThreshold());
  Value next = op.getPotential();
  if (op.getReset() != dend::ResetKind::None) {
    Value after = op.getTo();
    auto element = cast<FloatType>(dend::elementType(type));
    if (op.getReset() == dend::ResetKind::Subtract)
      after = RealBuilder(op, type).sub(op.getPotential(), op.getThreshold());
    else if (!after)
      after = dend::LiteralOp::create(builder, op.getLoc(), element,
                                      FloatAttr::get(element, 0.0));
    next = dend::SelectOp::create(builder, op.getLoc(), type, spike, after,
                                  op.getPotential());
  }
  op.getSpike().replaceAllUsesWith(spike);
  op.getNext().replaceAllUsesWith(next);
  op.erase();
}

struct DendExpandStructurePass
    : impl::DendExpandStructureBase<DendExpandStructurePass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<dend::NeuronOp>()) {
      expandCuba(model);
      for (Operation &op : llvm::make_early_inc_range(model.getBlock())) {
        if (auto compartment = dyn_cast<dend::CompartmentOp>(op))
          expand(compartment);
        else if (auto soma = dyn_cast<dend::SomaOp>(op))
          expand(soma);
        else if (auto join = dyn_cast<dend::JoinOp>(op))
          expand(join);
        else if (auto fire = dyn_cast<dend::FireOp>(op))
          expand(fire);
      }
    }
  }
};
} // namespace
} // namespace neurite
