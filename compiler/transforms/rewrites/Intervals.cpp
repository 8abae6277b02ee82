// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/Intervals.h"

#include "dialects/dend/Constants.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace neurite {

using dend::Int128;

Interval hull(const Interval &a, const Interval &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval rangeOf(Type type) {
  if (dend::FxType fx = dend::fixedType(type))
    return {dend::lowest(fx.getWidth()), dend::highest(fx.getWidth())};
  Type element = dend::elementType(type);
  if (element.isInteger(1))
    return {0, 1};
  if (element.isInteger(32))
    return {dend::lowest(32), dend::highest(32)};
  return {INT64_MIN, INT64_MAX};
}

namespace {

// Current and its sign in the fixed-function neuron: (-2^23, 2^23], or the
// same with the other end; the smaller one is in both.
constexpr int64_t kCurrent = (int64_t(1) << 23) - 1;
constexpr Interval kFull = {INT64_MIN, INT64_MAX};

/// `exact` where it fits, else what `overflow` makes of it.
Interval narrowed(const Interval &exact, const Interval &range,
                  dend::Overflow overflow) {
  if (exact.within(range))
    return exact;
  if (overflow == dend::Overflow::Wrap)
    return range;
  return {std::clamp(exact.low, range.low, range.high),
          std::clamp(exact.high, range.low, range.high)};
}

Interval product(const Interval &a, const Interval &b) {
  Int128 ends[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                   a.high * b.high};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

/// Rounding is monotone, so the ends tell.
Interval rescaled(const Interval &x, int shift, dend::Rounding rounding,
                  const Interval &range, dend::Overflow overflow) {
  if (shift <= 0)
    return narrowed({dend::shiftRound(x.low, unsigned(-shift), rounding),
                     dend::shiftRound(x.high, unsigned(-shift), rounding)},
                    range, overflow);
  if (shift >= 62 || !x.within(kFull))
    return x.is(0) ? x : range;
  Int128 by = Int128(1) << shift;
  return narrowed({x.low * by, x.high * by}, range, overflow);
}

Interval compared(dend::Predicate predicate, const Interval &a,
                  const Interval &b) {
  auto decided = [](bool yes, bool no) -> Interval {
    return {yes ? 1 : 0, no ? 0 : 1};
  };
  bool apart = a.high < b.low || b.high < a.low,
       equal = a.low == a.high && a == b;
  switch (predicate) {
  case dend::Predicate::EQ:
    return decided(equal, apart);
  case dend::Predicate::NE:
    return decided(apart, equal);
  case dend::Predicate::LT:
    return decided(a.high < b.low, a.low >= b.high);
  case dend::Predicate::LE:
    return decided(a.high <= b.low, a.low > b.high);
  case dend::Predicate::GT:
    return decided(a.low > b.high, a.high <= b.low);
  case dend::Predicate::GE:
    return decided(a.low >= b.high, a.high < b.low);
  }
  return {0, 1};
}

Interval chosen(const Interval &condition, const Interval &yes,
                const Interval &no) {
  return condition.is(1) ? yes : condition.is(0) ? no : hull(yes, no);
}

Interval literal(dend::LiteralOp op) {
  Type type = op.getResult().getType();
  if (auto number = dyn_cast<IntegerAttr>(op.getValue())) {
    Int128 x = dend::elementType(type).isInteger(1)
                   ? Int128(number.getValue().getBoolValue())
                   : Int128(number.getValue().getSExtValue());
    return {x, x};
  }
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  auto ints = elements ? dend::readInts(elements)
                       : FailureOr<std::vector<int64_t>>(failure());
  if (failed(ints) || ints->empty())
    return rangeOf(type);
  auto [low, high] = std::minmax_element(ints->begin(), ints->end());
  return {*low, *high};
}

/// Evaluates one op after the other.
struct Evaluator {
  Intervals &values;

  Interval at(Value value) const { return values.lookup(value); }
  void set(Value value, const Interval &x) { values[value] = x; }

  void cuba(dend::CubaOp op) {
    Interval current{-kCurrent, kCurrent},
        u = at(op.getU()), v = at(op.getV()), keepU = at(op.getDecayU()),
        keepV = at(op.getDecayV()), bias = at(op.getBias()), r = at(op.getR());
    auto decayed = [](const Interval &x, Int128 of, const Interval &decay) {
      return rescaled(product(x, {of - decay.high, of - decay.low}), -12,
                      dend::Rounding::TowardZero, kFull, dend::Overflow::Wrap);
    };
    auto wrapped = [&](const Interval &x) {
      return x.within(current) ? x : Interval{-kCurrent - 1, kCurrent + 1};
    };
    Interval input = at(op.getInput());
    if (unsigned bits = unsigned(op.getInputWrapBits())) {
      Int128 end = (Int128(1) << bits) - 1;
      if (!input.within({-end, end}))
        input = {-end - 1, end + 1};
    }
    Interval kept = decayed(u, 4095, keepU);
    Interval newU = wrapped({kept.low + input.low, kept.high + input.high});
    Interval drive{newU.low + bias.low, newU.high + bias.high};
    if (op.getBiasWrap())
      drive = wrapped(drive);
    Interval rest = decayed(v, 4096, keepV);
    Interval newV = narrowed({rest.low + drive.low, rest.high + drive.high},
                             {int64_t(op.getVmin()), int64_t(op.getVmax())},
                             dend::Overflow::Saturate);
    if (r.high > 0)
      newV = hull(newV, {0, 0});
    Interval fires = op.getSilent() ? Interval{0, 0}
                                    : compared(dend::Predicate::GT, newV,
                                               at(op.getThreshold()));
    set(op.getSpike(), fires);
    set(op.getNextU(), newU);
    set(op.getNextV(), fires.is(0) ? newV : hull(newV, {0, 0}));
    Interval left{0, std::max<Int128>(r.high - 1, 0)};
    if (!fires.is(0))
      left.high = std::max<Int128>(left.high, int64_t(op.getRefractory()) - 1);
    set(op.getNextR(), left);
  }

  void fire(dend::FireOp op) {
    Interval v = at(op.getPotential()), theta = at(op.getThreshold());
    Interval fires =
        compared(op.getInclusive() ? dend::Predicate::GE : dend::Predicate::GT,
                 v, theta);
    set(op.getSpike(), fires);
    set(op.getNext(), fires.is(0) || op.getReset() == dend::ResetKind::None
                          ? v
                          : rangeOf(op.getNext().getType()));
  }

  void when(dend::WhenOp op) {
    evaluateIntervals(op.getBody().front(), values);
    auto give = cast<dend::GiveOp>(op.getBody().front().getTerminator());
    Interval condition = at(op.getCondition());
    for (auto [result, given, kept] :
         llvm::zip(op.getResults(), give.getValues(), op.getCarried()))
      set(result, chosen(condition, at(given), at(kept)));
  }

  /// The result of an op with one.
  Interval result(Operation *op) {
    Type type = op->getResult(0).getType();
    Interval range = rangeOf(type);
    auto in = [&](unsigned i) { return at(op->getOperand(i)); };
    auto sum = [&](const Interval &a, const Interval &b, auto overflow) {
      return narrowed({a.low + b.low, a.high + b.high}, range, overflow);
    };
    return llvm::TypeSwitch<Operation *, Interval>(op)
        .Case([&](dend::LiteralOp o) { return literal(o); })
        .Case([&](dend::AddOp o) { return sum(in(0), in(1), o.getOverflow()); })
        .Case([&](dend::SubOp o) {
          return sum(in(0), {-in(1).high, -in(1).low}, o.getOverflow());
        })
        .Case([&](dend::MulOp) {
          return narrowed(product(in(0), in(1)), range, dend::Overflow::Wrap);
        })
        .Case([&](dend::NegOp) {
          return narrowed({-in(0).high, -in(0).low}, range,
                          dend::Overflow::Wrap);
        })
        .Case([&](dend::MinOp) -> Interval {
          return {std::min(in(0).low, in(1).low),
                  std::min(in(0).high, in(1).high)};
        })
        .Case([&](dend::MaxOp) -> Interval {
          return {std::max(in(0).low, in(1).low),
                  std::max(in(0).high, in(1).high)};
        })
        .Case([&](dend::ClampOp) -> Interval {
          auto clamped = [&](Int128 x, Int128 low, Int128 high) {
            return std::min(std::max(x, low), high);
          };
          return {clamped(in(0).low, in(1).low, in(2).low),
                  clamped(in(0).high, in(1).high, in(2).high)};
        })
        .Case([&](dend::RescaleOp o) {
          dend::FxType from = dend::fixedType(o.getInput().getType()),
                       to = dend::fixedType(type);
          return rescaled(in(0), from.getExponent() - to.getExponent(),
                          o.getRounding(), range, o.getOverflow());
        })
        .Case([&](dend::CmpOp o) {
          return compared(o.getPredicate(), in(0), in(1));
        })
        .Case([&](dend::SelectOp) { return chosen(in(0), in(1), in(2)); })
        .Case<dend::ElementOp, dend::SliceOp, dend::RollOp, dend::SplatOp>(
            [&](Operation *) { return in(0); })
        .Default([&](Operation *) { return range; });
  }

  void evaluate(Operation &op) {
    if (auto cubaOp = dyn_cast<dend::CubaOp>(op))
      return cuba(cubaOp);
    if (auto whenOp = dyn_cast<dend::WhenOp>(op))
      return when(whenOp);
    if (auto fireOp = dyn_cast<dend::FireOp>(op))
      return fire(fireOp);
    if (op.getNumResults() == 1)
      return set(op.getResult(0), result(&op));
    for (Value value : op.getResults())
      set(value, rangeOf(value.getType()));
  }
};

} // namespace

void evaluateIntervals(Block &body, Intervals &values) {
  Evaluator evaluator{values};
  for (Operation &op : body.without_terminator())
    evaluator.evaluate(op);
}

} // namespace neurite
