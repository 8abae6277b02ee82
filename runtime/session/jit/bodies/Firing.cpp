// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thresholds, joins and activations, as the reference interpreter computes them
// (dialects/dend/reference/Structure.cpp, Ssf.cpp and Branch.cpp).

#include "runtime/session/jit/bodies/Elements.h"

#include "dialects/dend/reference/Evaluate.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace dendrolith::sim::jit::bodies {

using namespace mlir;
using Is = arith::CmpFPredicate;

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

/// A scale that the interpreter has found to be positive before anything runs.
static bool isPositive(Value scale, const Places &places) {
  dend::NeuronOp model = places.model;
  return llvm::is_contained(model.getParamArgs(), scale) ||
         scale.getDefiningOp<dend::LiteralOp>();
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
  if (!isPositive(op.getScale(), places)) {
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

} // namespace dendrolith::sim::jit::bodies
