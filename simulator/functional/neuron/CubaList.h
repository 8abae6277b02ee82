// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The visit of CubaStep.h in registers of AVX-512, sixteen neurons at a time,
// which gives what a band needs and nothing else: the neurons that spiked as a
// list, and those that were active as bits. The masks of AVX-512 are both
// already, where other registers need a byte for each neuron and a second pass
// over the bytes.
//
// The plain twin is stepShared() with the scan of its flags (CubaStep.h,
// machine/WordScan.h); CubaStepTest holds both equal. tests/bench/study.py
// shows the gain: with the twin, the networks of 1,000, 10,000 and 100,000
// neurons run 17, 19 and 11 % longer.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBALIST_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBALIST_H

#include "simulator/functional/neuron/CubaStep.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

/// Whether the processor has what stepListing() needs.
bool canStepListing();

/// What a visit leaves, and its memory.
struct CubaList {
  std::vector<uint32_t> neurons; // the first `count` ones spiked, rising
  uint32_t count = 0;
  std::vector<uint8_t> active; // a bit for each neuron, and some bytes

  /// How many of neurons [begins[g], begins[g + 1]) were active, by g.
  void countActive(const uint32_t *begins, uint32_t groups,
                   uint64_t *counts) const;
};

/// Does what stepShared() does with words of CountedSums, without flags and
/// peaks.
void stepListing(const CubaGroup &group, uint32_t count, int32_t *u, int32_t *v,
                 CountedForm form, uint32_t *words, CubaTotals &totals,
                 CubaList &list);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBALIST_H
