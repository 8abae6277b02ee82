// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests fillOf() of dialects/dend/fast/Evaluate.h: what repeats is written
// out block by block, and gives what one element after the other gives.

#include "dialects/dend/fast/Evaluate.h"

#include <gtest/gtest.h>

namespace dendrolith::dend::fast {
namespace {

PopulationValue lanesOf(int64_t count, int64_t size) {
  PopulationValue lanes;
  lanes.kind = ElementKind::Int;
  lanes.width = 32;
  lanes.size = size;
  lanes.resize(count);
  for (size_t i = 0; i < lanes.raw.size(); ++i)
    lanes.raw[i] = int64_t(i * i % 1009) - 500;
  return lanes;
}

TEST(Operand, WhatRepeatsIsWrittenOut) {
  for (int64_t neurons : {1, 2, 37, 600})
    for (int64_t size : {1, 3, 4, 8, 24, 511, 512, 513, 1100}) {
      const PopulationValue values[] = {lanesOf(neurons, size),
                                        lanesOf(neurons, 1), lanesOf(1, size),
                                        lanesOf(1, 1)};
      for (const PopulationValue &a : values)
        for (const PopulationValue &b : values) {
          PopulationValue out = lanesOf(std::max(a.count, b.count), size);
          fillOf(
              out, out.raw.data(),
              [](int64_t x, int64_t y) { return 1000 * x + y; },
              rawsFor(a, out), rawsFor(b, out));
          std::vector<int64_t> plain;
          for (int64_t n = 0; n < out.count; ++n)
            for (int64_t i = 0; i < size; ++i)
              plain.push_back(1000 * raws(a)(n, i) + raws(b)(n, i));
          ASSERT_EQ(out.raw, plain)
              << a.count << " x " << a.size << " and " << b.count << " x "
              << b.size << ", " << neurons << " neurons of " << size;
        }
    }
}

} // namespace
} // namespace dendrolith::dend::fast
