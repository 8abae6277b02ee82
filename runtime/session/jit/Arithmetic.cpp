// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/jit/Arithmetic.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>

namespace dendrolith::sim::jit {

using mlir::Value;
using mlir::arith::CmpIPredicate;

namespace {

CmpIPredicate predicateOf(micro::Predicate predicate) {
  switch (predicate) {
  case micro::Predicate::EQ:
    return CmpIPredicate::eq;
  case micro::Predicate::NE:
    return CmpIPredicate::ne;
  case micro::Predicate::LT:
    return CmpIPredicate::slt;
  case micro::Predicate::LE:
    return CmpIPredicate::sle;
  case micro::Predicate::GT:
    return CmpIPredicate::sgt;
  case micro::Predicate::GE:
    return CmpIPredicate::sge;
  }
  return CmpIPredicate::eq; // never reached
}

} // namespace

Lane Arithmetic::wrap(const Lane &x, unsigned width) {
  if (width >= x.held)
    return x;
  const Lane up = l.constant(x.held - width, x.held);
  return l.shiftRight(l.shiftLeft(x, up), up);
}

Lane Arithmetic::clip(const Lane &x, unsigned width) {
  if (width >= x.held)
    return x;
  const Lane high = l.constant(llvm::APInt::getLowBitsSet(x.held, width - 1));
  const Lane low = l.constant(~llvm::APInt::getLowBitsSet(x.held, width - 1));
  return l.least(l.most(x, low), high);
}

Lane Arithmetic::sum(const Step &step, Lane x, Lane y) {
  const bool minus = step.code.op == MicroOp::Sub;
  const unsigned width = step.code.width;
  const unsigned bits = std::max(step.bits.a, step.bits.b) + 1;
  const unsigned held =
      step.code.saturate ? holding(std::min(bits, 64u)) : holding(width);
  x = l.as(x, held);
  y = l.as(y, held);
  if (step.code.saturate && bits > 64) {
    // An exact sum beyond 64 bits is clipped at 64, which is clipped again.
    const mlir::Type type = l.type(64);
    Value all = minus ? Value(mlir::LLVM::SSubSat::create(l.b, l.loc, type,
                                                          x.value, y.value))
                      : Value(mlir::LLVM::SAddSat::create(l.b, l.loc, type,
                                                          x.value, y.value));
    return clip({all, 64}, width);
  }
  const Lane all = minus ? l.sub(x, y) : l.add(x, y);
  if (bits <= width)
    return all;
  return step.code.saturate ? clip(all, width) : wrap(all, width);
}

Lane Arithmetic::leadingZeros(const Step &step, const Lane &given) {
  const Lane x = l.as(given, 64), zero = l.constant(0, 64);
  const Lane size =
      l.choose(l.compare(CmpIPredicate::slt, x, zero), l.sub(zero, x), x);
  const Lane zeros = {
      mlir::math::CountLeadingZerosOp::create(l.b, l.loc, size.value), 64};
  return l.as(l.add(zeros, l.constant(int64_t(step.code.width) - 64, 64)), 32);
}

Lane Arithmetic::element(const Step &step, const Lane *operands, Value amount) {
  const micro::Instruction &code = step.code;
  const Lane &x = operands[0], &y = operands[1], &z = operands[2];
  auto alike = [&](const Lane &value, unsigned bits) {
    return l.as(value, holding(bits));
  };
  const unsigned ab = std::max(step.bits.a, step.bits.b);
  const unsigned abc = std::max(ab, step.bits.c);
  switch (code.op) {
  case MicroOp::Move:
    return x;
  case MicroOp::Add:
  case MicroOp::Sub:
    return sum(step, x, y);
  case MicroOp::Mul:
    return product(step, x, y, code.saturate, amount);
  case MicroOp::Scale:
    return scale(step, l.as(x, std::max(x.held, 32u)), step.bits.a,
                 code.saturate, amount);
  case MicroOp::Neg: {
    const unsigned held = holding(code.width);
    return wrap(l.sub(l.constant(0, held), l.as(x, held)), code.width);
  }
  case MicroOp::Abs: {
    const Lane all = l.as(x, step.bits.a < 32 && code.width <= 32 ? 32 : 64);
    const Lane zero = l.constant(0, all.held);
    const Lane size = l.choose(l.compare(CmpIPredicate::slt, all, zero),
                               l.sub(zero, all), all);
    return l.as(wrap(size, code.width), holding(code.width));
  }
  case MicroOp::Min:
    return l.least(alike(x, ab), alike(y, ab));
  case MicroOp::Max:
    return l.most(alike(x, ab), alike(y, ab));
  case MicroOp::Clamp:
    return l.least(l.most(alike(x, abc), alike(y, abc)), alike(z, abc));
  case MicroOp::Compare:
    return l.compare(predicateOf(code.predicate), alike(x, ab), alike(y, ab));
  case MicroOp::Select: {
    const unsigned bits = std::max(step.bits.b, step.bits.c);
    return l.choose(x, alike(y, bits), alike(z, bits));
  }
  case MicroOp::Shift:
    return shift(step, x, y);
  case MicroOp::Clz:
    return leadingZeros(step, x);
  case MicroOp::Ladder:
    return ladder(step, operands);
  default:
    return x; // never reached: the others are no elements
  }
}

} // namespace dendrolith::sim::jit
