// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One number of all elements of a neuron, and the largest of them.

#include "dialects/dend/fast/Evaluate.h"
#include "dialects/dend/fast/FixedPoint64.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace dendrolith::dend::fast {

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
