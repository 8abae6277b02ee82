// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving elements along the first axis.

#include "runtime/session/jit/bodies/Blocks.h"

namespace dendrolith::sim::jit::bodies {

using namespace mlir;

/// Elements below one index of the first axis.
static int64_t rowSize(Value value) {
  ArrayRef<int64_t> shape = dend::shapeOf(value.getType());
  return shape.empty() ? 1 : sizeOf(value) / shape.front();
}

/// A few elements, from row `first` of the operand on.
void Blocks::take(Value result, int64_t first) {
  const Value input = result.getDefiningOp()->getOperand(0);
  for (int64_t i = 0; i < sizeOf(result); ++i)
    e.keep(result, At{i}, e.read(input, At{first * rowSize(input) + i}, 1));
}

void Blocks::concat(dend::ConcatOp op) {
  int64_t first = 0;
  for (Value part : op.getInputs()) {
    w.forAll(sizeOf(part), [&](At at, unsigned width) {
      e.keep(op.getResult(), w.plus(at, first), e.read(part, at, width));
    });
    first += sizeOf(part);
  }
}

void Blocks::roll(dend::RollOp op) {
  const int64_t row = rowSize(op.getInput()), size = sizeOf(op.getInput());
  const int64_t rows = size / row;
  const int64_t by = (int64_t(op.getBy()) % rows + rows) % rows * row;
  auto part = [&](int64_t to, int64_t from, int64_t count) {
    w.forAll(count, [&](At at, unsigned width) {
      e.keep(op.getResult(), w.plus(at, to),
             e.read(op.getInput(), w.plus(at, from), width));
    });
  };
  part(by, 0, size - by);
  part(0, size - by, by);
}

} // namespace dendrolith::sim::jit::bodies
