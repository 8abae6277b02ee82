// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/Choices.h"

#include "compiler/native/body/Elements.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace dendrolith::native::body {

using namespace mlir;

/// Which lanes are neurons from `first` below `end`; null where all are that
/// could be in a vector that has one of them.
static Value isPresent(int64_t first, int64_t end, Elements &e) {
  Words &w = e.w;
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
  const Lane neuron = w.lanes.add(w.lanes.repeat(e.state.neuron, 64), own);
  return w.lanes
      .both(w.lanes.compare(arith::CmpIPredicate::sge, neuron,
                            w.lanes.constant(first, 64)),
            w.lanes.compare(arith::CmpIPredicate::slt, neuron,
                            w.lanes.constant(end, 64)))
      .value;
}

/// V'_k = A_k V_k + G_k I; the sum over k of Re(C_k V'_k), k ascending.
static Value branchSum(dend::BranchOp op, Value input, Value present,
                       Elements &e) {
  Words &w = e.w;
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
  const Value drive = e.activate(op.getActivation(), sum, e.places.spareOf(op));
  return present ? w.choose(present, drive, w.real(0, 1)) : drive;
}

static void writeBranch(dend::BranchOp op, Elements &e) {
  Words &w = e.w;
  const Value input = e.read(op.getInput(), At{}, 1);
  std::optional<ArrayRef<int64_t>> range = op.getRange();
  if (!range) {
    e.keep(op.getDrive(), At{}, branchSum(op, input, Value(), e));
    return;
  }
  const int64_t first = (*range)[0], end = (*range)[1];
  const Value present = isPresent(first, end, e);
  auto isBelow = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(w.b, w.loc, arith::CmpIPredicate::slt, x, y);
  };
  const Value last = arith::AddIOp::create(w.b, w.loc, e.state.neuron,
                                           w.number(w.lanes.count));
  const Value any =
      arith::AndIOp::create(w.b, w.loc, isBelow(w.number(first), last),
                            isBelow(e.state.neuron, w.number(end)));
  auto choice = scf::IfOp::create(
      w.b, w.loc, TypeRange{w.type(w.b.getF64Type(), 1)}, any, true);
  OpBuilder::InsertionGuard guard(w.b);
  w.b.setInsertionPointToEnd(choice.thenBlock());
  scf::YieldOp::create(w.b, w.loc, branchSum(op, input, present, e));
  w.b.setInsertionPointToEnd(choice.elseBlock());
  if (e.places[op.getNext()].space != States)
    e.copy(op.getState(), e.places[op.getNext()].word, Scratch);
  scf::YieldOp::create(w.b, w.loc, w.real(0, 1));
  e.keep(op.getDrive(), At{}, choice.getResult(0));
}

static bool isInRegisters(Value result, const Elements &e) {
  return e.places[result].kind == Place::Kind::Registers;
}

/// Keeps what a side of a choice gives, value(number, index, width), but for
/// words in registers, which are returned. The side that `carries` leaves in
/// place what lies in a state.
template <typename Give>
static std::vector<Value> writeSide(dend::WhenOp op, Elements &e, bool carries,
                                    Give value) {
  std::vector<Value> words;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    const unsigned number = unsigned(i);
    if (isInRegisters(result, e))
      for (int64_t k = 0; k < wordsOf(result); ++k)
        words.push_back(value(number, At{k}, 1u));
    else if (!carries || e.places[result].space != States)
      e.w.forAll(wordsOf(result), [&, result = result](At at, unsigned width) {
        e.keep(result, at, value(number, at, width));
      });
  }
  return words;
}

/// A region that nothing enters where no lane's condition holds. What it gives
/// is taken in the lanes alone whose condition holds.
static void writeWhen(dend::WhenOp op, Elements &e,
                      llvm::function_ref<void()> inside) {
  Words &w = e.w;
  const Value condition = e.read(op.getCondition(), At{}, 1);
  SmallVector<mlir::Type> types;
  for (Value result : op.getResults())
    if (isInRegisters(result, e))
      types.append(size_t(wordsOf(result)), w.type(result.getType(), 1));
  auto choice = scf::IfOp::create(w.b, w.loc, types, w.loops.isAny(condition),
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  auto carried = [&](unsigned i, At at, unsigned width) {
    return e.read(op.getCarried()[i], at, width);
  };
  w.b.setInsertionPointToEnd(choice.elseBlock());
  scf::YieldOp::create(w.b, w.loc, writeSide(op, e, true, carried));
  const SmallVector<Value> given(
      op.getBody().front().getTerminator()->getOperands());
  w.b.setInsertionPointToEnd(choice.thenBlock());
  inside();
  auto taken = [&](unsigned i, At at, unsigned width) {
    const Value value = e.read(given[i], at, width);
    return w.lanes.count == 1
               ? value
               : w.choose(condition, value, carried(i, at, width));
  };
  scf::YieldOp::create(w.b, w.loc, writeSide(op, e, false, taken));
  unsigned next = 0;
  for (Value result : op.getResults())
    if (isInRegisters(result, e))
      for (int64_t k = 0; k < wordsOf(result); ++k)
        e.keep(result, At{k}, choice.getResult(next++));
}

/// The end of a region, where writeWhen() goes on.
static void writeGive(dend::GiveOp, Elements &) {}

void populateChoicePatterns(RewritePatternSet &patterns, BodyState &state) {
  patterns.add<WriteOp<dend::BranchOp, writeBranch>,
               WriteRegion<dend::WhenOp, Elements, writeWhen>,
               WriteOp<dend::GiveOp, writeGive>>(patterns.getContext(), state);
}

} // namespace dendrolith::native::body
