// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements that lie side by side, most of the time of a body of many
// compartments. Processors with vectors of 64-bit integers run a version that
// is compiled for them: without those instructions, products, signed shifts and
// choices of such integers are made one by one. Nothing is contracted or
// reordered, so both give equal bits (SideBySideTest.cpp).

#ifndef DENDROLITH_DIALECTS_DEND_FAST_SIDEBYSIDE_H
#define DENDROLITH_DIALECTS_DEND_FAST_SIDEBYSIDE_H

#include "dialects/dend/FixedPoint.h"
#include "targets/support/Versions.h"

#include <cstdint>

namespace dendrolith::dend {

// FixedPoint.h on integers of 64 bits, without branches: a loop over elements
// with a known rounding becomes vector instructions. Both give equal integers
// (FixedPoint64Test.cpp).

/// wrapTo() of an integer whose low 64 bits are x.
inline int64_t wrap64(uint64_t x, unsigned width) {
  const uint64_t sign = uint64_t(1) << (width - 1);
  return int64_t(((x & (sign | (sign - 1))) ^ sign) - sign);
}

/// shiftRound() of an integer of 64 bits, for `bits` of 1 to 62.
inline int64_t shiftRound64(int64_t x, unsigned bits, Rounding rounding) {
  static_assert(-1 >> 1 == -1, "right shifts round towards minus infinity");
  const int64_t floor = x >> bits;
  const int64_t rest = x & ((int64_t(1) << bits) - 1);
  const int64_t half = int64_t(1) << (bits - 1);
  switch (rounding) {
  case Rounding::Floor:
    return floor;
  case Rounding::TowardZero:
    return floor + ((x < 0) & (rest != 0));
  case Rounding::NearestEven:
    return floor + (rest + (floor & 1) > half);
  case Rounding::NearestUp:
    return floor + (rest >= half);
  }
  return floor;
}

/// to[k] = f(operands[k]...)
template <typename T, typename F, typename... Ts>
[[gnu::always_inline]] inline void fillPortably(T *to, int64_t count, F f,
                                                const Ts *...operands) {
  for (int64_t k = 0; k < count; ++k)
    to[k] = f(operands[k]...);
}

template <typename T, typename F, typename... Ts>
DENDROLITH_TARGET_AVX512 void fillInVectors(T *to, int64_t count, F f,
                                            const Ts *...operands) {
  for (int64_t k = 0; k < count; ++k)
    to[k] = f(operands[k]...);
}

template <typename Loop>
DENDROLITH_TARGET_AVX512 void loopInVectors(Loop loop) {
  loop();
}

inline bool hasLongVectors() {
  static const bool has = bestIsa() == Isa::Avx512;
  return has;
}

/// The same by the best version that the processor has.
template <typename T, typename F, typename... Ts>
void fillSideBySide(T *to, int64_t count, F f, const Ts *...operands) {
  if (hasLongVectors())
    return fillInVectors(to, count, f, operands...);
  fillPortably(to, count, f, operands...);
}

/// Calls a loop that takes nothing, by the best version that the processor has.
/// It is a lambda with DENDROLITH_SIDE_BY_SIDE before its body, so that it
/// becomes part of each version.
template <typename Loop> void loopSideBySide(Loop loop) {
  if (hasLongVectors())
    return loopInVectors(loop);
  loop();
}
#define DENDROLITH_SIDE_BY_SIDE __attribute__((always_inline))

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_FAST_SIDEBYSIDE_H
