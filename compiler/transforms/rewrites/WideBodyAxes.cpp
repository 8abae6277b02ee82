// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How axes of operands and results of a body op belong together.

#include "compiler/transforms/rewrites/WideBody.h"

using namespace mlir;

namespace dendrolith {

static size_t rankOf(Value value) {
  return dend::shapeOf(value.getType()).size();
}

std::optional<SmallVector<int>> operandAxes(Operation *op, int axis) {
  size_t rank = rankOf(op->getResult(0));
  if (axis < 0 || size_t(axis) >= rank)
    return std::nullopt;
  if (isa<dend::TableOp>(op))
    return SmallVector<int>{axis, kWhole};
  if (isa<dend::MatVecOp>(op))
    return SmallVector<int>{0, kWhole};
  if (isa<dend::VecMatOp>(op))
    return SmallVector<int>{kWhole, 1};
  if (isa<dend::OuterAddOp>(op))
    return SmallVector<int>{axis, axis == 0 ? 0 : kWhole,
                            axis == 1 ? 0 : kWhole};
  // These two go along the first axis.
  if (isa<dend::SliceOp>(op))
    return axis > 0 ? std::optional(SmallVector<int>{axis}) : std::nullopt;
  if (isa<dend::ElementOp>(op))
    return SmallVector<int>{axis + 1};
  if (isa<dend::SplatOp>(op))
    return SmallVector<int>{kWhole};
  auto body = dyn_cast<dend::BodyOpInterface>(op);
  if (!body || !body.isElementwise() || !body.hasIntegerForm())
    return std::nullopt;
  SmallVector<int> axes;
  for (Value operand : op->getOperands())
    axes.push_back(rankOf(operand) ? axis : kWhole);
  return axes;
}

std::optional<SmallVector<int>> summedAxes(Operation *op, int axis) {
  if (op->getNumResults() != 1 || !dend::fixedType(op->getResult(0).getType()))
    return std::nullopt;
  if (isa<dend::DotOp, dend::VecMatOp>(op))
    return SmallVector<int>{0, 0};
  if (isa<dend::MatVecOp>(op))
    return SmallVector<int>{1, 0};
  auto reduce = dyn_cast<dend::ReduceOp>(op);
  if (reduce && reduce.getKind() == dend::Reduction::Sum)
    return SmallVector<int>{axis};
  return std::nullopt;
}

std::vector<int64_t> positionsOf(ArrayRef<int64_t> shape, int axis, int64_t low,
                                 int64_t high) {
  int64_t count = 1, inner = 1;
  for (int64_t size : shape)
    count *= size;
  for (size_t d = size_t(axis + 1); axis >= 0 && d < shape.size(); ++d)
    inner *= shape[d];
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = axis < 0 ? low : i / inner % shape[size_t(axis)];
    if (axis < 0 || (index >= low && index < high))
      positions.push_back(i);
  }
  return positions;
}

} // namespace dendrolith
