// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise ops. Each writes what the reference interpreter computes
// (dialects/dend/fast/Elements.cpp and Structure.cpp), in its order.

#include "runtime/session/jit/bodies/Elements.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

namespace dendrolith::sim::jit::bodies {

using namespace mlir;
using Is = arith::CmpFPredicate;

Value Elements::read(Value value, At at, unsigned width) {
  const Place &place = places[value];
  if (wordsOf(value) == 1 && (width > 1 || at.fixed || at.more))
    return readOne(value, At{}, width);
  switch (place.kind) {
  case Place::Kind::Registers:
    return registers.find(value)->second[size_t(at.fixed)];
  case Place::Kind::Lazy:
    return compute(cast<OpResult>(value), at, width);
  case Place::Kind::Memory:
    return w.load(value.getType(), place.space, w.plus(at, place.word), width);
  }
  return Value();
}

void Elements::keep(Value value, At at, Value words) {
  const Place &place = places[value];
  if (place.kind == Place::Kind::Memory)
    return w.store(words, place.space, w.plus(at, place.word));
  std::vector<Value> &all = registers[value];
  all.resize(size_t(wordsOf(value)));
  all[size_t(at.fixed)] = words;
}

void Elements::keepAll(Value result) {
  w.forAll(sizeOf(result), [&](At at, unsigned width) {
    keep(result, at, compute(cast<OpResult>(result), at, width));
  });
}

Value Elements::compute(OpResult result, At at, unsigned width) {
  Operation *op = result.getOwner();
  if (auto fires = dyn_cast<dend::FireOp>(op))
    return fire(fires, result.getResultNumber(), at, width);
  return combine(op, at, width);
}

Value Elements::combine(Operation *op, At at, unsigned width) {
  auto x = [&](Value operand) { return read(operand, at, width); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case(
          [&](dend::AddOp op) { return w.add(x(op.getLhs()), x(op.getRhs())); })
      .Case(
          [&](dend::SubOp op) { return w.sub(x(op.getLhs()), x(op.getRhs())); })
      .Case(
          [&](dend::MulOp op) { return w.mul(x(op.getLhs()), x(op.getRhs())); })
      .Case(
          [&](dend::DivOp op) { return w.div(x(op.getLhs()), x(op.getRhs())); })
      .Case([&](dend::MinOp op) -> Value {
        const Value a = x(op.getLhs()), c = x(op.getRhs());
        if (!dend::isReal(op.getType()))
          return arith::AndIOp::create(w.b, w.loc, a, c);
        return w.choose(w.is(Is::OLT, c, a), c, a);
      })
      .Case([&](dend::MaxOp op) -> Value {
        const Value a = x(op.getLhs()), c = x(op.getRhs());
        if (!dend::isReal(op.getType()))
          return arith::OrIOp::create(w.b, w.loc, a, c);
        return w.choose(w.is(Is::OGT, c, a), c, a);
      })
      .Case([&](dend::NegOp op) { return w.neg(x(op.getInput())); })
      .Case([&](dend::AbsOp op) -> Value {
        return math::AbsFOp::create(w.b, w.loc, x(op.getInput()));
      })
      .Case([&](dend::MathOp op) {
        const Value input = x(op.getInput());
        if (op.getFunction() == dend::Function::Reciprocal)
          return w.div(w.real(1, width), input);
        const Value root = math::SqrtOp::create(w.b, w.loc, input);
        return op.getFunction() == dend::Function::Sqrt
                   ? root
                   : w.div(w.real(1, width), root);
      })
      .Case([&](dend::ToRealOp op) { return toReal(op.getInput(), at, width); })
      .Case([&](dend::CmpOp op) {
        return compare(op, x(op.getLhs()), x(op.getRhs()));
      })
      .Case([&](dend::SelectOp op) {
        return w.choose(x(op.getCondition()), x(op.getYes()), x(op.getNo()));
      })
      .Case([&](dend::ClampOp op) {
        const Value input = x(op.getInput()), low = x(op.getLow()),
                    high = x(op.getHigh());
        const Value raised = w.choose(w.is(Is::OLT, input, low), low, input);
        return w.choose(w.is(Is::OGT, raised, high), high, raised);
      })
      .Case([&](dend::CompartmentOp op) {
        Value in = x(op.getDrive());
        if (op.getGain())
          in = w.mul(x(op.getGain()), in);
        const Value next = w.add(w.mul(x(op.getKeep()), x(op.getState())), in);
        return op.getOffset() ? w.add(next, x(op.getOffset())) : next;
      })
      .Case([&](dend::SomaOp op) {
        const Value in = w.add(x(op.getDendrite()),
                               w.mul(x(op.getFeed()), x(op.getInput())));
        return w.add(w.mul(x(op.getKeep()), x(op.getState())),
                     w.mul(x(op.getGain()), in));
      })
      .Case([&](dend::DeltaRuleOp op) {
        const Value error = w.sub(x(op.getTarget()), x(op.getPrediction()));
        const Value step = w.mul(x(op.getRate()), x(op.getKey()));
        return w.add(w.mul(x(op.getKeep()), x(op.getState())),
                     w.mul(step, error));
      })
      .Case([&](dend::JoinOp op) { return join(op, at, width); })
      .Case([&](dend::SsfOp op) { return ssf(op, at, width); })
      .Case([&](dend::SplatOp op) { return x(op.getInput()); })
      .Default([](Operation *) { return Value(); });
}

Value Elements::toReal(Value input, At at, unsigned width) {
  const Value x = read(input, at, width);
  const mlir::Type reals = w.type(w.b.getF64Type(), width);
  if (dend::isReal(input.getType()))
    return x;
  if (getElementTypeOrSelf(x).isInteger(1))
    return arith::UIToFPOp::create(w.b, w.loc, reals, x);
  return arith::SIToFPOp::create(w.b, w.loc, reals, x);
}

Value Elements::compare(dend::CmpOp op, Value x, Value y) {
  static constexpr Is onReals[] = {Is::OEQ, Is::UNE, Is::OLT,
                                   Is::OLE, Is::OGT, Is::OGE};
  using I = arith::CmpIPredicate;
  static constexpr I onInts[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  const auto predicate = size_t(op.getPredicate());
  if (dend::isReal(op.getLhs().getType()))
    return w.is(onReals[predicate], x, y);
  return arith::CmpIOp::create(w.b, w.loc, onInts[predicate], x, y);
}

} // namespace dendrolith::sim::jit::bodies
