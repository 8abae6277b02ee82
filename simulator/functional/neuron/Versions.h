// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are compiled twice, for any x86-64 and for AVX2, and chosen at run
// time.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_NEURON_VERSIONS_H
#define NEURITE_SIMULATOR_FUNCTIONAL_NEURON_VERSIONS_H

/// Of what both versions call: it is compiled for each.
#define NEURITE_INLINE __attribute__((always_inline)) inline

namespace neurite::sim {

/// Whether there is a second version and the processor runs it.
inline bool hasAvx2() {
#ifdef NEURITE_AVX2
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_NEURON_VERSIONS_H
