// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one word of 32 bits holds an accumulator's input of one step: a sum above
// and the number of its contributions below (delivery/CountedSums.h adds them,
// CubaStep.h reads them).

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_COUNTEDFORM_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_COUNTEDFORM_H

#include <cstdint>

namespace dendrolith::sim {

struct CountedForm {
  /// The low bits, which count contributions. With 0 the program's sums have
  /// no room in 32 bits, and Accumulators hold them instead.
  unsigned bits = 0;
  /// The shift of all weights, which the sum above still lacks.
  unsigned shift = 0;

  int32_t sum(uint32_t word) const {
    return static_cast<int32_t>(
        static_cast<uint32_t>(static_cast<int32_t>(word) >> bits) << shift);
  }
  uint32_t mask() const { return (1u << bits) - 1; }
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_COUNTEDFORM_H
