// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NetX (lava.lib.dl.netx) makes of the weights of a dense layer: it shifts
// them left to fill 8 bits, counts the bits that are left, and hands them to
// Lava's Dense, which cuts them to that count. Some weights change on the way.

#ifndef DENDROLITH_COMPILER_LAVA_NETXWEIGHTS_H
#define DENDROLITH_COMPILER_LAVA_NETXWEIGHTS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith::lava {

struct NetxWeights {
  unsigned shift = 0; ///< stored << shift, with weight_exp = -shift
  unsigned bits = 8;  ///< num_weight_bits
  /// The first weight that would change, and what it would become. If there is
  /// one, the rest means nothing.
  struct Loss {
    size_t index;
    double becomes;
  };
  std::optional<Loss> loss;
};

/// Computes what NetX makes of the weights, which must not all be zero, because
/// NetX cannot scale those.
NetxWeights netxWeights(const std::vector<int64_t> &weights);

/// Says in messages what NetX keeps.
constexpr const char *kNetxWeightRule =
    "NetX keeps even weights from -256 to 254 and any from -128 to 127 where "
    "both signs occur, 0 to 255 where none is negative, and -255 to 0 without "
    "a power of two as the least where none is positive";

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_NETXWEIGHTS_H
