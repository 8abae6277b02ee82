// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise ops. Each writes what the reference interpreter computes
// (dialects/dend/fast/EvaluateElements.cpp and
// reference/EvaluateStructure.cpp), in its order.

#include "compiler/native/body/Elements.h"

#include "dialects/dend/reference/Evaluate.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

namespace dendrolith::native::body {

using namespace mlir;
using Is = arith::CmpFPredicate;

Value Elements::read(Value value, At at, unsigned width) {
  const Place &place = places[value];
  if (wordsOf(value) == 1 && (width > 1 || at.fixed || at.more))
    return readOne(value, At{}, width);
  switch (place.kind) {
  case Place::Kind::Registers:
    return state.registers.find(value)->second[size_t(at.fixed)];
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
  std::vector<Value> &all = state.registers[value];
  all.resize(size_t(wordsOf(value)));
  all[size_t(at.fixed)] = words;
}

void Elements::copy(Value value, int64_t to, Space space) {
  w.forAll(wordsOf(value), [&](At at, unsigned width) {
    w.store(read(value, at, width), space, w.plus(at, to));
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
      .Case([&](dend::JoinOp op) { return join(op, at, width); })
      .Case([&](dend::SsfOp op) { return ssf(op, at, width); })
      .Case([&](dend::SplatOp op) { return x(op.getInput()); })
      .Default([&](Operation *op) { return nextState(op, at, width); });
}

Value Elements::nextState(Operation *op, At at, unsigned width) {
  auto x = [&](Value operand) { return read(operand, at, width); };
  return llvm::TypeSwitch<Operation *, Value>(op)
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

Value Elements::fire(dend::FireOp op, unsigned result, At at, unsigned width) {
  const Value v = read(op.getPotential(), at, width),
              threshold = read(op.getThreshold(), at, width);
  const Value crossed =
      w.is(op.getInclusive() ? Is::OGE : Is::OGT, v, threshold);
  if (result == 0)
    return crossed;
  switch (op.getReset()) {
  case dend::ResetKind::None:
    return v;
  case dend::ResetKind::Subtract:
    return w.choose(crossed, w.sub(v, threshold), v);
  case dend::ResetKind::Value:
    break;
  }
  const Value to = op.getTo() ? read(op.getTo(), at, width) : w.real(0, width);
  return w.choose(crossed, to, v);
}

Value Elements::join(dend::JoinOp op, At at, unsigned width) {
  std::vector<Value> terms;
  for (Value branch : op.getBranches())
    terms.push_back(read(branch, at, width));
  Value found = terms.front();
  if (!dend::isReal(op.getType())) {
    for (Value x : terms)
      found = op.getKind() == dend::JoinKind::Or
                  ? Value(arith::OrIOp::create(w.b, w.loc, found, x))
                  : Value(arith::AndIOp::create(w.b, w.loc, found, x));
    return found;
  }
  auto isSet = [&](Value x) { return w.is(Is::UNE, x, w.real(0, width)); };
  auto magnitude = [&](Value x) { // on the negative side
    const Value mirrored = w.neg(x);
    return w.choose(w.is(Is::OLT, mirrored, x), mirrored, x);
  };
  switch (op.getKind()) {
  case dend::JoinKind::Sum: {
    Value sum = w.real(0, width);
    for (size_t j = 0; j < terms.size(); ++j)
      sum = w.add(sum, op.getWeights() ? w.mul(readOne(op.getWeights(),
                                                       At{int64_t(j)}, width),
                                               terms[j])
                                       : terms[j]);
    return sum;
  }
  case dend::JoinKind::Max:
    for (Value x : terms)
      found = w.choose(w.is(Is::OGT, x, found), x, found);
    return found;
  case dend::JoinKind::Min:
    for (Value x : terms)
      found = w.choose(w.is(Is::OLT, x, found), x, found);
    return found;
  case dend::JoinKind::AbsMax:
    for (Value x : terms)
      found = w.choose(w.is(Is::OLT, magnitude(x), magnitude(found)), x, found);
    return found;
  case dend::JoinKind::Or: {
    Value any = isSet(terms.front());
    for (Value x : terms)
      any = arith::OrIOp::create(w.b, w.loc, any, isSet(x));
    return w.choose(any, w.real(1, width), w.real(0, width));
  }
  case dend::JoinKind::And:
  case dend::JoinKind::Pass: {
    const bool passes = op.getKind() == dend::JoinKind::Pass;
    Value all;
    for (size_t j = passes ? 1 : 0; j < terms.size(); ++j) {
      const Value set = isSet(terms[j]);
      all = all ? Value(arith::AndIOp::create(w.b, w.loc, all, set)) : set;
    }
    if (!all) // nothing stands in the way of the only branch
      return found;
    return w.choose(all, passes ? found : w.real(1, width), w.real(0, width));
  }
  }
  return found;
}

Value Elements::ssf(dend::SsfOp op, At at, unsigned width) {
  const double most = op.getU().convertToDouble();
  const Value u = w.real(most, width), minus = w.real(-most, width),
              vth = w.real(op.getVth().convertToDouble(), width),
              zero = w.real(0, width);
  const Value v = read(op.getPotential(), at, width),
              shift = read(op.getShift(), at, width),
              scale = read(op.getScale(), at, width);
  const Value above = w.sub(v, shift);
  Value height = w.div(above, scale);
  if (!places.isGiven(op.getScale())) { // else it has been found positive
    const Value falling = w.add(vth, w.div(above, w.neg(scale)));
    const Value together = w.choose(w.is(Is::OGE, v, shift), u, minus);
    height = w.choose(w.is(Is::OGT, scale, zero), height,
                      w.choose(w.is(Is::OEQ, scale, zero), together, falling));
  }
  height = w.choose(w.is(Is::OGT, height, minus), height, minus);
  height = w.choose(w.is(Is::OGT, height, u), u, height);
  const Value whole = math::FloorOp::create(w.b, w.loc, w.div(height, vth));
  return arith::FPToSIOp::create(w.b, w.loc, w.type(w.b.getI64Type(), width),
                                 whole);
}

Value Elements::activate(dend::Activation activation, Value x, int64_t spare) {
  const Value zero = w.real(0, 1);
  switch (activation) {
  case dend::Activation::Identity:
    return x;
  case dend::Activation::Relu:
    return w.choose(w.is(Is::OGT, x, zero), x, zero);
  case dend::Activation::LeakyRelu:
    return w.choose(w.is(Is::OGT, x, zero), x,
                    w.mul(w.real(dend::kLeak, 1), x));
  case dend::Activation::Tanh:
    w.store(x, Scratch, At{spare});
    call(dend::Function::Tanh, Scratch, spare, 1);
    return w.load(w.b.getF64Type(), Scratch, At{spare}, 1);
  }
  return x;
}

void Elements::call(dend::Function function, Space space, int64_t word,
                    int64_t count) {
  const auto address = reinterpret_cast<intptr_t>(dend::inPlace(function));
  const mlir::Type pointer = LLVM::LLVMPointerType::get(w.b.getContext());
  const Value callee =
      LLVM::IntToPtrOp::create(w.b, w.loc, pointer, w.number(int64_t(address)));
  const auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(w.b.getContext()), {pointer, w.b.getI64Type()});
  LLVM::CallOp::create(w.b, w.loc, type,
                       ValueRange{callee, w.pointer(space, At{word}),
                                  w.number(count * w.lanes.count)});
}

} // namespace dendrolith::native::body
