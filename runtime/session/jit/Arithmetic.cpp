// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/jit/Arithmetic.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

namespace neurite::sim::jit {

using micro::Rounding;
using mlir::Value;
using mlir::arith::CmpIPredicate;

namespace {

unsigned most(unsigned a, unsigned b) { return std::max(a, b); }

/// In how many bits a value is held that is divided: rounding adds to it.
unsigned dividing(unsigned bits) { return holding(std::min(bits + 1, 128u)); }

/// The bits of what mul, scale and sums of products shift.
unsigned exactBits(const Step &step) {
  return step.code.op == MicroOp::Scale ? step.bits.a
                                        : step.bits.a + step.bits.b;
}

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

int openAmount(const Step &step) {
  bool terms = true; // which never saturate
  switch (step.code.op) {
  case MicroOp::Mul:
  case MicroOp::Scale:
    terms = false;
    break;
  case MicroOp::Dot:
  case MicroOp::MatVec:
  case MicroOp::VecMat:
  case MicroOp::Outer:
    break;
  default:
    return 0;
  }
  const unsigned bits = exactBits(step);
  const int shift = step.code.shift;
  if (shift < 0) {
    const unsigned held = dividing(bits);
    return unsigned(-shift) < held && held <= 64 ? -1 : 0;
  }
  if (shift == 0)
    return 0;
  if (terms || !step.code.saturate)
    return unsigned(shift) < holding(step.code.width) ? 1 : 0;
  return bits + unsigned(shift) <= 64 ? int(holding(bits + unsigned(shift)))
                                      : 0;
}

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
  const unsigned bits = most(step.bits.a, step.bits.b) + 1;
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

/// What to shift by: an amount that the code reads, or the one that it has.
Lane Arithmetic::amountOf(Value open, unsigned shift, unsigned held) {
  return open ? l.repeat(open, held) : l.constant(shift, held);
}

/// Computes x / 2^shift; x is held in a bit more than it takes.
Lane Arithmetic::divide(const Lane &x, Rounding rounding, unsigned shift,
                        Value amount) {
  const unsigned held = x.held;
  const Lane zero = l.constant(0, held), one = l.constant(1, held);
  if (shift >= held || (held == 128 && shift > 126)) {
    // |x| <= 2^126: the quotient lies within [-1/2, 1/2].
    if (rounding == Rounding::Floor)
      return l.shiftRight(x, l.constant(held - 1, held));
    if (rounding == Rounding::NearestUp && shift == 127 && held == 128)
      return l.as(l.compare(CmpIPredicate::eq, x,
                            l.constant(llvm::APInt::getOneBitSet(128, 126))),
                  held);
    return zero;
  }
  const Lane bits = amountOf(amount, shift, held);
  if (rounding == Rounding::Floor)
    return l.shiftRight(x, bits);
  const Lane rest = l.sub(l.shiftLeft(one, bits), one);
  if (rounding == Rounding::TowardZero)
    return l.shiftRight(
        l.add(x, l.both(rest, l.shiftRight(x, l.constant(held - 1, held)))),
        bits);
  const Lane half = l.shiftLeft(one, l.sub(bits, one));
  if (rounding == Rounding::NearestUp)
    return l.shiftRight(l.add(x, half), bits);
  // Half less one, and one more where the whole part is odd.
  const Lane odd = l.both(l.shiftRight(x, bits), one);
  return l.shiftRight(l.add(l.add(x, l.sub(half, one)), odd), bits);
}

/// Computes narrow(x * 2^shift) for a shift to the left, saturating.
Lane Arithmetic::scaleLeft(const Step &step, const Lane &x, unsigned bits,
                           Value amount) {
  const unsigned width = step.code.width, shift = unsigned(step.code.shift);
  if (bits + shift <= 64) {
    const Lane y = l.as(x, holding(bits + shift));
    return clip(l.shiftLeft(y, amountOf(amount, shift, y.held)), width);
  }
  // What lies beyond the ends divided by 2^shift lies beyond them.
  const unsigned held = most(x.held, 64);
  const Lane y = l.as(x, held);
  const llvm::APInt high = llvm::APInt::getLowBitsSet(held, width - 1);
  const llvm::APInt low =
      shift >= width ? llvm::APInt(held, 0) : (~high).ashr(shift);
  const Lane over = l.compare(
      CmpIPredicate::sgt, y,
      l.constant(shift >= width ? llvm::APInt(held, 0) : high.lshr(shift)));
  const Lane under = l.compare(CmpIPredicate::slt, y, l.constant(low));
  const Lane inside = shift >= width
                          ? l.constant(0, 64)
                          : l.shiftLeft(l.as(y, 64), l.constant(shift, 64));
  const llvm::APInt top = high.trunc(64);
  return l.choose(over, l.constant(top),
                  l.choose(under, l.constant(~top), inside));
}

Lane Arithmetic::scale(const Step &step, Lane x, unsigned bits, bool saturate,
                       Value amount) {
  const unsigned width = step.code.width;
  const int shift = step.code.shift;
  if (shift >= 0 && saturate)
    return scaleLeft(step, x, bits, amount);
  if (shift >= 0) {
    const unsigned held = holding(width);
    if (unsigned(shift) >= held)
      return l.constant(0, held);
    return wrap(
        l.shiftLeft(l.as(x, held), amountOf(amount, unsigned(shift), held)),
        width);
  }
  x = divide(l.as(x, dividing(bits)), step.code.rounding, unsigned(-shift),
             amount);
  x = saturate ? clip(x, width) : wrap(x, width);
  return l.as(x, holding(width));
}

Lane Arithmetic::product(const Step &step, Lane x, Lane y, bool saturate,
                         Value amount) {
  const unsigned bits = step.bits.a + step.bits.b;
  const bool modulo = step.code.shift >= 0 && !saturate;
  const unsigned held = modulo                ? holding(step.code.width)
                        : step.code.shift < 0 ? dividing(bits)
                                              : holding(bits);
  return scale(step, l.mul(l.as(x, held), l.as(y, held)), bits, saturate,
               amount);
}

Lane Arithmetic::term(const Step &step, const Lane &x, const Lane &y,
                      Value amount) {
  return product(step, x, y, /*saturate=*/false, amount);
}

Lane Arithmetic::shift(const Step &step, const Lane &given,
                       const Lane &amount) {
  const Lane x = l.as(given, 64), y = l.as(amount, 64);
  const Lane zero = l.constant(0, 64), one = l.constant(1, 64),
             last = l.constant(63, 64);
  // To the left.
  const Lane up =
      wrap(l.shiftLeft(x, l.most(l.least(y, last), zero)), step.code.width);
  const Lane left = l.choose(l.compare(CmpIPredicate::sgt, y, last), zero, up);
  // To the right by 1 to 63.
  const Lane bits = l.most(l.least(l.sub(zero, y), last), one);
  const Lane down = l.shiftRight(x, bits);
  const Lane rest = l.both(x, l.sub(l.shiftLeft(one, bits), one));
  const Lane half = l.shiftLeft(one, l.sub(bits, one));
  const Lane sign = l.shiftRight(x, last);
  Lane more = zero, far = zero; // beyond 63, and what is added
  switch (step.code.rounding) {
  case Rounding::Floor:
    far = sign;
    break;
  case Rounding::TowardZero:
    more = l.both(l.as(l.compare(CmpIPredicate::ne, rest, zero), 64),
                  l.both(sign, one));
    break;
  case Rounding::NearestUp:
    more = l.as(l.compare(CmpIPredicate::uge, rest, half), 64);
    break;
  case Rounding::NearestEven:
    more = l.as(
        l.either(l.compare(CmpIPredicate::ugt, rest, half),
                 l.both(l.compare(CmpIPredicate::eq, rest, half),
                        l.compare(CmpIPredicate::ne, l.both(down, one), zero))),
        64);
    break;
  }
  const Lane right =
      l.choose(l.compare(CmpIPredicate::slt, y, l.constant(-63, 64)), far,
               l.add(down, more));
  return l.choose(l.compare(CmpIPredicate::sge, y, zero), left, right);
}

Lane Arithmetic::leadingZeros(const Step &step, const Lane &given) {
  const Lane x = l.as(given, 64), zero = l.constant(0, 64);
  const Lane size =
      l.choose(l.compare(CmpIPredicate::slt, x, zero), l.sub(zero, x), x);
  const Lane zeros = {
      mlir::math::CountLeadingZerosOp::create(l.b, l.loc, size.value), 64};
  return l.as(l.add(zeros, l.constant(int64_t(step.code.width) - 64, 64)), 32);
}

Lane Arithmetic::ladder(const Step &step, const Lane *operands) {
  const micro::Instruction &code = step.code;
  const unsigned p = code.shift < 0 ? unsigned(-int(code.shift)) : 0;
  const unsigned q = code.shift > 0 ? unsigned(code.shift) : 0;
  const unsigned far = step.bits.c + micro::bitsOf(code.imm) +
                       micro::bitsOf(int64_t(code.m) + 1) + q;
  const unsigned near = most(step.bits.a, step.bits.b) + p;
  const unsigned held = holding(std::min(most(far, near) + 2, 128u));
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
  const unsigned ab = most(step.bits.a, step.bits.b);
  const unsigned abc = most(ab, step.bits.c);
  switch (code.op) {
  case MicroOp::Move:
    return x;
  case MicroOp::Add:
  case MicroOp::Sub:
    return sum(step, x, y);
  case MicroOp::Mul:
    return product(step, x, y, code.saturate, amount);
  case MicroOp::Scale:
    return scale(step, l.as(x, most(x.held, 32)), step.bits.a, code.saturate,
                 amount);
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
    const unsigned bits = most(step.bits.b, step.bits.c);
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

} // namespace neurite::sim::jit
