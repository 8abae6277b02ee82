// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of products, reductions, movement of elements and regions, as far
// as TableGen does not say it already.
#include "dialects/dend/Checks.h"

using namespace mlir;

namespace dendrolith::dend {

// Checks that the operands and the result of a product are all real and of one
// type, or all fixed point. Fixed-point formats may differ, because each
// product is rescaled to the result's.
template <typename Op> static LogicalResult checkProduct(Op op) {
  if (!fixedType(op.getType()))
    return checkNumbers(
        op, {op.getLhs().getType(), op.getRhs().getType(), op.getType()},
        kReal);
  for (Value value : {op.getLhs(), op.getRhs()})
    if (!fixedType(value.getType()))
      return op.emitOpError() << "has a fixed-point result and an operand of "
                              << elementType(value.getType());
  return success();
}

static LogicalResult checkRank(Operation *op, StringRef what, Value value,
                               size_t rank) {
  if (shapeOf(value.getType()).size() == rank)
    return success();
  return op->emitOpError() << what << " has type " << value.getType()
                           << ", expected rank " << rank;
}

LogicalResult DotOp::verify() {
  if (failed(checkProduct(*this)) ||
      failed(checkRank(*this, "lhs", getLhs(), 1)) ||
      failed(checkShape(*this, "rhs", getRhs().getType(),
                        shapeOf(getLhs().getType()))))
    return failure();
  return checkShape(*this, "result", getType(), {});
}

LogicalResult MatVecOp::verify() {
  if (failed(checkProduct(*this)) ||
      failed(checkRank(*this, "lhs", getLhs(), 2)))
    return failure();
  ArrayRef<int64_t> matrix = shapeOf(getLhs().getType());
  if (failed(checkShape(*this, "rhs", getRhs().getType(), matrix[1])))
    return failure();
  return checkShape(*this, "result", getType(), matrix[0]);
}

LogicalResult VecMatOp::verify() {
  if (failed(checkProduct(*this)) ||
      failed(checkRank(*this, "rhs", getRhs(), 2)))
    return failure();
  ArrayRef<int64_t> matrix = shapeOf(getRhs().getType());
  if (failed(checkShape(*this, "lhs", getLhs().getType(), matrix[0])))
    return failure();
  return checkShape(*this, "result", getType(), matrix[1]);
}

LogicalResult OuterAddOp::verify() {
  if (failed(checkProduct(*this)) ||
      failed(checkRank(*this, "lhs", getLhs(), 1)) ||
      failed(checkRank(*this, "rhs", getRhs(), 1)))
    return failure();
  int64_t shape[] = {shapeOf(getLhs().getType())[0],
                     shapeOf(getRhs().getType())[0]};
  if (failed(checkShape(*this, "result", getType(), shape)))
    return failure();
  if (getAccumulator().getType() != getType())
    return emitOpError() << "accumulator has type "
                         << getAccumulator().getType() << ", the result "
                         << getType();
  return success();
}

LogicalResult ReduceOp::verify() {
  return checkShape(*this, "result", getType(), {});
}

LogicalResult TopKOp::verify() {
  if (failed(checkRank(*this, "input", getInput(), 1)))
    return failure();
  int64_t count = shapeOf(getInput().getType())[0], k = int64_t(getK());
  if (k < 1 || k > count)
    return emitOpError() << "marks " << k << " of " << count
                         << " elements, expected 1 to " << count;
  if (failed(checkElement(*this, "result", getType(),
                          IntegerType::get(getContext(), 1))))
    return failure();
  return checkShape(*this, "result", getType(), count);
}

// Checks that elements are taken from a tensor.
template <typename Op> static LogicalResult checkMove(Op op) {
  if (shapeOf(op.getInput().getType()).empty())
    return op.emitOpError()
           << "needs a tensor, found " << op.getInput().getType();
  return success();
}

LogicalResult SliceOp::verify() {
  if (failed(checkMove(*this)))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getInput().getType()));
  int64_t offset = int64_t(getOffset()), size = int64_t(getSize());
  if (offset < 0 || size < 1 || size > shape[0] || offset > shape[0] - size)
    return emitOpError() << "takes " << size << " elements from " << offset
                         << " of an axis of " << shape[0];
  shape[0] = size;
  return checkShape(*this, "result", getType(), shape);
}

LogicalResult ElementOp::verify() {
  if (failed(checkMove(*this)))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getInput().getType());
  int64_t index = int64_t(getIndex());
  if (index < 0 || index >= shape[0])
    return emitOpError() << "takes element " << index << " of an axis of "
                         << shape[0];
  return checkShape(*this, "result", getType(), shape.drop_front());
}

LogicalResult RollOp::verify() { return checkMove(*this); }

LogicalResult SplatOp::verify() {
  if (failed(checkShape(*this, "input", getInput().getType(), {})))
    return failure();
  if (shapeOf(getType()).empty())
    return emitOpError() << "gives a tensor, found " << getType();
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "needs at least one input";
  ArrayRef<int64_t> result = shapeOf(getType());
  if (result.empty())
    return emitOpError() << "gives a tensor, found " << getType();
  int64_t total = 0;
  for (auto [i, type] : llvm::enumerate(getOperandTypes())) {
    ArrayRef<int64_t> shape = shapeOf(type);
    if (shape.empty() ? result.size() != 1
                      : shape.drop_front() != result.drop_front())
      return emitOpError() << "input #" << i << " has type " << type
                           << ", which cannot be joined into " << getType();
    total += shape.empty() ? 1 : shape[0];
  }
  if (total != result[0])
    return emitOpError() << "joins " << total << " elements into an axis of "
                         << result[0];
  return success();
}

LogicalResult WhenOp::verify() {
  auto give = llvm::dyn_cast<GiveOp>(getBody().front().back());
  if (!give)
    return emitOpError() << "must end with dend.give";
  TypeRange kept = getCarried().getTypes(), results = getResults().getTypes();
  if (kept != results)
    return emitOpError() << "keeps " << kept.size() << " values (" << kept
                         << ") for " << results.size() << " results ("
                         << results << "); they must have the same types";
  TypeRange given = give.getValues().getTypes();
  if (given != results) {
    auto diagnostic = emitOpError()
                      << "is given " << given.size() << " values (" << given
                      << ") for " << results.size() << " results (" << results
                      << "); they must have the same types";
    diagnostic.attachNote(give.getLoc()) << "given here";
    return diagnostic;
  }
  return success();
}

} // namespace dendrolith::dend
