// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over elements: real ones in index order starting from 0, fixed-point
// ones modulo 2^width after each product was rescaled to the result's type.

#include "dialects/dend/FixedPoint64.h"
#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace neurite::dend {
namespace {

/// out(n, i) = start(n, i) + sum over k < terms of a(n, ai(i, k)) b(n, bi(i,
/// k))
template <typename A, typename B>
void sumOfProducts(Lanes &out, const Lanes *start, const Lanes &a,
                   const Lanes &b, Rounding rounding, int64_t terms, A ai,
                   B bi) {
  if (out.isReal()) {
    fillReal(out, [&, x = reals(a), y = reals(b)](int64_t n, int64_t i) {
      double sum = start ? reals(*start)(n, i) : 0.0;
      for (int64_t k = 0; k < terms; ++k)
        sum += x(n, ai(i, k)) * y(n, bi(i, k));
      return sum;
    });
    return;
  }
  // A product of so few bits is exact in 64, as nearly all are.
  const int bits = out.exponent - a.exponent - b.exponent;
  if (a.width + b.width <= 64 && bits >= 1 && bits <= 62)
    return fillRaw(out, [&, x = raws(a), y = raws(b)](int64_t n, int64_t i) {
      uint64_t sum = start ? uint64_t(raws(*start)(n, i)) : 0;
      for (int64_t k = 0; k < terms; ++k)
        sum += uint64_t(productTerm64(x(n, ai(i, k)), y(n, bi(i, k)),
                                      unsigned(bits), out.width, rounding));
      return wrap64(sum, out.width);
    });
  fillRaw(out, [&, x = raws(a), y = raws(b)](int64_t n, int64_t i) {
    int64_t sum = start ? raws(*start)(n, i) : 0;
    for (int64_t k = 0; k < terms; ++k) {
      int64_t term = productTerm(x(n, ai(i, k)), a.exponent, y(n, bi(i, k)),
                                 b.exponent, out.width, out.exponent, rounding);
      sum = addFixed(sum, term, out.width, Overflow::Wrap);
    }
    return sum;
  });
}

} // namespace

void evaluate(DotOp op, Frame &frame) {
  const Lanes &lhs = frame[op.getLhs()];
  auto index = [](int64_t, int64_t k) { return k; };
  sumOfProducts(frame.result(op.getResult()), nullptr, lhs, frame[op.getRhs()],
                op.getRounding(), lhs.size, index, index);
}

void evaluate(MatVecOp op, Frame &frame) {
  const Lanes &matrix = frame[op.getLhs()], &vector = frame[op.getRhs()];
  sumOfProducts(
      frame.result(op.getResult()), nullptr, matrix, vector, op.getRounding(),
      vector.size,
      [columns = vector.size](int64_t i, int64_t k) { return i * columns + k; },
      [](int64_t, int64_t k) { return k; });
}

void evaluate(VecMatOp op, Frame &frame) {
  const Lanes &vector = frame[op.getLhs()], &matrix = frame[op.getRhs()];
  Lanes &out = frame.result(op.getResult());
  sumOfProducts(
      out, nullptr, vector, matrix, op.getRounding(), vector.size,
      [](int64_t, int64_t k) { return k; },
      [columns = out.size](int64_t i, int64_t k) { return k * columns + i; });
}

void evaluate(OuterAddOp op, Frame &frame) {
  const Lanes &lhs = frame[op.getLhs()], &rhs = frame[op.getRhs()];
  int64_t columns = rhs.size;
  sumOfProducts(
      frame.result(op.getResult()), &frame[op.getAccumulator()], lhs, rhs,
      op.getRounding(), 1, [=](int64_t i, int64_t) { return i / columns; },
      [=](int64_t i, int64_t) { return i % columns; });
}

void evaluate(ReduceOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()];
  bool sum = op.getKind() == Reduction::Sum;
  if (out.isReal())
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t) {
      double total = sum ? 0.0 : x(n, 0);
      for (int64_t k = 0; k < input.size; ++k)
        if (sum)
          total += x(n, k);
        else if (x(n, k) > total)
          total = x(n, k);
      return total;
    });
  else
    fillRaw(out, [&, x = raws(input)](int64_t n, int64_t) {
      int64_t total = sum ? 0 : x(n, 0);
      for (int64_t k = 0; k < input.size; ++k)
        total = sum ? addFixed(total, x(n, k), out.width, Overflow::Wrap)
                    : std::max(total, x(n, k));
      return total;
    });
}

// Marks the largest element, then the largest of the rest, and so on; among
// equals the lowest index comes first, and no number beats one that is none.
void evaluate(TopKOp op, Frame &frame) {
  Lanes &out = frame.result(op.getResult());
  const Lanes &input = frame[op.getInput()];
  std::fill(out.raw.begin(), out.raw.end(), 0);
  auto mark = [&](auto x) {
    for (int64_t n = 0; n < out.count; ++n) {
      int64_t *mask = out.raw.data() + n * out.size;
      for (int64_t k = 0; k < std::min<int64_t>(op.getK(), out.size); ++k) {
        int64_t best = -1;
        for (int64_t i = 0; i < out.size; ++i)
          if (!mask[i] && (best < 0 || x(n, i) > x(n, best) ||
                           (x(n, best) != x(n, best) && x(n, i) == x(n, i))))
            best = i;
        mask[best] = 1;
      }
    }
  };
  if (input.isReal())
    mark(reals(input));
  else
    mark(raws(input));
}

} // namespace neurite::dend
