// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving elements along the first axis.

#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace neurite::dend {

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
  Lanes &out = frame.result(op.getResult());
  int64_t first = 0;
  for (Value operand : op.getInputs()) {
    const Lanes &part = frame[operand];
    for (int64_t n = 0; n < out.count; ++n)
      for (int64_t i = 0; i < part.size; ++i) {
        int64_t to = n * out.size + first + i;
        if (out.kind == Lanes::Kind::Complex)
          std::copy_n(complexAt(part, n, i), 2, out.real.data() + 2 * to);
        else if (out.isReal())
          out.real[to] = reals(part)(n, i);
        else
          out.raw[to] = raws(part)(n, i);
      }
    first += part.size;
  }
}

void evaluate(RollOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
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

} // namespace neurite::dend
