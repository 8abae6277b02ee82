// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/WriteProgram.h"

#include "compiler/native/code/Function.h"
#include "compiler/native/program/Arithmetic.h"
#include "compiler/native/program/Control.h"
#include "compiler/native/program/Scaling.h"
#include "compiler/native/program/StepOps.h"
#include "compiler/native/program/Sums.h"

namespace dendrolith::native::program {

using mlir::Value;

/// Reads the amounts of shifts, which all neurons share.
static void loadAmounts(const std::vector<StepGroup> &groups, Visit &v) {
  const mlir::Type number = v.b.getI64Type();
  for (const StepGroup &group : groups) {
    for (const Step &step : group.steps)
      if (openAmount(step))
        v.state.amounts[step.number] =
            v.memory.load(number, v.memory.at(Arguments::Amounts, number,
                                              v.memory.number(step.number)));
    loadAmounts(group.inside, v);
  }
}

/// Writes the loop over neurons with the steps as they are inside.
static void writeNeurons(mlir::OpBuilder &b, VisitState &state) {
  Visit v(b, state);
  loadAmounts(state.plan.groups, v);
  v.loops.forEach(
      v.memory.argument(Arguments::Neurons), v.l.count, [&](Value neuron) {
        state.neuron = neuron;
        state.runs = v.isSet(Arguments::Runs, neuron);
        v.loops.ifAny(state.runs, [&] { createSteps(b, state.plan.groups); });
      });
  mlir::LLVM::ReturnOp::create(b, b.getUnknownLoc(), mlir::ValueRange());
}

mlir::FailureOr<size_t> writeProgram(mlir::OpBuilder &b, const Program &program,
                                     unsigned lanes, llvm::StringRef name) {
  const Plan plan(program);
  mlir::LLVM::LLVMFuncOp function = createFunction(
      b, name, Arguments::Row, Arguments::Number - Arguments::Row);
  mlir::Block *entry = function.addEntryBlock(b);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(entry);
  VisitState state(program, plan, lanes, *entry);
  writeNeurons(b, state);
  mlir::RewritePatternSet patterns(b.getContext());
  populateArithmeticPatterns(patterns, state);
  populateScalingPatterns(patterns, state);
  populateSumPatterns(patterns, state);
  populateControlPatterns(patterns, state);
  if (failed(convertFunction(function, std::move(patterns))))
    return mlir::failure();
  return plan.words.size() * lanes;
}

} // namespace dendrolith::native::program
