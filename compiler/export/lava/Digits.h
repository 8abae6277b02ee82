// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer weights as sums of what Lava's synapse processes hold: 8 bits and an
// exponent that all weights of a process share.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_DIGITS_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_DIGITS_H

#include <cstdint>
#include <vector>

namespace dendrolith::lava {

/// What goes into `weights` and `weight_exp` of a process with num_weight_bits
/// 8 and no sign mode. Lava then takes the mode from the weights: none
/// negative, 0..255 as they are; none positive, -255..0 as they are; else even
/// numbers in [-256, 254]. So weights of both signs are stored doubled, with an
/// exponent less by one (sums of even numbers are halved exactly).
struct Digit {
  std::vector<int64_t> weights; // one per given weight
  int64_t exponent = 0;
};

/// Whether one such process can store the weights as they are.
bool isStored(const std::vector<int64_t> &weights);

/// Finds digits such that weights[k] is exactly the sum over digits of
/// digit.weights[k] * 2^exponent. Digits that are zero everywhere are left out,
/// so there are none if all weights are zero.
std::vector<Digit> toDigits(std::vector<int64_t> weights);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_DIGITS_H
