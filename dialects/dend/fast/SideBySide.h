// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements that lie side by side, most of the time of a body of many
// compartments. Processors with vectors of 64-bit integers run a version that
// is compiled for them: without those instructions, products, signed shifts and
// choices of such integers are made one by one. Nothing is contracted or
// reordered, so both give equal bits (SideBySideTest.cpp).

#ifndef DENDROLITH_DIALECTS_DEND_FAST_SIDEBYSIDE_H
#define DENDROLITH_DIALECTS_DEND_FAST_SIDEBYSIDE_H

#include "targets/support/Versions.h"

#include <cstdint>

namespace dendrolith::dend {

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
