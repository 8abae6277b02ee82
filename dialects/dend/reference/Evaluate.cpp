// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Evaluate.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

using Meanings = llvm::DenseMap<TypeID, void (*)(Operation *, Frame &)>;

template <typename Op> void addMeaning(Meanings &meanings) {
  if constexpr (Op::template hasTrait<BodyOpInterface::Trait>())
    meanings[TypeID::get<Op>()] = [](Operation *op, Frame &frame) {
      evaluate(llvm::cast<Op>(op), frame);
    };
}

template <typename... Ops> Meanings makeMeanings() {
  Meanings meanings;
  (addMeaning<Ops>(meanings), ...);
  return meanings;
}

/// The `evaluate` of each body op of the dialect.
const Meanings &meanings() {
  static const Meanings all = makeMeanings<
#define GET_OP_LIST
#include "dialects/dend/DendOps.cpp.inc"
      >();
  return all;
}

} // namespace

LogicalResult checkBody(NeuronOp model) {
  WalkResult walked = model.getBlock().walk([&](Operation *op) -> WalkResult {
    if (isa<YieldOp, GiveOp>(op))
      return success();
    if (!isa<BodyOpInterface>(op))
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

void evaluateOp(Operation *op, Frame &frame) {
  if (!isa<LiteralOp>(op))
    meanings().at(op->getName().getTypeID())(op, frame);
}

void evaluateLiterals(NeuronOp model, Frame &frame) {
  model.getBlock().walk([&](LiteralOp op) { evaluate(op, frame); });
}

} // namespace dendrolith::dend
