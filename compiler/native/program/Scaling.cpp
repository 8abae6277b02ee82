// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Scaling.h"

#include "compiler/native/program/StepOps.h"

#include <algorithm>

namespace dendrolith::native::program {

using micro::Rounding;
using mlir::Value;
using mlir::arith::CmpIPredicate;

namespace {

/// In how many bits a value is held that is divided: rounding adds to it.
unsigned dividing(unsigned bits) { return holding(std::min(bits + 1, 128u)); }

/// The bits of what mul, scale and sums of products shift.
unsigned exactBits(const Step &step) {
  return step.code.op == MicroOp::Scale ? step.bits.a
                                        : step.bits.a + step.bits.b;
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

Lane wrap(Lanes &l, const Lane &x, unsigned width) {
  if (width >= x.held)
    return x;
  const Lane up = l.constant(x.held - width, x.held);
  return l.shiftRight(l.shiftLeft(x, up), up);
}

Lane clip(Lanes &l, const Lane &x, unsigned width) {
  if (width >= x.held)
    return x;
  const Lane high = l.constant(llvm::APInt::getLowBitsSet(x.held, width - 1));
  const Lane low = l.constant(~llvm::APInt::getLowBitsSet(x.held, width - 1));
  return l.least(l.most(x, low), high);
}

/// What to shift by: an amount that the code reads, or the one that it has.
static Lane amountAs(Lanes &l, Value open, unsigned shift, unsigned held) {
  return open ? l.repeat(open, held) : l.constant(shift, held);
}

/// Computes x / 2^shift; x is held in a bit more than it takes.
static Lane divide(Lanes &l, const Lane &x, Rounding rounding, unsigned shift,
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
  const Lane bits = amountAs(l, amount, shift, held);
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
static Lane scaleLeft(Lanes &l, const Step &step, const Lane &x, unsigned bits,
                      Value amount) {
  const unsigned width = step.code.width, shift = unsigned(step.code.shift);
  if (bits + shift <= 64) {
    const Lane y = l.as(x, holding(bits + shift));
    return clip(l, l.shiftLeft(y, amountAs(l, amount, shift, y.held)), width);
  }
  // What lies beyond the ends divided by 2^shift lies beyond them.
  const unsigned held = std::max(x.held, 64u);
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

/// Computes narrow(x * 2^shift), where x takes `bits`.
static Lane scale(const Step &step, Lane x, unsigned bits, bool saturate,
                  Visit &v) {
  Lanes &l = v.l;
  const Value amount = v.amountOf(step);
  const unsigned width = step.code.width;
  const int shift = step.code.shift;
  if (shift >= 0 && saturate)
    return scaleLeft(l, step, x, bits, amount);
  if (shift >= 0) {
    const unsigned held = holding(width);
    if (unsigned(shift) >= held)
      return l.constant(0, held);
    return wrap(
        l,
        l.shiftLeft(l.as(x, held), amountAs(l, amount, unsigned(shift), held)),
        width);
  }
  x = divide(l, l.as(x, dividing(bits)), step.code.rounding, unsigned(-shift),
             amount);
  x = saturate ? clip(l, x, width) : wrap(l, x, width);
  return l.as(x, holding(width));
}

static Lane product(const Step &step, Lane x, Lane y, bool saturate, Visit &v) {
  Lanes &l = v.l;
  const unsigned bits = step.bits.a + step.bits.b;
  const bool modulo = step.code.shift >= 0 && !saturate;
  const unsigned held = modulo                ? holding(step.code.width)
                        : step.code.shift < 0 ? dividing(bits)
                                              : holding(bits);
  return scale(step, l.mul(l.as(x, held), l.as(y, held)), bits, saturate, v);
}

Lane termOf(const Step &step, const Lane &x, const Lane &y, Visit &v) {
  return product(step, x, y, /*saturate=*/false, v);
}

static Lane scaled(const Step &step, const Lane *operands, Visit &v) {
  const Lane &x = operands[0];
  return scale(step, v.l.as(x, std::max(x.held, 32u)), step.bits.a,
               step.code.saturate, v);
}

static Lane multiplied(const Step &step, const Lane *operands, Visit &v) {
  return product(step, operands[0], operands[1], step.code.saturate, v);
}

/// By an amount that is an operand.
static Lane shifted(const Step &step, const Lane *operands, Visit &v) {
  Lanes &l = v.l;
  const Lane x = l.as(operands[0], 64), y = l.as(operands[1], 64);
  const Lane zero = l.constant(0, 64), one = l.constant(1, 64),
             last = l.constant(63, 64);
  // To the left.
  const Lane up =
      wrap(l, l.shiftLeft(x, l.most(l.least(y, last), zero)), step.code.width);
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

void populateScalingPatterns(mlir::RewritePatternSet &patterns,
                             VisitState &state) {
  patterns.add<WritePointwise<MicroOp::Mul, multiplied>,
               WritePointwise<MicroOp::Scale, scaled>,
               WritePointwise<MicroOp::Shift, shifted>>(patterns.getContext(),
                                                        state);
}

} // namespace dendrolith::native::program
