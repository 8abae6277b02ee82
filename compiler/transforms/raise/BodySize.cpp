// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/BodySize.h"

namespace dendrolith {

using namespace mlir;

/// Operations that an op becomes. A quotient becomes a reciprocal's recipe.
static unsigned operationsOf(Operation *op) {
  constexpr unsigned recipe = 10;
  if (isa<dend::LiteralOp>(op))
    return 0;
  if (auto one = dyn_cast<dend::CompartmentOp>(op))
    return 2 + (one.getGain() ? 1 : 0) + (one.getOffset() ? 1 : 0);
  if (auto fire = dyn_cast<dend::FireOp>(op))
    return 1 + (fire.getReset() != dend::ResetKind::None) +
           (fire.getReset() == dend::ResetKind::Subtract);
  return isa<dend::DivOp, dend::MathOp>(op) ? recipe : 1;
}

BodySize sizeOfBody(ArrayRef<Value> values) {
  BodySize size;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    size.operations += operationsOf(op);
    size.structure += isa<dend::CompartmentOp, dend::FireOp>(op);
    auto fire = dyn_cast<dend::FireOp>(op);
    size.fixedFunction &=
        isa<dend::CompartmentOp, dend::LiteralOp>(op) ||
        (fire && fire.getReset() != dend::ResetKind::Subtract);
    op->walk([&](Operation *inner) {
      llvm::append_range(open, inner->getOperands());
    });
  }
  return size;
}

} // namespace dendrolith
