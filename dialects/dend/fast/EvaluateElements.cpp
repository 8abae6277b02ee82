// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise arithmetic, comparison, choice and scaling.

#include "dialects/dend/fast/Evaluate.h"
#include "dialects/dend/fast/SideBySide.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace mlir;

namespace dendrolith::dend::fast {
namespace {

/// Writes results of `f`, which are exact in a T, brought into the range of the
/// elements.
template <typename T, typename F, typename... Operands>
void fillExact(PopulationValue &out, Overflow overflow, F f,
               Operands &...operands) {
  int64_t *to = out.raw.data();
  const unsigned width = out.width;
  // What decides on every element is outside the loops.
  if (out.kind == ElementKind::Bool)
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
/// the same (EvaluateElementsTest.cpp).
template <typename F, typename... Operands>
void fillNarrowed(PopulationValue &out, Overflow overflow, unsigned bits, F f,
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
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &a = frame[op.getLhs()], &b = frame[op.getRhs()];
  if (out.isReal())
    fillOf(out, out.real.data(), onReals, realsFor(a, out), realsFor(b, out));
  else
    fillNarrowed(out, overflow, bits(a.width, b.width), onInts, rawsFor(a, out),
                 rawsFor(b, out));
}

template <typename Op, typename R, typename I>
void unary(Op op, Frame &frame, R onReals, I onInts) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &a = frame[op.getInput()];
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
void compare(PopulationValue &out, Predicate predicate, Operand<T> &&x,
             Operand<T> &&y) {
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
void choose(PopulationValue &out, const PopulationValue &condition,
            const PopulationValue &yes, const PopulationValue &no) {
  View<int64_t> c = raws(condition);
  auto chosen = [](int64_t which, auto x, auto y) { return which ? x : y; };
  if (out.kind == ElementKind::Complex) {
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

/// rescale() to fewer bits after the point, by 1 to 62. The rounding is known
/// to the compiler, so that the loop has no branch.
template <Rounding rounding>
void dropBits(PopulationValue &out, const PopulationValue &input, unsigned bits,
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

void evaluate(CmpOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &a = frame[op.getLhs()], &b = frame[op.getRhs()];
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
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()],
                        &low = frame[op.getLow()], &high = frame[op.getHigh()];
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
  const PopulationValue &condition = frame[op.getCondition()];
  bool any = llvm::is_contained(condition.raw, 1);
  Block &body = op.getBody().front();
  if (any)
    for (Operation &inner : body.without_terminator())
      fast::evaluateOp(&inner, frame);
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

void evaluate(RescaleOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
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

} // namespace dendrolith::dend::fast
