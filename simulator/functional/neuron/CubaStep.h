// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visit of a fixed-function group whose neurons share their parameters, in
// loops that a compiler turns into vector code.
//
// The plain twin is updateCuba (Cuba.h), neuron by neuron; CubaStepTest holds
// both equal over random groups, in every version that the processor runs.
// tests/bench/study.py shows the gain: with the twin, the networks of 10,000
// and 100,000 neurons run 1.9 times as long; with these loops but without AVX2,
// 1.6 and 1.5 times as long.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBASTEP_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBASTEP_H

#include "simulator/functional/neuron/CountedForm.h"
#include "simulator/functional/neuron/Cuba.h"
#include "targets/support/Versions.h"

#include <cstdint>

namespace dendrolith::sim {

/// The largest magnitude of an input that a vector visit takes.
constexpr int64_t kLargestInput = int64_t(1) << 29;

/// What a visit leaves in the flags of each neuron.
constexpr uint8_t kActive = 1, kSpiked = 2;

/// What a visit counts: neurons, and updates in which u wrapped or v was
/// clipped.
struct CubaTotals {
  uint64_t active = 0, wrapped = 0, clipped = 0, changed = 0;
  bool spiked = false;
  /// Where `peaks` asks for them, the largest sizes (machine/Peaks.h) of u, and
  /// of v before a spike reset it.
  bool peaks = false;
  int32_t peakU = 0, peakV = 0;
};

/// Whether the rules and parameters of a group allow a vector visit: all but
/// the bias are shared, there is no further wrapping, and all integers leave
/// room in 32 bits.
bool hasSharedStep(const CubaGroup &group);

/// Whether a shared step reads and writes no more than u and v: none waits
/// after a spike, and the bias is shared, too.
inline bool isPlain(const CubaGroup &group) {
  return group.rules.refractory <= 1 && group.bias.all().size() == 1;
}

/// The state and flags of the neurons of a group, in order.
struct CubaArrays {
  uint32_t count = 0;
  int32_t *u = nullptr, *v = nullptr;
  // Their number is a multiple of 8, and those beyond the neurons become 0.
  uint8_t *flags = nullptr;
  int32_t *refractory = nullptr; // read where a group is not plain
};

/// Updates the neurons with the words of CountedSums as input, whose sums are
/// within kLargestInput. The words are 0 afterwards. `isa` is for tests.
void stepShared(const CubaGroup &group, const CubaArrays &arrays,
                CountedForm form, uint32_t *words, CubaTotals &totals,
                Isa isa = bestIsa());

/// Does the same with sums and marks as input. Returns false, and does nothing,
/// if a sum is beyond kLargestInput. `words` is scratch memory.
bool stepShared(const CubaGroup &group, const CubaArrays &arrays,
                const int64_t *sums, const uint8_t *marks, uint32_t *words,
                CubaTotals &totals);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBASTEP_H
