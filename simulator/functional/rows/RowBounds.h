// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What rows can add up to in one step, and so whether 32 bits hold it.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBOUNDS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBOUNDS_H

#include "simulator/functional/machine/Machine.h"
#include "simulator/functional/neuron/CountedForm.h"

#include <cstdint>

namespace dendrolith::sim {

struct RowBounds {
  bool any = false;        // whether there is a row
  bool packed = true;      // whether all entries are packed ones
  unsigned weightBits = 0; // the most of a packed entry
  unsigned shift = 0;      // that all of them share
  /// The most entries of one accumulator, and the largest sum of their
  /// magnitudes.
  uint64_t entries = 0, magnitude = 0;

  /// Adds rows to other accumulators.
  void include(const RowBounds &other);

  /// Whether and how CountedSums hold what the rows add up to.
  CountedForm counted(const Machine &machine) const;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBOUNDS_H
