// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ATRLIF's decay of the current is a product with a real number. Where an
// integer gives the same for every current there is, it may stand for it.

#ifndef NEURITE_COMPILER_LAVA_DECAY_H
#define NEURITE_COMPILER_LAVA_DECAY_H

#include <cstdint>
#include <optional>

namespace neurite::lava {

struct Decay {
  /// A with tz(trunc(i * k), 12) = tz(i * A, 38) for 0 <= |i| <= 2^23, where
  /// k = 4096 - (delta * 4096 + 1) in double; the one with most trailing zeros.
  std::optional<int64_t> constant;
  /// Else the first current at which no integer serves this one and all before.
  int64_t firstDifferent = 0;
};

/// Tries every current. delta is 0 to 1.
Decay proveDecay(double delta);

} // namespace neurite::lava

#endif // NEURITE_COMPILER_LAVA_DECAY_H
