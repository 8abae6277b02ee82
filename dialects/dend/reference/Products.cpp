// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over elements: real ones in index order starting from 0, fixed-point
// ones modulo 2^width after each product was rescaled to the result's type.

#include "dialects/dend/FixedPoint64.h"
#include "dialects/dend/reference/Evaluate.h"

#include <algorithm>
#include <type_traits>

using namespace mlir;

namespace neurite::dend {
namespace {

/// Calls `with` what makes a term of two raw numbers, where it is exact in 64
/// bits, as nearly all are. The rounding is known to the compiler, so that a
/// loop over terms has no branch. Terms are left as they are: bringing their
/// sum into the width of the result gives the same as bringing each there.
template <typename F>
bool withTerm64(const Lanes &out, const Lanes &a, const Lanes &b,
                Rounding rounding, F with) {
  const int bits = out.exponent - a.exponent - b.exponent;
  if (a.width + b.width > 64 || bits < 1 || bits > 62)
    return false;
  auto of = [&](auto known) {
    with([bits = unsigned(bits)](int64_t x, int64_t y) {
      return uint64_t(shiftRound64(x * y, bits, decltype(known)::value));
    });
  };
  switch (rounding) {
  case Rounding::Floor:
    of(std::integral_constant<Rounding, Rounding::Floor>());
    break;
  case Rounding::TowardZero:
    of(std::integral_constant<Rounding, Rounding::TowardZero>());
    break;
  case Rounding::NearestEven:
    of(std::integral_constant<Rounding, Rounding::NearestEven>());
    break;
  case Rounding::NearestUp:
    of(std::integral_constant<Rounding, Rounding::NearestUp>());
    break;
  }
  return true;
}

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
  if (withTerm64(out, a, b, rounding, [&](auto term) {
        fillRaw(out, [&, x = raws(a), y = raws(b)](int64_t n, int64_t i) {
          uint64_t sum = start ? uint64_t(raws(*start)(n, i)) : 0;
          for (int64_t k = 0; k < terms; ++k)
            sum += term(x(n, ai(i, k)), y(n, bi(i, k)));
          return wrap64(sum, out.width);
        });
      }))
    return;
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

/// Adds each row of a neuron's matrix, times an element of its vector, to all
/// of its sums at once. Each sum has its terms in the order of sumOfProducts(),
/// and so its bits (VectorsTest.cpp). A row counts if its element `counts`.
template <typename T, typename Counts, typename Add>
void addRows(std::vector<T> &out, int64_t count, int64_t columns,
             View<T> vector, int64_t terms, View<T> matrix, Counts counts,
             Add add) {
  std::fill(out.begin(), out.end(), T(0));
  for (int64_t n = 0; n < count; ++n) {
    T *__restrict const sums = out.data() + n * columns;
    const T *row = matrix.row(n);
    for (int64_t k = 0; k < terms; ++k, row += columns)
      if (const T x = vector(n, k); counts(x))
        for (int64_t i = 0; i < columns; ++i)
          sums[i] = add(sums[i], x, row[i]);
  }
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
  const int64_t columns = out.size, terms = vector.size;
  if (out.isReal())
    return addRows(
        out.real, out.count, columns, reals(vector), terms, reals(matrix),
        [](double) { return true; },
        [](double sum, double x, double y) { return sum + x * y; });
  if (withTerm64(out, vector, matrix, op.getRounding(), [&](auto term) {
        addRows(
            out.raw, out.count, columns, raws(vector), terms, raws(matrix),
            [](int64_t x) { return x != 0; }, // 0 rounds to 0
            [term](int64_t sum, int64_t x, int64_t y) {
              return int64_t(uint64_t(sum) + term(x, y));
            });
        for (int64_t &sum : out.raw)
          sum = wrap64(uint64_t(sum), out.width);
      }))
    return;
  sumOfProducts(
      out, nullptr, vector, matrix, op.getRounding(), terms,
      [](int64_t, int64_t k) { return k; },
      [=](int64_t i, int64_t k) { return k * columns + i; });
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
