// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/fast/Evaluate.h"

using namespace mlir;

namespace dendrolith::dend::fast {
namespace {

using Meanings = llvm::DenseMap<TypeID, void (*)(Operation *, Frame &)>;

template <typename... Ops> Meanings meaningsOf() {
  Meanings meanings;
  ((meanings[TypeID::get<Ops>()] =
        [](Operation *op, Frame &frame) {
          fast::evaluate(llvm::cast<Ops>(op), frame);
        }),
   ...);
  return meanings;
}

} // namespace

void evaluateOp(Operation *op, Frame &frame) {
  static const Meanings meanings =
      meaningsOf<AddOp, SubOp, MulOp, DivOp, MinOp, MaxOp, NegOp, AbsOp, CmpOp,
                 SelectOp, ClampOp, WhenOp, RescaleOp, DotOp, MatVecOp,
                 VecMatOp, OuterAddOp, ReduceOp, TopKOp>();
  auto found = meanings.find(op->getName().getTypeID());
  if (found == meanings.end())
    dend::evaluateOp(op, frame);
  else
    found->second(op, frame);
}

} // namespace dendrolith::dend::fast
