// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise arithmetic, comparison and choice.

#include "dialects/dend/Constants.h"
#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/reference/Evaluate.h"

#include <cmath>

using namespace mlir;

namespace neurite::dend {
namespace {

/// Brings an exact result into the range of `out`'s elements.
int64_t narrowInto(const Lanes &out, Int128 x, Overflow overflow) {
  if (out.kind == Lanes::Kind::Bool)
    return int64_t(x & 1);
  return narrowTo(x, out.width, overflow);
}

/// An element-wise op of two operands: `onReals` or `onInts` by kind.
template <typename Op, typename R, typename I>
void binary(Op op, Frame &frame, R onReals, I onInts,
            Overflow overflow = Overflow::Wrap) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &a = frame[op.getLhs()], &b = frame[op.getRhs()];
  if (out.isReal())
    fillReal(out, [&, x = reals(a), y = reals(b)](int64_t n, int64_t i) {
      return onReals(x(n, i), y(n, i));
    });
  else
    fillRaw(out, [&, x = raws(a), y = raws(b)](int64_t n, int64_t i) {
      return narrowInto(out, onInts(Int128(x(n, i)), Int128(y(n, i))),
                        overflow);
    });
}

template <typename Op, typename R, typename I>
void unary(Op op, Frame &frame, R onReals, I onInts) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &a = frame[op.getInput()];
  if (out.isReal())
    fillReal(out, [&, x = reals(a)](int64_t n, int64_t i) {
      return onReals(x(n, i));
    });
  else
    fillRaw(out, [&, x = raws(a)](int64_t n, int64_t i) {
      return narrowInto(out, onInts(Int128(x(n, i))), Overflow::Wrap);
    });
}

template <typename T> bool compare(Predicate predicate, T x, T y) {
  switch (predicate) {
  case Predicate::EQ:
    return x == y;
  case Predicate::NE:
    return x != y;
  case Predicate::LT:
    return x < y;
  case Predicate::LE:
    return x <= y;
  case Predicate::GT:
    return x > y;
  case Predicate::GE:
    return x >= y;
  }
  return false;
}

/// out = condition ? yes : no, for any kind; the operands' sizes may be 1.
void choose(Lanes &out, const Lanes &condition, const Lanes &yes,
            const Lanes &no) {
  View<int64_t> c = raws(condition);
  if (out.kind == Lanes::Kind::Complex) {
    fillComplex(out, [&](int64_t n, int64_t i) {
      return complexAt(c(n, i) ? yes : no, n, i);
    });
  } else if (out.isReal()) {
    fillReal(out, [&, x = reals(yes), y = reals(no)](int64_t n, int64_t i) {
      return c(n, i) ? x(n, i) : y(n, i);
    });
  } else {
    fillRaw(out, [&, x = raws(yes), y = raws(no)](int64_t n, int64_t i) {
      return c(n, i) ? x(n, i) : y(n, i);
    });
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
      [](Int128 x, Int128 y) { return x + y; }, op.getOverflow());
}

void evaluate(SubOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x - y; },
      [](Int128 x, Int128 y) { return x - y; }, op.getOverflow());
}

// fx<a, e> * fx<b, f> -> fx<a + b, e + f>: the product always fits.
void evaluate(MulOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x * y; },
      [](Int128 x, Int128 y) { return x * y; });
}

void evaluate(DivOp op, Frame &frame) {
  binary(
      op, frame, [](double x, double y) { return x / y; },
      [](Int128 x, Int128) { return x; });
}

// The left one is taken of two equal values, and when one is not a number.
void evaluate(MinOp op, Frame &frame) {
  auto smaller = [](auto x, auto y) { return y < x ? y : x; };
  binary(op, frame, smaller, smaller);
}

void evaluate(MaxOp op, Frame &frame) {
  auto larger = [](auto x, auto y) { return y > x ? y : x; };
  binary(op, frame, larger, larger);
}

void evaluate(NegOp op, Frame &frame) {
  auto negate = [](auto x) { return -x; };
  unary(op, frame, negate, negate);
}

void evaluate(AbsOp op, Frame &frame) {
  unary(
      op, frame, [](double x) { return std::fabs(x); },
      [](Int128 x) { return x < 0 ? -x : x; });
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
    fillRaw(out, [&, x = reals(a), y = reals(b)](int64_t n, int64_t i) {
      return int64_t(compare(predicate, x(n, i), y(n, i)));
    });
  else
    fillRaw(out, [&, x = raws(a), y = raws(b)](int64_t n, int64_t i) {
      return int64_t(compare(predicate, x(n, i), y(n, i)));
    });
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
    fillReal(out, [&, x = reals(input), l = reals(low),
                   h = reals(high)](int64_t n, int64_t i) {
      return clamp(x(n, i), l(n, i), h(n, i));
    });
  else
    fillRaw(out, [&, x = raws(input), l = raws(low),
                  h = raws(high)](int64_t n, int64_t i) {
      return clamp(x(n, i), l(n, i), h(n, i));
    });
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

} // namespace neurite::dend
