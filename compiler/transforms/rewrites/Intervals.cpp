// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/Intervals.h"

using namespace mlir;

namespace dendrolith {

/// The rule of the one op with a region: a result is what the region gives or
/// what was carried.
static void evaluate(dend::WhenOp op, Intervals &values) {
  evaluateIntervals(op.getBody().front(), values);
  auto give = cast<dend::GiveOp>(op.getBody().front().getTerminator());
  Interval condition = values.lookup(op.getCondition());
  for (auto [result, given, kept] :
       llvm::zip(op.getResults(), give.getValues(), op.getCarried()))
    values[result] =
        dend::chosen(condition, values.lookup(given), values.lookup(kept));
}

void evaluateIntervals(Block &body, Intervals &values) {
  SmallVector<Interval> operands, results;
  for (Operation &op : body.without_terminator()) {
    if (auto when = dyn_cast<dend::WhenOp>(op)) {
      evaluate(when, values);
      continue;
    }
    operands.clear();
    for (Value operand : op.getOperands())
      operands.push_back(values.lookup(operand));
    results.clear();
    for (Type type : op.getResultTypes())
      results.push_back(dend::rangeOf(type));
    cast<dend::BodyOpInterface>(op).inferIntervals(operands, results);
    for (auto [value, interval] : llvm::zip_equal(op.getResults(), results))
      values[value] = interval;
  }
}

} // namespace dendrolith
