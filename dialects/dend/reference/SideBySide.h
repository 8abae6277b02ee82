// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements that lie side by side, most of the time of a body of many
// compartments. Processors with vectors of 64-bit integers run a version that
// is compiled for them: without those instructions, products, signed shifts and
// choices of such integers are made one by one. Nothing is contracted or
// reordered, so both give equal bits (SideBySideTest.cpp).

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_SIDEBYSIDE_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_SIDEBYSIDE_H

#include <cstdint>

namespace dendrolith::dend {

/// to[k] = f(operands[k]...)
template <typename T, typename F, typename... Ts>
[[gnu::always_inline]] inline void fillPortably(T *to, int64_t count, F f,
                                                const Ts *...operands) {
  for (int64_t k = 0; k < count; ++k)
    to[k] = f(operands[k]...);
}

#ifdef __x86_64__
template <typename T, typename F, typename... Ts>
[[gnu::target("avx512f,avx512dq,avx512vl")]] void
fillInVectors(T *to, int64_t count, F f, const Ts *...operands) {
  for (int64_t k = 0; k < count; ++k)
    to[k] = f(operands[k]...);
}

template <typename Loop>
[[gnu::target("avx512f,avx512dq,avx512vl")]] void loopInVectors(Loop loop) {
  loop();
}

inline bool hasLongVectors() {
  static const bool has = __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return has;
}
#endif

/// The same by the best version that the processor has.
template <typename T, typename F, typename... Ts>
void fillSideBySide(T *to, int64_t count, F f, const Ts *...operands) {
#ifdef __x86_64__
  if (hasLongVectors())
    return fillInVectors(to, count, f, operands...);
#endif
  fillPortably(to, count, f, operands...);
}

/// Calls a loop that takes nothing, by the best version that the processor has.
/// It is a lambda with DENDROLITH_SIDE_BY_SIDE before its body, so that it
/// becomes part of each version.
template <typename Loop> void loopSideBySide(Loop loop) {
#ifdef __x86_64__
  if (hasLongVectors())
    return loopInVectors(loop);
#endif
  loop();
}
#define DENDROLITH_SIDE_BY_SIDE __attribute__((always_inline))

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_SIDEBYSIDE_H
