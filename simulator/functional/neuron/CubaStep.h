// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visit of a fixed-function group whose neurons share their parameters, in
// loops that a compiler turns into vector code. The same integers as updateCuba
// neuron by neuron, which the tests compare.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_NEURON_CUBASTEP_H
#define NEURITE_SIMULATOR_FUNCTIONAL_NEURON_CUBASTEP_H

#include "simulator/functional/machine/Machine.h"

#include <cstdint>

namespace neurite::sim {

constexpr int64_t kLargestInput = int64_t(1) << 29;

/// What a visit leaves for each neuron: kActive, kSpiked.
constexpr uint8_t kActive = 1, kSpiked = 2;

struct CubaTotals {
  uint64_t active = 0, wrapped = 0, clipped = 0, changed = 0;
  bool spiked = false;
};

/// Whether the rules and parameters of a group allow it: all shared, no
/// refractory period, no further wrapping, integers that leave room in 32 bits.
bool hasSharedStep(const CubaGroup &group);

/// State and flags of the neurons of a group, in order.
struct CubaArrays {
  uint32_t count = 0;
  int32_t *u = nullptr, *v = nullptr;
  uint8_t *flags = nullptr; // a multiple of 8; those of no neuron become 0
};

/// Updates the neurons, with the words of CountedSums as input, within
/// kLargestInput; they are 0 afterwards.
void stepShared(const CubaGroup &group, const CubaArrays &arrays,
                Machine::Counted form, uint32_t *words, CubaTotals &totals);

/// The same with sums and marks; false, and nothing done, if one is beyond
/// kLargestInput. `words` is scratch memory.
bool stepShared(const CubaGroup &group, const CubaArrays &arrays,
                const int64_t *sums, const uint8_t *marks, uint32_t *words,
                CubaTotals &totals);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_NEURON_CUBASTEP_H
