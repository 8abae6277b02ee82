// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaling, bit counts and functions of one number.

#include "dialects/dend/FixedPoint64.h"
#include "dialects/dend/reference/Evaluate.h"
#include "dialects/dend/reference/Functions.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// Linear interpolation between knots at low + k * step, clamped at the ends.
template <typename Knots>
double interpolate(double x, double low, double step, int64_t count,
                   Knots knot) {
  double position = (x - low) / step;
  if (std::isnan(position))
    return position;
  if (position <= 0)
    return knot(0);
  if (position >= double(count - 1))
    return knot(count - 1);
  int64_t k = int64_t(position);
  double part = position - double(k);
  return knot(k) + (knot(k + 1) - knot(k)) * part;
}

/// The same on raw integers; the step is 2^bits input units, and the part
/// between two knots is rounded down.
template <typename Knots>
int64_t interpolateRaw(Int128 x, Int128 low, unsigned bits, int64_t count,
                       Knots knot) {
  if (x <= low)
    return knot(0);
  Int128 offset = x - low;
  Int128 k = offset >> bits; // not negative
  if (k >= count - 1)
    return knot(count - 1);
  Int128 part = offset - (k << bits);
  Int128 rise = Int128(knot(int64_t(k) + 1)) - knot(int64_t(k));
  return int64_t(knot(int64_t(k)) +
                 shiftRound(rise * part, bits, Rounding::Floor));
}

/// rescale() to fewer bits after the point, by 1 to 62. The rounding is known
/// to the compiler, so that the loop has no branch.
template <Rounding rounding>
void dropBits(Lanes &out, const Lanes &input, unsigned bits,
              Overflow overflow) {
  const unsigned width = out.width;
  if (overflow == Overflow::Wrap)
    fillOf(
        out, out.raw.data(),
        [=](int64_t x) {
          return wrap64(uint64_t(shiftRound64(x, bits, rounding)), width);
        },
        rawsFor(input, out));
  else
    fillOf(
        out, out.raw.data(),
        [bits, low = lowest(width), high = highest(width)](int64_t x) {
          return std::min(std::max(shiftRound64(x, bits, rounding), low), high);
        },
        rawsFor(input, out));
}

} // namespace

void evaluate(RescaleOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()];
  Rounding rounding = op.getRounding(); // once, not for every element
  Overflow overflow = op.getOverflow();
  const int bits = out.exponent - input.exponent;
  if (bits < 1 || bits > 62)
    return fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
      return rescale(x(n, i), input.width, input.exponent, out.width,
                     out.exponent, rounding, overflow);
    });
  switch (rounding) {
  case Rounding::Floor:
    return dropBits<Rounding::Floor>(out, input, unsigned(bits), overflow);
  case Rounding::TowardZero:
    return dropBits<Rounding::TowardZero>(out, input, unsigned(bits), overflow);
  case Rounding::NearestEven:
    return dropBits<Rounding::NearestEven>(out, input, unsigned(bits),
                                           overflow);
  case Rounding::NearestUp:
    return dropBits<Rounding::NearestUp>(out, input, unsigned(bits), overflow);
  }
}

void evaluate(ShiftOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()];
  View<int64_t> amount = raws(frame[op.getAmount()]);
  if (out.isReal())
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t i) {
      return std::ldexp(x(n, i), int(amount(n, i)));
    });
  else
    fillRaw(out, [&, x = raws(input), rounding = op.getRounding()](int64_t n,
                                                                   int64_t i) {
      return shiftFixed(x(n, i), out.width, amount(n, i), rounding);
    });
}

void evaluate(ClzOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()];
  fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
    return int64_t(clzFixed(x(n, i), input.width));
  });
}

void evaluate(MathOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  View<double> x = reals(frame[op.getInput()]);
  Function function = op.getFunction();
  fillReal(out, [&](int64_t n, int64_t i) { return apply(function, x(n, i)); });
}

// `low` and `step` are in real units in both forms: in fixed point they are
// `low / 2^e` and `step / 2^e` units of the input fx<w, e>.
void evaluate(TableOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()], &knots = frame[op.getKnots()];
  double low = op.getLow().convertToDouble();
  double step = op.getStep().convertToDouble();
  if (out.isReal()) {
    View<double> knot = reals(knots);
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t i) {
      return interpolate(x(n, i), low, step, knots.size,
                         [&](int64_t k) { return knot(n, k); });
    });
    return;
  }
  View<int64_t> knot = raws(knots);
  int64_t lowRaw = int64_t(std::ldexp(low, -input.exponent));
  unsigned bits = unsigned(std::ilogb(std::ldexp(step, -input.exponent)));
  fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
    return interpolateRaw(x(n, i), lowRaw, bits, knots.size,
                          [&](int64_t k) { return knot(n, k); });
  });
}

} // namespace dendrolith::dend
