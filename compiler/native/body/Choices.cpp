// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/body/Choices.h"

#include "compiler/native/body/WriteOp.h"

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

namespace {

/// A region that nothing enters where no lane's condition holds. Its ops stay
/// as they are for now.
class WriteWhen : public OpRewritePattern<dend::WhenOp> {
public:
  WriteWhen(MLIRContext *context, BodyState &state)
      : OpRewritePattern(context), state(state) {}

  LogicalResult matchAndRewrite(dend::WhenOp op,
                                PatternRewriter &b) const override {
    Elements e(b, state);
    Words &w = e.w;
    const Value condition = e.read(op.getCondition(), At{}, 1);
    const Value bits = w.loops.bitsOf(condition);
    const Value none = arith::ConstantOp::create(
        b, w.loc, b.getIntegerAttr(bits.getType(), 0));
    const Value any =
        arith::CmpIOp::create(b, w.loc, arith::CmpIPredicate::ne, bits, none);
    SmallVector<mlir::Type> types;
    for (Value result : op.getResults())
      if (isInRegisters(result, e))
        types.append(size_t(wordsOf(result)), w.type(result.getType(), 1));
    auto choice = scf::IfOp::create(b, w.loc, types, any,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    b.setInsertionPointToEnd(choice.elseBlock());
    const std::vector<Value> carried =
        writeSide(op, e, true, [&](unsigned i, At at, unsigned width) {
          return e.read(op.getCarried()[i], at, width);
        });
    scf::YieldOp::create(b, w.loc, carried);
    b.inlineBlockBefore(&op.getBody().front(), choice.thenBlock(),
                        choice.thenBlock()->end());
    state.choices[choice] = {op, condition};
    size_t next = 0;
    for (Value result : op.getResults())
      if (isInRegisters(result, e))
        for (int64_t k = 0; k < wordsOf(result); ++k)
          e.keep(result, At{k}, choice.getResult(unsigned(next++)));
    b.eraseOp(op);
    return success();
  }

private:
  BodyState &state;
};

} // namespace

/// The end of a region: its values are taken in the lanes alone whose condition
/// holds.
static void writeGive(dend::GiveOp op, Elements &e) {
  Words &w = e.w;
  auto [when, condition] = e.state.choices.lookup(op->getParentOp());
  const std::vector<Value> given = writeSide(
      when, e, false,
      [&, when = when, condition = condition](unsigned i, At at,
                                              unsigned width) {
        const Value inside = e.read(op->getOperand(i), at, width);
        if (w.lanes.count == 1)
          return inside;
        return w.choose(condition, inside,
                        e.read(dend::WhenOp(when).getCarried()[i], at, width));
      });
  scf::YieldOp::create(w.b, w.loc, given);
}

void populateChoicePatterns(RewritePatternSet &patterns, BodyState &state) {
  patterns.add<WriteOp<dend::BranchOp, writeBranch>, WriteWhen,
               WriteOp<dend::GiveOp, writeGive>>(patterns.getContext(), state);
}

} // namespace dendrolith::native::body
