// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One number of all elements of a neuron, and the largest of them.

#include "dialects/dend/reference/Evaluate.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::dend {

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
