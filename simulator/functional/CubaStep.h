// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visit of a fixed-function group whose neurons share their parameters, in
// loops that a compiler turns into vector code. The same integers as updateCuba
// neuron by neuron, which the tests compare.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_CUBASTEP_H
#define NEURITE_SIMULATOR_FUNCTIONAL_CUBASTEP_H

#include "simulator/functional/Cuba.h"

#include <cstdint>

namespace neurite::sim {

/// What a visit leaves for each neuron: kActive, kSpiked.
constexpr uint8_t kActive = 1, kSpiked = 2;

struct CubaTotals {
  uint64_t active = 0, wrapped = 0, clipped = 0, changed = 0;
  bool spiked = false;
};

/// Whether the rules and parameters of a group allow it: all shared, no
/// refractory period, no further wrapping, integers that leave room in 32 bits.
bool hasSharedStep(const CubaGroup &group);

/// Updates u and v of `count` neurons; false, and nothing done, if an input is
/// beyond 2^29. `inputs` is scratch memory.
bool stepShared(const CubaGroup &group, uint32_t count, const int64_t *sums,
                const uint8_t *marks, int32_t *u, int32_t *v, uint8_t *flags,
                int32_t *inputs, CubaTotals &totals);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_CUBASTEP_H
