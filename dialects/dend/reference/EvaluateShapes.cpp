// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving elements along the first axis.

#include "dialects/dend/reference/Evaluate.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::dend {

/// Elements below one index of the first axis.
static int64_t rowSize(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value.getType());
  return shape.empty() ? 1 : elementCount(value.getType()) / shape.front();
}

void evaluate(SliceOp op, Frame &frame) {
  int64_t first = op.getOffset() * rowSize(op.getInput());
  fillFrom(frame.result(op.getResult()), frame[op.getInput()],
           [=](int64_t, int64_t i) { return first + i; });
}

void evaluate(ElementOp op, Frame &frame) {
  int64_t first = op.getIndex() * rowSize(op.getInput());
  fillFrom(frame.result(op.getResult()), frame[op.getInput()],
           [=](int64_t, int64_t i) { return first + i; });
}

void evaluate(ConcatOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  int64_t first = 0;
  for (Value operand : op.getInputs()) {
    const PopulationValue &part = frame[operand];
    // A complex element is a pair of numbers, side by side.
    const int64_t each = out.kind == ElementKind::Complex ? 2 : 1;
    auto copy = [&](const auto &from, auto &to) {
      for (int64_t n = 0; n < out.count; ++n)
        std::copy_n(from.data() + (part.count == 1 ? 0 : n) * part.size * each,
                    part.size * each,
                    to.data() + (n * out.size + first) * each);
    };
    if (out.isReal())
      copy(part.real, out.real);
    else
      copy(part.raw, out.raw);
    first += part.size;
  }
}

void evaluate(RollOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  int64_t row = rowSize(op.getInput()), rows = out.size / row;
  int64_t by = (int64_t(op.getBy()) % rows + rows) % rows;
  fillFrom(out, frame[op.getInput()], [=](int64_t, int64_t i) {
    return (i / row + rows - by) % rows * row + i % row;
  });
}

void evaluate(SplatOp op, Frame &frame) {
  fillFrom(frame.result(op.getResult()), frame[op.getInput()],
           [](int64_t, int64_t) { return 0; });
}

} // namespace dendrolith::dend
