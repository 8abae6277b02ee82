// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What some neurons do and others do not: branches, and regions with a
// condition.

#include "runtime/session/jit/bodies/Blocks.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace dendrolith::sim::jit::bodies {

using namespace mlir;

/// Which lanes are neurons from `first` below `end`; null where all are that
/// could be in a vector that has one of them.
Value Blocks::isPresent(int64_t first, int64_t end) {
  const int64_t count = w.lanes.count;
  if (count == 1 || (first % count == 0 && end % count == 0))
    return Value();
  std::vector<int64_t> numbers;
  for (int64_t lane = 0; lane < count; ++lane)
    numbers.push_back(lane);
  const auto type = cast<VectorType>(w.lanes.type(64));
  const Lane own = {
      arith::ConstantOp::create(
          w.b, w.loc, DenseElementsAttr::get(type, ArrayRef(numbers))),
      64};
  const Lane neuron = w.lanes.add(w.lanes.repeat(w.neuron, 64), own);
  return w.lanes
      .both(w.lanes.compare(arith::CmpIPredicate::sge, neuron,
                            w.lanes.constant(first, 64)),
            w.lanes.compare(arith::CmpIPredicate::slt, neuron,
                            w.lanes.constant(end, 64)))
      .value;
}

/// V'_k = A_k V_k + G_k I; the sum over k of Re(C_k V'_k), k ascending.
Value Blocks::branchSum(dend::BranchOp op, Value input, Value present) {
  const Value state = op.getState(), next = op.getNext();
  const int64_t parts = partsOf(state);
  auto part = [&](Value value, At k, int64_t which) {
    if (sizeOf(value) == 1)
      k = At{};
    return e.read(value, w.plus(w.times(k, parts), which), 1);
  };
  auto keep = [&](At k, int64_t which, Value x, Value old) {
    e.keep(next, w.plus(w.times(k, parts), which),
           present ? w.choose(present, x, old) : x);
  };
  auto each = [&](At k, const std::vector<Value> &given) -> std::vector<Value> {
    const Value re = part(state, k, 0), a = part(op.getA(), k, 0);
    if (parts == 1) {
      const Value in = op.getG() ? w.mul(part(op.getG(), k, 0), input) : input;
      const Value v = w.add(w.mul(a, re), in);
      keep(k, 0, v, re);
      return {w.add(given[0], w.mul(part(op.getC(), k, 0), v))};
    }
    const Value im = part(state, k, 1), ai = part(op.getA(), k, 1);
    Value newRe = w.sub(w.mul(a, re), w.mul(ai, im));
    Value newIm = w.add(w.mul(a, im), w.mul(ai, re));
    if (op.getG()) {
      newRe = w.add(newRe, w.mul(part(op.getG(), k, 0), input));
      newIm = w.add(newIm, w.mul(part(op.getG(), k, 1), input));
    } else {
      newRe = w.add(newRe, input);
    }
    keep(k, 0, newRe, re);
    keep(k, 1, newIm, im);
    return {w.add(given[0], w.sub(w.mul(part(op.getC(), k, 0), newRe),
                                  w.mul(part(op.getC(), k, 1), newIm)))};
  };
  Value sum = w.forEach(sizeOf(state), {w.real(0, 1)}, each)[0];
  if (op.getDirect())
    sum = w.add(sum, w.mul(e.read(op.getDirect(), At{}, 1), input));
  const Value drive = e.activate(op.getActivation(), sum, places.spareOf(op));
  return present ? w.choose(present, drive, w.real(0, 1)) : drive;
}

void Blocks::branch(dend::BranchOp op) {
  const Value input = e.read(op.getInput(), At{}, 1);
  std::optional<ArrayRef<int64_t>> range = op.getRange();
  if (!range) {
    e.keep(op.getDrive(), At{}, branchSum(op, input, Value()));
    return;
  }
  const int64_t first = (*range)[0], end = (*range)[1];
  const Value present = isPresent(first, end);
  auto isBelow = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(w.b, w.loc, arith::CmpIPredicate::slt, x, y);
  };
  const Value last =
      arith::AddIOp::create(w.b, w.loc, w.neuron, w.number(w.lanes.count));
  const Value any =
      arith::AndIOp::create(w.b, w.loc, isBelow(w.number(first), last),
                            isBelow(w.neuron, w.number(end)));
  auto choice = scf::IfOp::create(
      w.b, w.loc, TypeRange{w.type(w.b.getF64Type(), 1)}, any, true);
  OpBuilder::InsertionGuard guard(w.b);
  w.b.setInsertionPointToEnd(choice.thenBlock());
  scf::YieldOp::create(w.b, w.loc, branchSum(op, input, present));
  w.b.setInsertionPointToEnd(choice.elseBlock());
  if (places[op.getNext()].space != States)
    copy(op.getState(), places[op.getNext()].word, Scratch);
  scf::YieldOp::create(w.b, w.loc, w.real(0, 1));
  e.keep(op.getDrive(), At{}, choice.getResult(0));
}

// Nothing is done where no lane's condition holds.
void Blocks::when(dend::WhenOp op) {
  const Value condition = e.read(op.getCondition(), At{}, 1);
  const Value bits = w.loops.bitsOf(condition);
  const Value none = arith::ConstantOp::create(
      w.b, w.loc, w.b.getIntegerAttr(bits.getType(), 0));
  const Value any =
      arith::CmpIOp::create(w.b, w.loc, arith::CmpIPredicate::ne, bits, none);
  auto inRegisters = [&](Value result) {
    return places[result].kind == Place::Kind::Registers;
  };
  SmallVector<mlir::Type> types;
  for (Value result : op.getResults())
    if (inRegisters(result))
      types.append(size_t(wordsOf(result)), w.type(result.getType(), 1));
  auto choice = scf::IfOp::create(w.b, w.loc, types, any, true);
  const auto terminator =
      cast<dend::GiveOp>(op.getBody().front().getTerminator());

  // The words of a side: value(result, number, index, width).
  auto fill = [&](Block *block, auto value, bool keeps) {
    OpBuilder::InsertionGuard guard(w.b);
    std::vector<Value> words;
    if (types.empty())
      w.b.setInsertionPoint(block->getTerminator());
    else
      w.b.setInsertionPointToEnd(block);
    if (!keeps)
      write(op.getBody().front());
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      const unsigned number = unsigned(i);
      if (inRegisters(result))
        for (int64_t k = 0; k < wordsOf(result); ++k)
          words.push_back(value(number, At{k}, 1u));
      else if (!keeps || places[result].space != States)
        w.forAll(wordsOf(result), [&, result = result](At at, unsigned width) {
          e.keep(result, at, value(number, at, width));
        });
    }
    if (!types.empty())
      scf::YieldOp::create(w.b, w.loc, words);
  };
  fill(
      choice.thenBlock(),
      [&](unsigned i, At at, unsigned width) {
        const Value given = e.read(terminator->getOperand(i), at, width);
        if (w.lanes.count == 1)
          return given;
        return w.choose(condition, given,
                        e.read(op.getCarried()[i], at, width));
      },
      false);
  fill(
      choice.elseBlock(),
      [&](unsigned i, At at, unsigned width) {
        return e.read(op.getCarried()[i], at, width);
      },
      true);
  size_t next = 0;
  for (Value result : op.getResults())
    if (inRegisters(result))
      for (int64_t k = 0; k < wordsOf(result); ++k)
        e.keep(result, At{k}, choice.getResult(unsigned(next++)));
}

} // namespace dendrolith::sim::jit::bodies
