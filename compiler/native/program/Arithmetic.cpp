// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Arithmetic.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace dendrolith::native::program {

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

// The rungs that a potential has reached.
Lane Arithmetic::ladder(const Step &step, const Lane *operands) {
  const micro::Instruction &code = step.code;
  const unsigned p = code.shift < 0 ? unsigned(-int(code.shift)) : 0;
  const unsigned q = code.shift > 0 ? unsigned(code.shift) : 0;
  const unsigned far = step.bits.c + micro::bitsOf(code.imm) +
                       micro::bitsOf(int64_t(code.m) + 1) + q;
  const unsigned near = std::max(step.bits.a, step.bits.b) + p;
  const unsigned held = holding(std::min(std::max(far, near) + 2, 128u));
  const Lane up = l.constant(p, held);
  const Lane height = l.shiftLeft(l.as(operands[0], held), up);
  const Lane each = l.shiftLeft(
      l.mul(l.as(operands[2], held),
            l.constant(llvm::APInt(64, uint64_t(code.imm)).sextOrTrunc(held))),
      l.constant(q, held));
  const Lane first = l.sub(l.shiftLeft(l.as(operands[1], held), up),
                           l.mul(each, l.constant(int64_t(code.m) - 1, held)));
  Lane rung = first, reached = l.constant(-int64_t(code.m), 32);
  auto climb = [&](const Lane &at, const Lane &sum) {
    return l.add(sum, l.as(l.compare(CmpIPredicate::sge, height, at), 32));
  };
  const uint64_t rungs = 2 * uint64_t(code.m);
  if (rungs <= 16) {
    for (uint64_t k = 0; k < rungs; ++k, rung = l.add(rung, each))
      reached = climb(rung, reached);
    return reached;
  }
  auto index = [&](int64_t i) -> Value {
    return mlir::arith::ConstantIndexOp::create(l.b, l.loc, i);
  };
  auto loop =
      mlir::scf::ForOp::create(l.b, l.loc, index(0), index(int64_t(rungs)),
                               index(1), {rung.value, reached.value});
  mlir::OpBuilder::InsertionGuard guard(l.b);
  l.b.setInsertionPointToEnd(loop.getBody());
  const Lane at{loop.getRegionIterArgs()[0], held};
  const Lane sum{loop.getRegionIterArgs()[1], 32};
  const Lane nextSum = climb(at, sum), next = l.add(at, each);
  mlir::scf::YieldOp::create(l.b, l.loc, {next.value, nextSum.value});
  return {loop.getResult(1), 32};
}

// Lines between the knots of a table.
Lane Arithmetic::table(const Step &step, const Lane &given, const Knot &knot) {
  const micro::Instruction &code = step.code;
  const Lane x = l.as(given, 64), zero = l.constant(0, 64);
  const Lane start = l.constant(code.imm, 64);
  const Lane before = l.compare(CmpIPredicate::sle, x, start);
  // How far x lies behind the first knot, without a sign.
  const Lane offset = l.choose(before, zero, l.sub(x, start));
  const Lane step2 = l.constant(code.shift, 64);
  const Lane found = l.shiftRightUnsigned(offset, step2);
  const Lane last = l.constant(int64_t(code.m) - 1, 64);
  const Lane beyond = l.compare(CmpIPredicate::uge, found, last);
  // Between the last two knots at most, so that both can be read.
  const Lane k = l.choose(beyond, l.constant(int64_t(code.m) - 2, 64), found);
  const Lane part = l.both(
      offset, l.constant(llvm::APInt::getLowBitsSet(64, unsigned(code.shift))));
  const Lane from = knot(k), to = knot(l.add(k, l.constant(1, 64)));
  const unsigned held =
      holding(std::min(step.bits.b + 2 + unsigned(code.shift), 128u));
  const Lane rise = l.sub(l.as(to, held), l.as(from, held));
  const Lane line =
      l.add(l.as(from, 64), l.as(l.shiftRight(l.mul(rise, l.as(part, held)),
                                              l.constant(code.shift, held)),
                                 64));
  return l.choose(beyond, l.as(to, 64), line);
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

} // namespace dendrolith::native::program
