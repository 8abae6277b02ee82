// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise arithmetic, comparison and choice.

#include "dialects/dend/Constants.h"
#include "dialects/dend/FixedPoint64.h"
#include "dialects/dend/reference/Evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// Writes results of `f`, which are exact in a T, brought into the range of the
/// elements.
template <typename T, typename F, typename... Operands>
void fillExact(Lanes &out, Overflow overflow, F f, Operands &...operands) {
  int64_t *to = out.raw.data();
  const unsigned width = out.width;
  // What decides on every element is outside the loops.
  if (out.kind == Lanes::Kind::Bool)
    fillOf(
        out, to, [f](auto... x) { return int64_t(f(T(x)...) & 1); },
        operands...);
  else if (overflow == Overflow::Wrap)
    fillOf(
        out, to, [=](auto... x) { return wrap64(uint64_t(f(T(x)...)), width); },
        operands...);
  else
    fillOf(
        out, to,
        [f, low = T(lowest(width)), high = T(highest(width))](auto... x) {
          return int64_t(std::clamp(T(f(T(x)...)), low, high));
        },
        operands...);
}

/// The same for results of at most `bits` bits. Nearly all fit in 64, with
/// which processors count several times as fast as with 128; the integers are
/// the same (ElementsTest.cpp).
template <typename F, typename... Operands>
void fillNarrowed(Lanes &out, Overflow overflow, unsigned bits, F f,
                  Operands &&...operands) {
  if (bits <= 64)
    fillExact<int64_t>(out, overflow, f, operands...);
  else
    fillExact<Int128>(out, overflow, f, operands...);
}

/// An element-wise op of two operands: `onReals` or `onInts` by kind. `bits`
/// are those of an exact result, by the widths of the operands.
template <typename Op, typename R, typename I, typename B>
void binary(Op op, Frame &frame, R onReals, I onInts, B bits,
            Overflow overflow = Overflow::Wrap) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &a = frame[op.getLhs()], &b = frame[op.getRhs()];
  if (out.isReal())
    fillOf(out, out.real.data(), onReals, realsFor(a, out), realsFor(b, out));
  else
    fillNarrowed(out, overflow, bits(a.width, b.width), onInts, rawsFor(a, out),
                 rawsFor(b, out));
}

template <typename Op, typename R, typename I>
void unary(Op op, Frame &frame, R onReals, I onInts) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &a = frame[op.getInput()];
  if (out.isReal())
    fillOf(out, out.real.data(), onReals, realsFor(a, out));
  else
    fillNarrowed(out, Overflow::Wrap, a.width + 1, onInts, rawsFor(a, out));
}

unsigned bitsOfSum(unsigned a, unsigned b) { return std::max(a, b) + 1; }
unsigned bitsOfProduct(unsigned a, unsigned b) { return a + b; }
unsigned bitsOfEither(unsigned a, unsigned b) { return std::max(a, b); }

/// Writes for each element whether the predicate holds.
template <typename T>
void compare(Lanes &out, Predicate predicate, Operand<T> &&x, Operand<T> &&y) {
  auto fill = [&](auto holds) {
    fillOf(
        out, out.raw.data(), [holds](T a, T b) { return int64_t(holds(a, b)); },
        x, y);
  };
  switch (predicate) {
  case Predicate::EQ:
    return fill(std::equal_to<T>());
  case Predicate::NE:
    return fill(std::not_equal_to<T>());
  case Predicate::LT:
    return fill(std::less<T>());
  case Predicate::LE:
    return fill(std::less_equal<T>());
  case Predicate::GT:
    return fill(std::greater<T>());
  case Predicate::GE:
    return fill(std::greater_equal<T>());
  }
}

/// out = condition ? yes : no, for any kind; the operands' sizes may be 1.
void choose(Lanes &out, const Lanes &condition, const Lanes &yes,
            const Lanes &no) {
  View<int64_t> c = raws(condition);
  auto chosen = [](int64_t which, auto x, auto y) { return which ? x : y; };
  if (out.kind == Lanes::Kind::Complex) {
    fillComplex(out, [&](int64_t n, int64_t i) {
      return complexAt(c(n, i) ? yes : no, n, i);
    });
  } else if (out.isReal()) {
    fillOf(out, out.real.data(), chosen, rawsFor(condition, out),
           realsFor(yes, out), realsFor(no, out));
  } else {
    fillOf(out, out.raw.data(), chosen, rawsFor(condition, out),
           rawsFor(yes, out), rawsFor(no, out));
  }
}

} // namespace

void evaluate(LiteralOp op, Frame &frame) {
  Lanes &out = frame[op.getResult()];
  out.resize(1);
  Attribute value = op.getValue();
  if (auto number = dyn_cast<FloatAttr>(value)) {
    out.real.assign(out.real.size(), number.getValueAsDouble());
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    APInt bits = integer.getValue();
    int64_t x = out.kind == Lanes::Kind::Bool ? int64_t(bits.getBoolValue())
                                              : bits.getSExtValue();
    if (out.isReal())
      out.real.assign(out.real.size(), double(x));
    else
      out.raw.assign(out.raw.size(), x);
  } else if (auto elements = dyn_cast<ElementsAttr>(value)) {
    if (out.isReal())
      out.real = readReals(elements).value_or(std::vector<double>());
    else
      out.raw = readInts(elements).value_or(std::vector<int64_t>());
  }
}

void evaluate(AddOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x + y; },
      [](auto x, auto y) { return x + y; }, bitsOfSum, op.getOverflow());
}

void evaluate(SubOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x - y; },
      [](auto x, auto y) { return x - y; }, bitsOfSum, op.getOverflow());
}

// fx<a, e> * fx<b, f> -> fx<a + b, e + f>: the product always fits.
void evaluate(MulOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x * y; },
      [](auto x, auto y) { return x * y; }, bitsOfProduct);
}

void evaluate(DivOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x / y; },
      [](auto x, auto) { return x; }, bitsOfEither);
}

// The left one is taken of two equal values, and when one is not a number.
void evaluate(MinOp op, Frame &frame) {
  auto smaller = [](auto x, auto y) { return y < x ? y : x; };
  binary(op, frame, smaller, smaller, bitsOfEither);
}

void evaluate(MaxOp op, Frame &frame) {
  auto larger = [](auto x, auto y) { return y > x ? y : x; };
  binary(op, frame, larger, larger, bitsOfEither);
}

void evaluate(NegOp op, Frame &frame) {
  auto negate = [](auto x) { return -x; };
  unary(op, frame, negate, negate);
}

void evaluate(AbsOp op, Frame &frame) {
  unary(
      op, frame, [](double x) { return std::fabs(x); },
      [](auto x) { return x < 0 ? -x : x; });
}

void evaluate(ToRealOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()];
  if (input.isReal())
    fillReal(out, reals(input));
  else
    fillReal(out, [&, x = raws(input)](int64_t n, int64_t i) {
      return std::ldexp(double(x(n, i)), input.exponent);
    });
}

void evaluate(CmpOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &a = frame[op.getLhs()], &b = frame[op.getRhs()];
  Predicate predicate = op.getPredicate();
  if (a.isReal())
    compare(out, predicate, realsFor(a, out), realsFor(b, out));
  else
    compare(out, predicate, rawsFor(a, out), rawsFor(b, out));
}

void evaluate(SelectOp op, Frame &frame) {
  choose(frame.result(op.getResult()), frame[op.getCondition()],
         frame[op.getYes()], frame[op.getNo()]);
}

// min(max(x, low), high): `high` wins where the two cross.
void evaluate(ClampOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()], &low = frame[op.getLow()],
              &high = frame[op.getHigh()];
  auto clamp = [](auto x, auto l, auto h) {
    auto raised = x < l ? l : x;
    return raised > h ? h : raised;
  };
  if (out.isReal())
    fillOf(out, out.real.data(), clamp, realsFor(input, out),
           realsFor(low, out), realsFor(high, out));
  else
    fillOf(out, out.raw.data(), clamp, rawsFor(input, out), rawsFor(low, out),
           rawsFor(high, out));
}

// The ops of the region are pure, so it may be evaluated for every neuron if
// any neuron's condition holds; the others keep what they carry.
void evaluate(WhenOp op, Frame &frame) {
  const Lanes &condition = frame[op.getCondition()];
  bool any = llvm::is_contained(condition.raw, 1);
  Block &body = op.getBody().front();
  if (any)
    for (Operation &inner : body.without_terminator())
      evaluateOp(&inner, frame);
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    const Lanes &kept = frame[op.getCarried()[i]];
    const Lanes &given = frame[body.getTerminator()->getOperand(i)];
    Lanes &out = frame[result];
    if (!any) {
      out.assign(kept, kept.count);
      continue;
    }
    out.resize(std::max({condition.count, kept.count, given.count}));
    choose(out, condition, given, kept);
  }
}

} // namespace dendrolith::dend
