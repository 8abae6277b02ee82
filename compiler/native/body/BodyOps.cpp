// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/BodyOps.h"

#include "dialects/dend/fast/CompiledBody.h"

namespace dendrolith::native::body {

using namespace mlir;

/// More elements than these are compared pair by pair for too long.
constexpr int64_t kMostMarked = 16;

static bool isMatrix(Value value) {
  return dend::shapeOf(value.getType()).size() == 2;
}

bool addsOuter(Operation *op) {
  if (auto rule = dyn_cast<dend::DeltaRuleOp>(op))
    return isMatrix(rule.getState());
  return isa<dend::OuterAddOp>(op);
}

bool isCall(Operation *op) {
  auto math = dyn_cast<dend::MathOp>(op);
  if (!math)
    return false;
  switch (math.getFunction()) {
  case dend::Function::Sqrt:
  case dend::Function::Rsqrt:
  case dend::Function::Reciprocal:
    return false;
  default:
    return true;
  }
}

template <typename... Ops> static bool isOneOf(Operation *op, OpList<Ops...>) {
  return isa<Ops...>(op);
}

bool isPointwise(Operation *op) {
  if (isa<dend::MathOp>(op))
    return !isCall(op);
  if (isa<dend::DeltaRuleOp>(op))
    return !addsOuter(op);
  return isOneOf(op, PointwiseOps());
}

/// Reals, i1 and i32; complex numbers where they are only kept and moved.
static bool isKnownType(Type type) { return !dend::fixedType(type); }

static bool hasReals(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), dend::isReal) &&
         llvm::all_of(op->getResultTypes(), dend::isReal);
}

static bool hasBools(Operation *op) {
  auto isBool = [](Type type) { return dend::elementType(type).isInteger(1); };
  return llvm::all_of(op->getOperandTypes(), isBool) &&
         llvm::all_of(op->getResultTypes(), isBool);
}

static bool isKnownOp(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isKnownType) ||
      !llvm::all_of(op->getResultTypes(), isKnownType))
    return false;
  if (isa<dend::BranchOp, dend::WhenOp, dend::YieldOp, dend::GiveOp>(op))
    return true;
  if (llvm::any_of(op->getOperandTypes(), dend::isComplex))
    return false;
  if (auto topk = dyn_cast<dend::TopKOp>(op))
    return dend::isReal(topk.getInput().getType()) &&
           sizeOf(topk.getInput()) <= kMostMarked;
  if (auto join = dyn_cast<dend::JoinOp>(op))
    return hasReals(op) || (hasBools(op) && !join.getWeights() &&
                            (join.getKind() == dend::JoinKind::Or ||
                             join.getKind() == dend::JoinKind::And));
  if (isa<dend::MinOp, dend::MaxOp>(op))
    return hasReals(op) || hasBools(op);
  if (auto fire = dyn_cast<dend::FireOp>(op))
    return dend::isReal(fire.getNext().getType());
  if (isa<dend::ToRealOp, dend::CmpOp, dend::SelectOp, dend::SliceOp,
          dend::ElementOp, dend::ConcatOp, dend::RollOp, dend::SplatOp,
          dend::SsfOp>(op))
    return true;
  return hasReals(op) &&
         (isPointwise(op) || isCall(op) || addsOuter(op) ||
          isa<dend::DotOp, dend::MatVecOp, dend::VecMatOp, dend::ReduceOp>(op));
}

bool isKnown(dend::NeuronOp model) {
  if (!llvm::all_of(model.getBlock().getArgumentTypes(), isKnownType))
    return false;
  const std::vector<dend::Depends> depends = dend::dependenciesOf(model);
  size_t next = model.getBlock().getNumArguments();
  bool all = true;
  // What no update changes is left to the interpreter, whatever it is.
  model.getBlock().walk([&](Operation *op) {
    const bool isFixed =
        op->getNumResults() > 0 && depends[next] != dend::Depends::OnState;
    all &= isFixed || isKnownOp(op);
    next += op->getNumResults();
  });
  return all;
}

} // namespace dendrolith::native::body
