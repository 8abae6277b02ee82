// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/WriteProgram.h"

#include "compiler/native/code/Function.h"
#include "compiler/native/program/Arithmetic.h"
#include "compiler/native/program/Memories.h"
#include "compiler/native/program/Scaling.h"
#include "compiler/native/program/StepOps.h"
#include "compiler/native/program/Sums.h"

#include "mlir/IR/PatternMatch.h"

namespace dendrolith::native::program {
namespace {

using mlir::Value;
using Inside = llvm::function_ref<void()>;

/// Writes what a loop does for each element, and returns its sums, which begin
/// with `first`.
std::vector<Value> writeElements(uint32_t extent, const std::vector<Step> &sums,
                                 const std::vector<Lane> &first, Visit &v,
                                 Inside inside) {
  std::vector<Value> carried;
  for (const Lane &sum : first)
    carried.push_back(sum.value);
  const std::map<VisitState::Key, Lane> before = v.state.words;
  std::vector<Value> found = v.loops.forEach(
      v.memory.number(extent), 1, carried,
      [&](Value element, const std::vector<Value> &given) {
        v.state.element = element;
        for (size_t s = 0; s < sums.size(); ++s)
          v.state.sums[sums[s].number] = {given[s], first[s].held};
        inside();
        std::vector<Value> next;
        for (const Step &sum : sums)
          next.push_back(v.state.sums[sum.number].value);
        return next;
      });
  v.state.element = Value();
  v.state.vectors.clear();
  v.state.words = before;
  return found;
}

void writeLoop(LoopOp op, Visit &v, Inside inside) {
  const std::vector<Step> steps = stepsInside(op);
  // Words that no loop changes are read ahead of it.
  for (const Step &step : steps)
    v.readAhead(step);
  std::vector<Step> sums;
  std::vector<Lane> first;
  for (const Step &step : steps)
    if (isReduction(step)) {
      sums.push_back(step);
      first.push_back(beginSum(step, v));
    }
  const std::vector<Value> found =
      writeElements(extentOf(steps.front()), sums, first, v, inside);
  for (const Step &step : steps)
    if (!isReduction(step))
      v.forget(step);
  for (size_t s = 0; s < sums.size(); ++s)
    endSum(sums[s], {found[s], first[s].held}, v);
}

/// What lanes send that do not come inside.
void sendNothing(const std::vector<Step> &steps, Visit &v) {
  for (const Step &step : steps)
    if (step.code.op == MicroOp::Emit)
      v.loops.forEach(v.memory.number(step.code.n), 1, [&](Value e) {
        v.memory.send({step.sent, e}, v.l.constant(0, 64));
      });
}

/// A region that nothing enters where no lane's condition holds.
void writeSkip(StepOp<MicroOp::Skip> op, Visit &v, Inside inside) {
  const std::vector<Step> steps = stepsInside(op);
  const Step skip = stepOf(op);
  const Lane condition =
      v.word(skip.code.a.space, skip.code.a.index, skip.bits.a);
  Value mask = v.l.isNotZero(condition);
  const Value outer = v.state.mask;
  if (outer)
    mask = v.l.both({outer, 1}, {mask, 1}).value;
  else
    sendNothing(steps, v);
  const std::map<VisitState::Key, Lane> before = v.state.words;
  v.loops.ifAny(mask, [&] {
    v.state.mask = mask;
    v.countPart(skip.part, v.activeLanes());
    inside();
  });
  v.state.mask = outer;
  v.state.words = before;
  for (const Step &step : steps)
    v.forget(step);
}

Lane sent(const Step &step, const At &at, Visit &v) {
  Lanes &l = v.l;
  const Program::Range &output = v.state.program.outputs[step.code.m];
  Lane value = l.as(v.element(step, 0, at), 64);
  value = l.least(l.most(value, l.constant(output.low, 64)),
                  l.constant(output.high, 64));
  value = l.choose({v.activeLanes(), 1}, value, l.constant(0, 64));
  v.memory.send({step.sent + at.fixed, at.more}, value);
  if (l.count == 1)
    return {}; // whoever reads what a single neuron sends looks at all of it
  const Value before = v.isSet(Arguments::Any, v.state.neuron);
  v.setBytes(Arguments::Any, v.state.neuron,
             l.either({before, 1}, {l.isNotZero(value), 1}).value);
  return {};
}

void populateControlPatterns(mlir::RewritePatternSet &patterns,
                             VisitState &state) {
  patterns.add<WriteRegion<LoopOp, Visit, writeLoop>,
               WriteRegion<StepOp<MicroOp::Skip>, Visit, writeSkip>,
               WriteEach<MicroOp::Emit, sent>>(patterns.getContext(), state);
}

} // namespace

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
