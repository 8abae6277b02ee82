// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ATRLIF's decay of the current is a product with a real number. Where an
// integer gives the same result for every possible current, it may stand for
// the real number.

#ifndef DENDROLITH_COMPILER_LAVA_DECAY_H
#define DENDROLITH_COMPILER_LAVA_DECAY_H

#include <cstdint>
#include <optional>

namespace dendrolith::lava {

/// How many fraction bits the constant has, and how many of them are in its low
/// word.
constexpr int kDecayFraction = 46, kDecayLow = 20;

struct Decay {
  /// The integer A with tz(trunc(i k), 12) = tz(i A, 58) for all |i| <= 2^23,
  /// where k = 4096 - (delta * 4096 + 1) and the product are doubles; of all
  /// such integers it is the one with most trailing zeros.
  std::optional<int64_t> constant;
  /// If there is none: the first current at which no integer serves it and all
  /// before it.
  int64_t firstDifferent = 0;

  /// A is high * 2^20 + low, both of which have its sign.
  int64_t high() const { return *constant / (int64_t(1) << kDecayLow); }
  int64_t low() const { return *constant % (int64_t(1) << kDecayLow); }
};

/// Finds the constant by trying every current. `delta` is 0 to 1.
Decay proveDecay(double delta);

/// The decay with fewest decimals whose proven constant has these words.
std::optional<double> decayWith(int64_t high, int64_t low);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_DECAY_H
