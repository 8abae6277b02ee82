// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-wise arithmetic, comparison and choice.

#include "dialects/dend/Constants.h"
#include "dialects/dend/reference/Evaluate.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// An element-wise op of two operands: `onReals`, or `onInts` of exact
/// integers, whose result is brought into the range of the elements.
template <typename Op, typename R, typename I>
void binary(Op op, Frame &frame, R onReals, I onInts,
            Overflow overflow = Overflow::Wrap) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &a = frame[op.getLhs()], &b = frame[op.getRhs()];
  if (out.isReal())
    fillReal(out, [&, x = reals(a), y = reals(b)](int64_t n, int64_t i) {
      return onReals(x(n, i), y(n, i));
    });
  else
    fillRaw(out, [&, x = raws(a), y = raws(b)](int64_t n, int64_t i) {
      return narrow(onInts(Int128(x(n, i)), Int128(y(n, i))), out, overflow);
    });
}

/// An element-wise op of one operand, the same function for all numbers.
template <typename Op, typename F> void unary(Op op, Frame &frame, F f) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  if (out.isReal())
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t i) {
      return f(x(n, i));
    });
  else
    fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
      return narrow(f(Int128(x(n, i))), out);
    });
}

template <typename T> bool holds(Predicate predicate, T x, T y) {
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
void choose(PopulationValue &out, const PopulationValue &condition,
            const PopulationValue &yes, const PopulationValue &no) {
  auto chosen = [&, c = raws(condition)](int64_t n,
                                         int64_t i) -> const PopulationValue & {
    return c(n, i) ? yes : no;
  };
  if (out.kind == ElementKind::Complex)
    fillComplex(out, [&](int64_t n, int64_t i) {
      return complexAt(chosen(n, i), n, i);
    });
  else if (out.isReal())
    fillReal(out,
             [&](int64_t n, int64_t i) { return reals(chosen(n, i))(n, i); });
  else
    fillRaw(out,
            [&](int64_t n, int64_t i) { return raws(chosen(n, i))(n, i); });
}

} // namespace

void evaluate(LiteralOp op, Frame &frame) {
  PopulationValue &out = frame[op.getResult()];
  out.resize(1);
  Attribute value = op.getValue();
  if (auto number = dyn_cast<FloatAttr>(value)) {
    out.real.assign(out.real.size(), number.getValueAsDouble());
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    APInt bits = integer.getValue();
    int64_t x = out.kind == ElementKind::Bool ? int64_t(bits.getBoolValue())
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
  auto add = [](auto x, auto y) { return x + y; };
  binary(op, frame, add, add, op.getOverflow());
}

void evaluate(SubOp op, Frame &frame) {
  auto subtract = [](auto x, auto y) { return x - y; };
  binary(op, frame, subtract, subtract, op.getOverflow());
}

// fx<a, e> * fx<b, f> -> fx<a + b, e + f>: the product always fits.
void evaluate(MulOp op, Frame &frame) {
  auto multiply = [](auto x, auto y) { return x * y; };
  binary(op, frame, multiply, multiply);
}

// Only reals are divided.
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
  unary(op, frame, [](auto x) { return -x; });
}

void evaluate(AbsOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  if (out.isReal())
    fillReal(out, [x = reals(input)](int64_t n, int64_t i) {
      return std::fabs(x(n, i));
    });
  else
    fillRaw(out, [&, x = raws(input)](int64_t n, int64_t i) {
      return absFixed(x(n, i), out.width);
    });
}

void evaluate(ToRealOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  if (input.isReal())
    fillReal(out, reals(input));
  else
    fillReal(out, [&, x = raws(input)](int64_t n, int64_t i) {
      return std::ldexp(double(x(n, i)), input.exponent);
    });
}

void evaluate(CmpOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &a = frame[op.getLhs()], &b = frame[op.getRhs()];
  const Predicate predicate = op.getPredicate();
  fillRaw(out, [&](int64_t n, int64_t i) {
    return int64_t(a.isReal() ? holds(predicate, reals(a)(n, i), reals(b)(n, i))
                              : holds(predicate, raws(a)(n, i), raws(b)(n, i)));
  });
}

void evaluate(SelectOp op, Frame &frame) {
  choose(frame.result(op.getResult()), frame[op.getCondition()],
         frame[op.getYes()], frame[op.getNo()]);
}

// min(max(x, low), high): `high` wins where the two cross.
void evaluate(ClampOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()],
                        &low = frame[op.getLow()], &high = frame[op.getHigh()];
  auto clamp = [](auto x, auto l, auto h) {
    auto raised = x < l ? l : x;
    return raised > h ? h : raised;
  };
  if (out.isReal())
    fillReal(out, [&](int64_t n, int64_t i) {
      return clamp(reals(input)(n, i), reals(low)(n, i), reals(high)(n, i));
    });
  else
    fillRaw(out, [&](int64_t n, int64_t i) {
      return clamp(raws(input)(n, i), raws(low)(n, i), raws(high)(n, i));
    });
}

// The ops of the region are pure, so it may be evaluated for every neuron if
// any neuron's condition holds; the others keep what they carry.
void evaluate(WhenOp op, Frame &frame) {
  const PopulationValue &condition = frame[op.getCondition()];
  const bool any = llvm::is_contained(condition.raw, 1);
  Block &body = op.getBody().front();
  if (any)
    for (Operation &inner : body.without_terminator())
      evaluateOp(&inner, frame);
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    const PopulationValue &kept = frame[op.getCarried()[i]];
    const PopulationValue &given = frame[body.getTerminator()->getOperand(i)];
    PopulationValue &out = frame[result];
    if (!any) {
      out.assign(kept, kept.count);
      continue;
    }
    out.resize(std::max({condition.count, kept.count, given.count}));
    choose(out, condition, given, kept);
  }
}

// Moving elements along the first axis.

/// Elements below one index of the first axis.
static int64_t rowSize(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value.getType());
  return shape.empty() ? 1 : elementCount(value.getType()) / shape.front();
}

void evaluate(SliceOp op, Frame &frame) {
  int64_t first = op.getOffset() * rowSize(op.getInput());
  fillFrom(frame.result(op.getResult()), frame[op.getInput()],
           [=](int64_t, int64_t i) { return first + i; });
}

void evaluate(ElementOp op, Frame &frame) {
  int64_t first = op.getIndex() * rowSize(op.getInput());
  fillFrom(frame.result(op.getResult()), frame[op.getInput()],
           [=](int64_t, int64_t i) { return first + i; });
}

void evaluate(ConcatOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  int64_t first = 0;
  for (Value operand : op.getInputs()) {
    const PopulationValue &part = frame[operand];
    // A complex element is a pair of numbers, side by side.
    const int64_t each = out.kind == ElementKind::Complex ? 2 : 1;
    auto copy = [&](const auto &from, auto &to) {
      for (int64_t n = 0; n < out.count; ++n)
        std::copy_n(from.data() + (part.count == 1 ? 0 : n) * part.size * each,
                    part.size * each,
                    to.data() + (n * out.size + first) * each);
    };
    if (out.isReal())
      copy(part.real, out.real);
    else
      copy(part.raw, out.raw);
    first += part.size;
  }
}

void evaluate(RollOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  int64_t row = rowSize(op.getInput()), rows = out.size / row;
  int64_t by = (int64_t(op.getBy()) % rows + rows) % rows;
  fillFrom(out, frame[op.getInput()], [=](int64_t, int64_t i) {
    return (i / row + rows - by) % rows * row + i % row;
  });
}

void evaluate(SplatOp op, Frame &frame) {
  fillFrom(frame.result(op.getResult()), frame[op.getInput()],
           [](int64_t, int64_t) { return 0; });
}

} // namespace dendrolith::dend
