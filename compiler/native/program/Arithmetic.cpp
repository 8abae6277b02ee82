// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Arithmetic.h"

#include "compiler/native/program/Scaling.h"
#include "compiler/native/program/StepOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>

namespace dendrolith::native::program {

using mlir::Value;
using mlir::arith::CmpIPredicate;

static CmpIPredicate predicateOf(micro::Predicate predicate) {
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

static Lane alike(const Lane &x, unsigned bits, Visit &v) {
  return v.l.as(x, holding(bits));
}

static Lane moved(const Step &, const Lane *operands, Visit &) {
  return operands[0];
}

/// A sum, or a difference.
static Lane added(const Step &step, const Lane *operands, Visit &v) {
  Lanes &l = v.l;
  const bool minus = step.code.op == MicroOp::Sub;
  const unsigned width = step.code.width;
  const unsigned bits = std::max(step.bits.a, step.bits.b) + 1;
  const unsigned held =
      step.code.saturate ? holding(std::min(bits, 64u)) : holding(width);
  const Lane x = l.as(operands[0], held), y = l.as(operands[1], held);
  if (step.code.saturate && bits > 64) {
    // An exact sum beyond 64 bits is clipped at 64, which is clipped again.
    const mlir::Type type = l.type(64);
    Value all = minus ? Value(mlir::LLVM::SSubSat::create(l.b, l.loc, type,
                                                          x.value, y.value))
                      : Value(mlir::LLVM::SAddSat::create(l.b, l.loc, type,
                                                          x.value, y.value));
    return clip(l, {all, 64}, width);
  }
  const Lane all = minus ? l.sub(x, y) : l.add(x, y);
  if (bits <= width)
    return all;
  return step.code.saturate ? clip(l, all, width) : wrap(l, all, width);
}

static Lane leadingZeros(const Step &step, const Lane *operands, Visit &v) {
  Lanes &l = v.l;
  const Lane x = l.as(operands[0], 64), zero = l.constant(0, 64);
  const Lane size =
      l.choose(l.compare(CmpIPredicate::slt, x, zero), l.sub(zero, x), x);
  const Lane zeros = {
      mlir::math::CountLeadingZerosOp::create(l.b, l.loc, size.value), 64};
  return l.as(l.add(zeros, l.constant(int64_t(step.code.width) - 64, 64)), 32);
}

/// The rungs that a potential has reached.
static Lane ladder(const Step &step, const Lane *operands, Visit &v) {
  Lanes &l = v.l;
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
  const std::vector<Value> all = v.loops.forEach(
      v.memory.number(int64_t(rungs)), 1, {rung.value, reached.value},
      [&](Value, const std::vector<Value> &so) -> std::vector<Value> {
        const Lane at{so[0], held};
        const Lane sum = climb(at, {so[1], 32});
        return {l.add(at, each).value, sum.value};
      });
  return {all[1], 32};
}

/// The knot at an index that each lane has.
static Lane knotAt(const Step &step, const Lane &index, Visit &v) {
  const micro::Operand &knots = step.code.b;
  if (knots.scalar)
    return v.word(knots.space, knots.index, step.bits.b);
  return v.memory.gather(knots.space, knots.index, index, step.bits.b);
}

/// Lines between the knots of a table.
static Lane table(const Step &step, const At &at, Visit &v) {
  Lanes &l = v.l;
  const micro::Instruction &code = step.code;
  const Lane x = l.as(v.element(step, 0, at), 64), zero = l.constant(0, 64);
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
  const Lane from = knotAt(step, k, v),
             to = knotAt(step, l.add(k, l.constant(1, 64)), v);
  const unsigned held =
      holding(std::min(step.bits.b + 2 + unsigned(code.shift), 128u));
  const Lane rise = l.sub(l.as(to, held), l.as(from, held));
  const Lane line =
      l.add(l.as(from, 64), l.as(l.shiftRight(l.mul(rise, l.as(part, held)),
                                              l.constant(code.shift, held)),
                                 64));
  return l.choose(beyond, l.as(to, 64), line);
}

static Lane negated(const Step &step, const Lane *operands, Visit &v) {
  Lanes &l = v.l;
  const unsigned held = holding(step.code.width);
  return wrap(l, l.sub(l.constant(0, held), l.as(operands[0], held)),
              step.code.width);
}

static Lane magnitude(const Step &step, const Lane *operands, Visit &v) {
  Lanes &l = v.l;
  const unsigned width = step.code.width;
  const Lane x = l.as(operands[0], step.bits.a < 32 && width <= 32 ? 32 : 64);
  const Lane zero = l.constant(0, x.held);
  const Lane size =
      l.choose(l.compare(CmpIPredicate::slt, x, zero), l.sub(zero, x), x);
  return l.as(wrap(l, size, width), holding(width));
}

template <Lane (Lanes::*which)(const Lane &, const Lane &)>
static Lane extreme(const Step &step, const Lane *operands, Visit &v) {
  const unsigned bits = std::max(step.bits.a, step.bits.b);
  const Lane x = alike(operands[0], bits, v), y = alike(operands[1], bits, v);
  return (v.l.*which)(x, y);
}

static Lane clamped(const Step &step, const Lane *operands, Visit &v) {
  const unsigned bits = std::max({step.bits.a, step.bits.b, step.bits.c});
  const Lane most =
      v.l.most(alike(operands[0], bits, v), alike(operands[1], bits, v));
  return v.l.least(most, alike(operands[2], bits, v));
}

static Lane compared(const Step &step, const Lane *operands, Visit &v) {
  const unsigned bits = std::max(step.bits.a, step.bits.b);
  const Lane x = alike(operands[0], bits, v), y = alike(operands[1], bits, v);
  return v.l.compare(predicateOf(step.code.predicate), x, y);
}

static Lane chosen(const Step &step, const Lane *operands, Visit &v) {
  const unsigned bits = std::max(step.bits.b, step.bits.c);
  const Lane x = alike(operands[1], bits, v), y = alike(operands[2], bits, v);
  return v.l.choose(operands[0], x, y);
}

void populateArithmeticPatterns(mlir::RewritePatternSet &patterns,
                                VisitState &state) {
  patterns.add<WritePointwise<MicroOp::Move, moved>,
               WritePointwise<MicroOp::Add, added>,
               WritePointwise<MicroOp::Sub, added>,
               WritePointwise<MicroOp::Neg, negated>,
               WritePointwise<MicroOp::Abs, magnitude>,
               WritePointwise<MicroOp::Min, extreme<&Lanes::least>>,
               WritePointwise<MicroOp::Max, extreme<&Lanes::most>>,
               WritePointwise<MicroOp::Clamp, clamped>,
               WritePointwise<MicroOp::Compare, compared>,
               WritePointwise<MicroOp::Select, chosen>,
               WritePointwise<MicroOp::Clz, leadingZeros>,
               WritePointwise<MicroOp::Ladder, ladder>,
               WriteEach<MicroOp::Table, table>>(patterns.getContext(), state);
}

} // namespace dendrolith::native::program
