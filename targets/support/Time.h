// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and products of picoseconds. A chip file may make a step as long as it
// likes, so that a wrap would turn a very slow chip into a fast one.

#ifndef DENDROLITH_TARGETS_SUPPORT_TIME_H
#define DENDROLITH_TARGETS_SUPPORT_TIME_H

#include "targets/support/Error.h"

#include <cstdint>

namespace dendrolith {

/// Later than every time: the time of what does not happen.
constexpr uint64_t never = UINT64_MAX;

[[noreturn]] inline void failTimeTooLong() {
  throw Error("timing: expected a run of less than 2^64 ps (213 days), found a "
              "longer one; run fewer samples or use a shorter timing set");
}

inline uint64_t plus(uint64_t a, uint64_t b) {
  uint64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    failTimeTooLong();
  return sum;
}

inline uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    failTimeTooLong();
  return product;
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_TIME_H
