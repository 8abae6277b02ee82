// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a real number becomes an integer.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_ROUNDING_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_ROUNDING_H

#include <cmath>
#include <cstdint>

namespace dendrolith {

/// Rounds half to even, as every quantised number is rounded.
inline int64_t roundEven(double value) {
  return static_cast<int64_t>(std::nearbyint(value));
}

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_ROUNDING_H
