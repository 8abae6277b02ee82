// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Digits.h"

#include <algorithm>

namespace dendrolith::lava {
namespace {

struct Span {
  int64_t low = 0, high = 0;
};

Span spanOf(const std::vector<int64_t> &values) {
  Span span;
  for (int64_t value : values) {
    span.low = std::min(span.low, value);
    span.high = std::max(span.high, value);
  }
  return span;
}

/// Gives a process with such weights, which lie within -128..127 or have one
/// sign.
Digit stored(std::vector<int64_t> values, int64_t exponent) {
  Span span = spanOf(values);
  if (span.low < 0 && span.high > 0) {
    for (int64_t &value : values)
      value *= 2;
    --exponent;
  }
  return {std::move(values), exponent};
}

} // namespace

bool isStored(const std::vector<int64_t> &weights) {
  Span span = spanOf(weights);
  if (span.low >= 0)
    return span.high <= 255;
  if (span.high <= 0)
    return span.low >= -255;
  return span.low >= -256 && span.high <= 254 &&
         std::all_of(weights.begin(), weights.end(),
                     [](int64_t weight) { return weight % 2 == 0; });
}

std::vector<Digit> toDigits(std::vector<int64_t> weights) {
  std::vector<Digit> digits;
  Span span = spanOf(weights);
  if (span.low == 0 && span.high == 0)
    return digits;
  int64_t exponent = 0;
  while (std::all_of(weights.begin(), weights.end(),
                     [](int64_t weight) { return weight % 2 == 0; })) {
    for (int64_t &weight : weights)
      weight /= 2;
    ++exponent;
  }
  while (true) {
    span = spanOf(weights);
    if (span.low == 0 && span.high == 0)
      return digits;
    bool fits = span.low >= 0    ? span.high <= 255
                : span.high <= 0 ? span.low >= -255
                                 : span.low >= -128 && span.high <= 127;
    if (fits) {
      digits.push_back(stored(std::move(weights), exponent));
      return digits;
    }
    std::vector<int64_t> low(weights.size());
    for (size_t k = 0; k < weights.size(); ++k) {
      // The remainder is taken in -128..127, so that the rest stays small.
      low[k] = ((weights[k] % 256) + 256) % 256;
      if (low[k] > 127)
        low[k] -= 256;
      weights[k] = (weights[k] - low[k]) / 256;
    }
    span = spanOf(low);
    if (span.low != 0 || span.high != 0)
      digits.push_back(stored(std::move(low), exponent));
    exponent += 8;
  }
}

} // namespace dendrolith::lava
