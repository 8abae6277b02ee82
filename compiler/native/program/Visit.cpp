// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Visit.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace dendrolith::native::program {

using micro::Operand;
using micro::Space;
using mlir::Value;
using mlir::arith::CmpIPredicate;

Lane Visit::word(Space space, uint32_t at, unsigned bits) {
  auto known = state.words.find({space, at});
  if (known != state.words.end())
    return known->second;
  return state.words[{space, at}] = memory.load(space, {at}, bits);
}

void Visit::readAhead(const Step &step) {
  for (unsigned o = 0; o < 3; ++o) {
    const Operand &operand = step.operand(o);
    if (operand.space != Space::None && operand.scalar)
      word(operand.space, operand.index, step.bitsOf(o));
  }
}

Lane Visit::element(const Step &step, unsigned o, const At &at) {
  const Operand &operand = step.operand(o);
  if (operand.space == Space::None)
    return {};
  if (accessOf(step, o) == Access::Scalar)
    return word(operand.space, operand.index, step.bitsOf(o));
  if (!at.more)
    return word(operand.space, operand.index + at.fixed, step.bitsOf(o));
  auto known = state.vectors.find({operand.space, operand.index});
  if (known != state.vectors.end())
    return known->second;
  return state.vectors[{operand.space, operand.index}] = memory.load(
             operand.space, {operand.index, at.more}, step.bitsOf(o));
}

Lane Visit::anywhere(const Step &step, unsigned o, Value at) {
  const Operand &operand = step.operand(o);
  if (operand.scalar)
    return word(operand.space, operand.index, step.bitsOf(o));
  return memory.load(operand.space, {operand.index, at}, step.bitsOf(o));
}

void Visit::put(const Step &step, const At &at, Lane value) {
  const Operand &d = step.code.d;
  const At index{d.index + at.fixed, at.more};
  value = l.as(value, holding(step.resultBits));
  (at.more ? state.vectors : state.words)[{d.space, index.fixed}] = value;
  if (d.space == Space::Register && !state.plan.words[d.index].inMemory)
    return;
  if (state.mask) // what stands there may have more bits than the result
    value = l.choose({state.mask, 1}, l.as(value, 64),
                     memory.load(d.space, index, 64));
  memory.store(d.space, index, value);
}

void Visit::forget(const Step &step) {
  const Operand &d = step.code.d;
  if (step.hasResult())
    state.words.erase(
        state.words.lower_bound({d.space, d.index}),
        state.words.lower_bound({d.space, d.index + step.code.n}));
}

Value Visit::activeLanes() {
  return state.mask ? l.both({state.mask, 1}, {state.runs, 1}).value
                    : state.runs;
}

mlir::Type Visit::bytes() {
  mlir::Type byte = b.getIntegerType(8);
  return l.count == 1 ? byte : mlir::VectorType::get({int64_t(l.count)}, byte);
}

Value Visit::isSet(unsigned argument, Value byte) {
  Value lanes =
      memory.load(bytes(), memory.at(argument, b.getIntegerType(8), byte));
  return l.compare(CmpIPredicate::ne, {lanes, 8}, l.constant(0, 8)).value;
}

void Visit::setBytes(unsigned argument, Value byte, Value lanes) {
  memory.store(mlir::arith::ExtUIOp::create(b, l.loc, bytes(), lanes),
               memory.at(argument, b.getIntegerType(8), byte));
}

void Visit::countPart(uint32_t part, Value lanes) {
  Value pointer =
      memory.at(Arguments::Counts, b.getI64Type(), memory.number(part));
  Value more = mlir::math::CtPopOp::create(
      b, l.loc,
      mlir::arith::ExtUIOp::create(b, l.loc, b.getI64Type(),
                                   loops.bitsOf(lanes)));
  memory.store(memory.plus(memory.load(b.getI64Type(), pointer), more),
               pointer);
  // Rows of bytes have as many as there are neurons, in whole lanes.
  const int64_t whole = kLanes;
  Value row = memory.plus(memory.argument(Arguments::Neurons),
                          memory.number(whole - 1));
  row = mlir::arith::AndIOp::create(b, l.loc, row, memory.number(-whole));
  setBytes(
      Arguments::Came,
      memory.plus(memory.times(row, memory.number(part - 1)), state.neuron),
      lanes);
}

} // namespace dendrolith::native::program
