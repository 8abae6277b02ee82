// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over elements: real ones in index order starting from 0, fixed-point
// ones modulo 2^width after each product was rescaled to the result's type.

#include "dialects/dend/fast/Evaluate.h"
#include "dialects/dend/fast/SideBySide.h"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

using namespace mlir;

namespace dendrolith::dend::fast {
namespace {

/// Calls `with` what makes a term of two raw numbers, where it is exact in 64
/// bits, as nearly all are. The rounding is known to the compiler, so that a
/// loop over terms has no branch. Terms are left as they are: bringing their
/// sum into the width of the result gives the same as bringing each there.
template <typename F>
bool withTerm64(const PopulationValue &out, const PopulationValue &a,
                const PopulationValue &b, Rounding rounding, F with) {
  const int bits = out.exponent - a.exponent - b.exponent;
  if (a.width + b.width > 64 || bits < 1 || bits > 62)
    return false;
  auto withKnown = [&](auto known) {
    with([bits = unsigned(bits)](int64_t x, int64_t y) {
      return uint64_t(shiftRound64(x * y, bits, decltype(known)::value));
    });
  };
  switch (rounding) {
  case Rounding::Floor:
    withKnown(std::integral_constant<Rounding, Rounding::Floor>());
    break;
  case Rounding::TowardZero:
    withKnown(std::integral_constant<Rounding, Rounding::TowardZero>());
    break;
  case Rounding::NearestEven:
    withKnown(std::integral_constant<Rounding, Rounding::NearestEven>());
    break;
  case Rounding::NearestUp:
    withKnown(std::integral_constant<Rounding, Rounding::NearestUp>());
    break;
  }
  return true;
}

/// out(n, i) = start(n, i) + sum over k < terms of a(n, ai(i, k)) b(n, bi(i,
/// k)), of any fixed-point numbers: the plain form of all that is below.
template <typename A, typename B>
void sumOfProducts(PopulationValue &out, const PopulationValue *start,
                   const PopulationValue &a, const PopulationValue &b,
                   Rounding rounding, int64_t terms, A ai, B bi) {
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
void addMatrixRows(std::vector<T> &out, int64_t count, int64_t columns,
                   View<T> vector, int64_t terms, View<T> matrix, Counts counts,
                   Add add) {
  std::fill(out.begin(), out.end(), T(0));
  loopSideBySide([=, all = out.data()]() DENDROLITH_SIDE_BY_SIDE {
    for (int64_t n = 0; n < count; ++n) {
      T *__restrict const sums = all + n * columns;
      const T *row = matrix.row(n);
      for (int64_t k = 0; k < terms; ++k, row += columns)
        if (const T x = vector(n, k); counts(x))
          for (int64_t i = 0; i < columns; ++i)
            sums[i] = add(sums[i], x, row[i]);
    }
  });
}

/// Sums of `Count` rows of a matrix times a vector, side by side: the terms of
/// each are in the order of sumOfProducts(), and no sum waits for another.
template <size_t... Row>
void multiplyRows(const double *matrix, const double *vector, int64_t terms,
                  double *out, std::index_sequence<Row...>) {
  double sums[] = {(void(Row), 0.0)...};
  for (int64_t k = 0; k < terms; ++k)
    ((sums[Row] += matrix[int64_t(Row) * terms + k] * vector[k]), ...);
  ((out[Row] = sums[Row]), ...);
}

/// out(n, i) = sum over k of matrix(n, i, k) vector(n, k)
void multiply(PopulationValue &out, View<double> matrix, View<double> vector,
              int64_t terms) {
  for (int64_t n = 0; n < out.count; ++n) {
    double *const sums = out.real.data() + n * out.size;
    int64_t i = 0;
    const auto rows = [&](auto some) {
      for (; i + int64_t(some.size()) <= out.size; i += int64_t(some.size()))
        multiplyRows(matrix.row(n) + i * terms, vector.row(n), terms, sums + i,
                     some);
    };
    rows(std::make_index_sequence<8>());
    rows(std::make_index_sequence<2>());
    rows(std::make_index_sequence<1>());
  }
}

/// The same of fixed-point numbers; false where terms need more than 64 bits.
bool multiply(PopulationValue &out, const PopulationValue &matrix,
              const PopulationValue &vector, Rounding rounding) {
  return withTerm64(out, matrix, vector, rounding, [&](auto term) {
    const View<int64_t> rows = raws(matrix), elements = raws(vector);
    const int64_t count = out.count, size = out.size, terms = vector.size;
    const unsigned width = out.width;
    loopSideBySide([=, to = out.raw.data()]() DENDROLITH_SIDE_BY_SIDE {
      for (int64_t n = 0; n < count; ++n)
        for (int64_t i = 0; i < size; ++i) {
          const int64_t *const x = rows.row(n) + i * terms, *const y =
                                                                elements.row(n);
          uint64_t sum = 0;
          for (int64_t k = 0; k < terms; ++k)
            sum += term(x[k], y[k]);
          to[n * size + i] = wrap64(sum, width);
        }
    });
  });
}

/// out(n, i, j) = add(start(n, i, j), a(n, i), b(n, j)): rows of the result.
template <typename T, typename Add>
void addOuter(std::vector<T> &out, int64_t count, int64_t rows, int64_t columns,
              View<T> start, View<T> a, View<T> b, Add add) {
  loopSideBySide([=, all = out.data()]() DENDROLITH_SIDE_BY_SIDE {
    T *__restrict to = all;
    for (int64_t n = 0; n < count; ++n) {
      const T *from = start.row(n), *const y = b.row(n);
      for (int64_t i = 0; i < rows; ++i, from += columns, to += columns) {
        const T x = a(n, i);
        for (int64_t j = 0; j < columns; ++j)
          to[j] = add(from[j], x, y[j]);
      }
    }
  });
}

} // namespace

/// A dot product is that of a matrix of one row.
template <typename Op> static void multiply(Op op, Frame &frame) {
  const PopulationValue &matrix = frame[op.getLhs()],
                        &vector = frame[op.getRhs()];
  PopulationValue &out = frame.result(op.getResult());
  if (out.isReal())
    multiply(out, reals(matrix), reals(vector), vector.size);
  else if (!multiply(out, matrix, vector, op.getRounding()))
    sumOfProducts(
        out, nullptr, matrix, vector, op.getRounding(), vector.size,
        [columns = vector.size](int64_t i, int64_t k) {
          return i * columns + k;
        },
        [](int64_t, int64_t k) { return k; });
}

void evaluate(DotOp op, Frame &frame) { multiply(op, frame); }

void evaluate(MatVecOp op, Frame &frame) { multiply(op, frame); }

void evaluate(VecMatOp op, Frame &frame) {
  const PopulationValue &vector = frame[op.getLhs()],
                        &matrix = frame[op.getRhs()];
  PopulationValue &out = frame.result(op.getResult());
  const int64_t columns = out.size, terms = vector.size;
  if (out.isReal())
    return addMatrixRows(
        out.real, out.count, columns, reals(vector), terms, reals(matrix),
        [](double) { return true; },
        [](double sum, double x, double y) { return sum + x * y; });
  if (withTerm64(out, vector, matrix, op.getRounding(), [&](auto term) {
        addMatrixRows(
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
  const PopulationValue &lhs = frame[op.getLhs()], &rhs = frame[op.getRhs()],
                        &start = frame[op.getAccumulator()];
  PopulationValue &out = frame.result(op.getResult());
  const int64_t rows = lhs.size, columns = rhs.size;
  if (out.isReal())
    return addOuter(out.real, out.count, rows, columns, reals(start),
                    reals(lhs), reals(rhs),
                    [](double sum, double x, double y) { return sum + x * y; });
  if (withTerm64(out, lhs, rhs, op.getRounding(), [&](auto term) {
        addOuter(out.raw, out.count, rows, columns, raws(start), raws(lhs),
                 raws(rhs),
                 [term, width = out.width](int64_t sum, int64_t x, int64_t y) {
                   return wrap64(uint64_t(sum) + term(x, y), width);
                 });
      }))
    return;
  sumOfProducts(
      out, &start, lhs, rhs, op.getRounding(), 1,
      [=](int64_t i, int64_t) { return i / columns; },
      [=](int64_t i, int64_t) { return i % columns; });
}

// One number of all elements of a neuron, and the largest of them.

void evaluate(ReduceOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  const bool isSum = op.getKind() == Reduction::Sum;
  const int64_t size = input.size;
  auto largestOf = [size](const auto *x) {
    auto largest = x[0];
    for (int64_t k = 0; k < size; ++k)
      largest = x[k] > largest ? x[k] : largest;
    return largest;
  };
  if (out.isReal())
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t) {
      if (!isSum)
        return largestOf(x.row(n));
      double total = 0;
      for (int64_t k = 0; k < size; ++k)
        total += x.row(n)[k];
      return total;
    });
  else
    fillRaw(out, [&, x = raws(input)](int64_t n, int64_t) {
      if (!isSum)
        return largestOf(x.row(n));
      uint64_t total = 0;
      for (int64_t k = 0; k < size; ++k)
        total += uint64_t(x.row(n)[k]);
      return wrap64(total, out.width);
    });
}

// Marks the largest element, then the largest of the rest, and so on; among
// equals the lowest index comes first, and no number beats one that is none.
void evaluate(TopKOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  std::fill(out.raw.begin(), out.raw.end(), 0);
  const auto marked = ptrdiff_t(std::min<int64_t>(op.getK(), out.size));
  std::vector<int64_t> order(static_cast<size_t>(out.size));
  auto mark = [&](auto x) {
    for (int64_t n = 0; n < out.count; ++n) {
      std::iota(order.begin(), order.end(), 0);
      auto isBefore = [&](int64_t a, int64_t b) {
        const auto y = x(n, a), z = x(n, b);
        if (y > z || z > y)
          return y > z;
        const bool isNone = y != y, isNoneToo = z != z;
        return isNone != isNoneToo ? isNoneToo : a < b;
      };
      if (marked < ptrdiff_t(order.size()))
        std::nth_element(order.begin(), order.begin() + marked, order.end(),
                         isBefore);
      for (ptrdiff_t k = 0; k < marked; ++k)
        out.raw[size_t(n * out.size + order[size_t(k)])] = 1;
    }
  };
  if (input.isReal())
    mark(reals(input));
  else
    mark(raws(input));
}

} // namespace dendrolith::dend::fast
