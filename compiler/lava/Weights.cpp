// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Weights.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace dendrolith::lava {

const std::vector<std::string> kSignModes{"NULL", "MIXED", "EXCITATORY",
                                          "INHIBITORY"};

SignMode signModeOf(const Array &weights) {
  bool positive = false, negative = false;
  for (size_t i = 0; i < weights.size(); ++i) {
    int64_t w = weights.whole(i);
    positive |= w > 0;
    negative |= w < 0;
  }
  if (!negative)
    return SignMode::EXCITATORY;
  return positive ? SignMode::MIXED : SignMode::INHIBITORY;
}

void castWeights(Array &weights, const std::string &what) {
  using Word = std::numeric_limits<int32_t>;
  if (weights.isReal) {
    weights.integers.resize(weights.reals.size());
    for (size_t i = 0; i < weights.reals.size(); ++i)
      weights.integers[i] = weights.whole(i);
    weights.reals = {};
    weights.isReal = false;
  }
  for (int64_t w : weights.integers)
    if (w < Word::min() || w > Word::max())
      throw Error(
          fmt::format("{}: holds {}, expected weights of 32 bits", what, w));
}

void prepareWeights(Array &weights, std::optional<SignMode> given, int bits,
                    const std::string &what) {
  castWeights(weights, what);
  SignMode mode = given ? *given : signModeOf(weights);
  constexpr int64_t most = 255;
  const bool mixed = mode == SignMode::MIXED;
  const int64_t sign = mode == SignMode::INHIBITORY ? -1 : 1;
  const int dropped = 8 - bits + (mixed ? 1 : 0);
  for (int64_t &w : weights.integers) {
    int64_t clipped =
        std::clamp<int64_t>(sign * w, mixed ? -most - 1 : 0, most);
    w = sign * ((clipped >> dropped) * (int64_t(1) << dropped));
  }
}

} // namespace dendrolith::lava
