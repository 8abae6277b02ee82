// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over elements: real ones in index order starting from 0, fixed-point
// ones modulo 2^width after each product was rescaled to the result's type.

#include "dialects/dend/reference/Evaluate.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::dend {

/// out(n, i) = start(n, i) + the sum over k < terms of a(n, aIndex(i, k)) times
/// b(n, bIndex(i, k)); without `start` the sum begins at 0.
template <typename A, typename B>
static void sumOfProducts(PopulationValue &out, const PopulationValue *start,
                          const PopulationValue &a, const PopulationValue &b,
                          Rounding rounding, int64_t terms, A aIndex,
                          B bIndex) {
  if (out.isReal())
    return fillReal(out, [&](int64_t n, int64_t i) {
      double sum = start ? reals(*start)(n, i) : 0.0;
      for (int64_t k = 0; k < terms; ++k)
        sum += reals(a)(n, aIndex(i, k)) * reals(b)(n, bIndex(i, k));
      return sum;
    });
  fillRaw(out, [&](int64_t n, int64_t i) {
    int64_t sum = start ? raws(*start)(n, i) : 0;
    for (int64_t k = 0; k < terms; ++k)
      sum = addFixed(sum,
                     productTerm(raws(a)(n, aIndex(i, k)), a.exponent,
                                 raws(b)(n, bIndex(i, k)), b.exponent,
                                 out.width, out.exponent, rounding),
                     out.width, Overflow::Wrap);
    return sum;
  });
}

void evaluate(DotOp op, Frame &frame) {
  auto same = [](int64_t, int64_t k) { return k; };
  const PopulationValue &x = frame[op.getLhs()], &y = frame[op.getRhs()];
  sumOfProducts(frame.result(op.getResult()), nullptr, x, y, op.getRounding(),
                y.size, same, same);
}

void evaluate(MatVecOp op, Frame &frame) {
  const PopulationValue &matrix = frame[op.getLhs()],
                        &vector = frame[op.getRhs()];
  const int64_t columns = vector.size;
  sumOfProducts(
      frame.result(op.getResult()), nullptr, matrix, vector, op.getRounding(),
      columns, [=](int64_t i, int64_t k) { return i * columns + k; },
      [](int64_t, int64_t k) { return k; });
}

void evaluate(VecMatOp op, Frame &frame) {
  const PopulationValue &vector = frame[op.getLhs()],
                        &matrix = frame[op.getRhs()];
  PopulationValue &out = frame.result(op.getResult());
  sumOfProducts(
      out, nullptr, vector, matrix, op.getRounding(), vector.size,
      [](int64_t, int64_t k) { return k; },
      [columns = out.size](int64_t i, int64_t k) { return k * columns + i; });
}

// The accumulator and one product for each element.
void evaluate(OuterAddOp op, Frame &frame) {
  const PopulationValue &column = frame[op.getLhs()], &row = frame[op.getRhs()];
  sumOfProducts(
      frame.result(op.getResult()), &frame[op.getAccumulator()], column, row,
      op.getRounding(), 1,
      [columns = row.size](int64_t i, int64_t) { return i / columns; },
      [columns = row.size](int64_t i, int64_t) { return i % columns; });
}

// One number of all elements of a neuron, and the largest of them.

void evaluate(ReduceOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  // A sum begins at 0, the largest at the first element.
  const bool isSum = op.getKind() == Reduction::Sum;
  if (out.isReal())
    fillReal(out, [&, x = reals(input)](int64_t n, int64_t) {
      double result = isSum ? 0.0 : x(n, 0);
      for (int64_t k = 0; k < input.size; ++k)
        result = isSum ? result + x(n, k) : std::max(result, x(n, k));
      return result;
    });
  else
    fillRaw(out, [&, x = raws(input)](int64_t n, int64_t) {
      int64_t result = isSum ? 0 : x(n, 0);
      for (int64_t k = 0; k < input.size; ++k)
        result = isSum ? addFixed(result, x(n, k), out.width, Overflow::Wrap)
                       : std::max(result, x(n, k));
      return result;
    });
}

/// Marks the largest element, then the largest of the rest, and so on; among
/// equals the lowest index comes first, and a number comes before one that is
/// none.
template <typename T>
static void markLargest(PopulationValue &out, View<T> x, int64_t k) {
  auto isLarger = [](T y, T z) { return y > z || (z != z && y == y); };
  std::fill(out.raw.begin(), out.raw.end(), 0);
  for (int64_t n = 0; n < out.count; ++n)
    for (int64_t round = 0; round < std::min(k, out.size); ++round) {
      int64_t largest = -1;
      for (int64_t i = 0; i < out.size; ++i)
        if (!out.raw[n * out.size + i] &&
            (largest < 0 || isLarger(x(n, i), x(n, largest))))
          largest = i;
      out.raw[n * out.size + largest] = 1;
    }
}

void evaluate(TopKOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue &input = frame[op.getInput()];
  if (input.isReal())
    markLargest(out, reals(input), int64_t(op.getK()));
  else
    markLargest(out, raws(input), int64_t(op.getK()));
}

} // namespace dendrolith::dend
