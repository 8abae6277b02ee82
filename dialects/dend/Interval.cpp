// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interval rule of each body op that has one (BodyOpInterface:
// inferIntervals), and what the rules share.
#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::dend {

Interval hull(const Interval &a, const Interval &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval rangeOf(Type type) {
  if (FxType fx = fixedType(type))
    return {lowest(fx.getWidth()), highest(fx.getWidth())};
  Type element = elementType(type);
  if (element.isInteger(1))
    return {0, 1};
  if (element.isInteger(32))
    return {lowest(32), highest(32)};
  return {INT64_MIN, INT64_MAX};
}

Interval chosen(const Interval &condition, const Interval &yes,
                const Interval &no) {
  return condition.is(1) ? yes : condition.is(0) ? no : hull(yes, no);
}

namespace {

constexpr Interval kFull = {INT64_MIN, INT64_MAX};

using Operands = ArrayRef<Interval>;
using Intervals = MutableArrayRef<Interval>;

/// The exact interval where it fits the range, else what `overflow` makes of
/// it.
Interval narrowed(const Interval &exact, const Interval &range,
                  Overflow overflow) {
  if (exact.within(range))
    return exact;
  if (overflow == Overflow::Wrap)
    return range;
  return {std::clamp(exact.low, range.low, range.high),
          std::clamp(exact.high, range.low, range.high)};
}

Interval sum(const Interval &a, const Interval &b) {
  return {a.low + b.low, a.high + b.high};
}

Interval negated(const Interval &x) { return {-x.high, -x.low}; }

Interval productOf(const Interval &a, const Interval &b) {
  Int128 ends[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                   a.high * b.high};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

// Rounding is monotone, so the two ends of the interval tell.
Interval rescaled(const Interval &x, int shift, Rounding rounding,
                  const Interval &range, Overflow overflow) {
  if (shift <= 0)
    return narrowed({shiftRound(x.low, unsigned(-shift), rounding),
                     shiftRound(x.high, unsigned(-shift), rounding)},
                    range, overflow);
  if (shift >= 62 || !x.within(kFull))
    return x.is(0) ? x : range;
  Int128 by = Int128(1) << shift;
  return narrowed({x.low * by, x.high * by}, range, overflow);
}

Interval compared(Predicate predicate, const Interval &a, const Interval &b) {
  auto decided = [](bool yes, bool no) -> Interval {
    return {yes ? 1 : 0, no ? 0 : 1};
  };
  bool apart = a.high < b.low || b.high < a.low,
       equal = a.low == a.high && a == b;
  switch (predicate) {
  case Predicate::EQ:
    return decided(equal, apart);
  case Predicate::NE:
    return decided(apart, equal);
  case Predicate::LT:
    return decided(a.high < b.low, a.low >= b.high);
  case Predicate::LE:
    return decided(a.high <= b.low, a.low > b.high);
  case Predicate::GT:
    return decided(a.low > b.high, a.high <= b.low);
  case Predicate::GE:
    return decided(a.low >= b.high, a.high < b.low);
  }
  return {0, 1};
}

} // namespace

void LiteralOp::inferIntervals(Operands, Intervals results) {
  if (auto number = llvm::dyn_cast<IntegerAttr>(getValue())) {
    Int128 x = elementType(getType()).isInteger(1)
                   ? Int128(number.getValue().getBoolValue())
                   : Int128(number.getValue().getSExtValue());
    results[0] = {x, x};
    return;
  }
  auto elements = llvm::dyn_cast<ElementsAttr>(getValue());
  auto ints = elements ? readInts(elements)
                       : FailureOr<std::vector<int64_t>>(failure());
  if (failed(ints) || ints->empty())
    return;
  auto [low, high] = std::minmax_element(ints->begin(), ints->end());
  results[0] = {*low, *high};
}

void AddOp::inferIntervals(Operands in, Intervals results) {
  results[0] = narrowed(sum(in[0], in[1]), results[0], getOverflow());
}

void SubOp::inferIntervals(Operands in, Intervals results) {
  results[0] = narrowed(sum(in[0], negated(in[1])), results[0], getOverflow());
}

void MulOp::inferIntervals(Operands in, Intervals results) {
  results[0] = narrowed(productOf(in[0], in[1]), results[0], Overflow::Wrap);
}

void NegOp::inferIntervals(Operands in, Intervals results) {
  results[0] = narrowed(negated(in[0]), results[0], Overflow::Wrap);
}

void MinOp::inferIntervals(Operands in, Intervals results) {
  results[0] = {std::min(in[0].low, in[1].low),
                std::min(in[0].high, in[1].high)};
}

void MaxOp::inferIntervals(Operands in, Intervals results) {
  results[0] = {std::max(in[0].low, in[1].low),
                std::max(in[0].high, in[1].high)};
}

void ClampOp::inferIntervals(Operands in, Intervals results) {
  auto clamped = [](Int128 x, Int128 low, Int128 high) {
    return std::min(std::max(x, low), high);
  };
  results[0] = {clamped(in[0].low, in[1].low, in[2].low),
                clamped(in[0].high, in[1].high, in[2].high)};
}

void RescaleOp::inferIntervals(Operands in, Intervals results) {
  FxType from = fixedType(getInput().getType()), to = fixedType(getType());
  results[0] = rescaled(in[0], from.getExponent() - to.getExponent(),
                        getRounding(), results[0], getOverflow());
}

void CmpOp::inferIntervals(Operands in, Intervals results) {
  results[0] = compared(getPredicate(), in[0], in[1]);
}

void SelectOp::inferIntervals(Operands in, Intervals results) {
  results[0] = chosen(in[0], in[1], in[2]);
}

void ElementOp::inferIntervals(Operands in, Intervals results) {
  results[0] = in[0];
}
void SliceOp::inferIntervals(Operands in, Intervals results) {
  results[0] = in[0];
}
void RollOp::inferIntervals(Operands in, Intervals results) {
  results[0] = in[0];
}
void SplatOp::inferIntervals(Operands in, Intervals results) {
  results[0] = in[0];
}

void FireOp::inferIntervals(Operands in, Intervals results) {
  Interval fires =
      compared(getInclusive() ? Predicate::GE : Predicate::GT, in[0], in[1]);
  results[0] = fires;
  if (fires.is(0) || getReset() == ResetKind::None)
    results[1] = in[0];
}

// The lines follow the description of `dend.cuba`.
void CubaOp::inferIntervals(Operands in, Intervals results) {
  Interval input = in[0], u = in[1], v = in[2], r = in[3], decayU = in[4],
           decayV = in[5], threshold = in[6], bias = in[7];
  auto decayed = [](const Interval &x, Int128 of, const Interval &decay) {
    return rescaled(productOf(x, {of - decay.high, of - decay.low}), -12,
                    Rounding::TowardZero, kFull, Overflow::Wrap);
  };
  // u is in (-M, M] or in [-M, M).
  const Int128 M = Int128(1) << (getCurrentBits() - 1);
  auto wrapped = [&](const Interval &x) {
    return x.within({1 - M, M - 1}) ? x : Interval{-M, M};
  };
  if (unsigned bits = unsigned(getInputWrapBits())) {
    Int128 end = (Int128(1) << bits) - 1;
    if (!input.within({-end, end}))
      input = {-end - 1, end + 1};
  }
  Interval newU = wrapped(sum(decayed(u, 4095, decayU), input));
  Interval drive = sum(newU, bias);
  if (getBiasWrap())
    drive = wrapped(drive);
  Interval newV =
      narrowed(sum(decayed(v, 4096, decayV), drive),
               {int64_t(getVmin()), int64_t(getVmax())}, Overflow::Saturate);
  if (r.high > 0)
    newV = hull(newV, {0, 0});
  Interval fires =
      getSilent() ? Interval{0, 0} : compared(Predicate::GT, newV, threshold);
  Interval left{0, std::max<Int128>(r.high - 1, 0)};
  if (!fires.is(0))
    left.high = std::max<Int128>(left.high, int64_t(getRefractory()) - 1);
  results[0] = fires;
  results[1] = newU;
  results[2] = fires.is(0) ? newV : hull(newV, {0, 0});
  results[3] = left;
}

} // namespace dendrolith::dend
