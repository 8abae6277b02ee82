// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaling, bit counts and functions of one number.

#include "dialects/dend/reference/Evaluate.h"

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

} // namespace

double apply(Function function, double x) {
  switch (function) {
  case Function::Exp:
    return std::exp(x);
  case Function::Log:
    return std::log(x);
  case Function::Tanh:
    return std::tanh(x);
  case Function::Sigmoid:
    return 1.0 / (1.0 + std::exp(-x));
  case Function::Sqrt:
    return std::sqrt(x);
  case Function::Rsqrt:
    return 1.0 / std::sqrt(x);
  case Function::Reciprocal:
    return 1.0 / x;
  case Function::Softplus:
    // log(1 + e^x) without overflow.
    return (x > 0 ? x : 0.0) + std::log1p(std::exp(-std::fabs(x)));
  }
  return x;
}

void evaluate(RescaleOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  const Rounding rounding = op.getRounding();
  const Overflow overflow = op.getOverflow();
  fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
    return rescale(x(n, i), input.width, input.exponent, out.width,
                   out.exponent, rounding, overflow);
  });
}

void evaluate(ShiftOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  View<int64_t> amount = raws(frame[op.getAmount()]);
  const Rounding rounding = op.getRounding();
  if (out.isReal())
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t i) {
      return std::ldexp(x(n, i), int(amount(n, i)));
    });
  else
    fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
      return shiftFixed(x(n, i), out.width, amount(n, i), rounding);
    });
}

void evaluate(ClzOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
    return int64_t(clzFixed(x(n, i), input.width));
  });
}

void evaluate(MathOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  View<double> x = reals(frame[op.getInput()]);
  Function function = op.getFunction();
  fillReal(out, [&](int64_t n, int64_t i) { return apply(function, x(n, i)); });
}

// `low` and `step` are in real units in both forms: in fixed point they are
// `low / 2^e` and `step / 2^e` units of the input fx<w, e>.
void evaluate(TableOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()],
                        &knots = frame[op.getKnots()];
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
