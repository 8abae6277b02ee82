// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixed-function groups of several cores that one visit updates: neighbours in
// the program's numbers with the same rules, parameters and schedule, of which
// no output shows anything. A mapper that uses the chip leaves a core
// few neurons, so that most of a visit is what surrounds its loops.
//
// The plain twin is updateGroup() for each of them; BandsTest of timing
// holds runs equal to those of the cycle engine, which has no bands, counts and
// traces included. tests/bench/study.py shows the
// gain: without them the network of 1,000 neurons runs twice as long.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_BANDS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_BANDS_H

#include "simulator/functional/machine/State.h"
#include "simulator/functional/neuron/CubaList.h"
#include "simulator/options/RunOptions.h"

#include <vector>

namespace dendrolith::sim {

struct Band {
  uint32_t firstGroup = 0, groups = 0;
  uint32_t count = 0;            // neurons
  std::vector<uint32_t> begins;  // by group, its first neuron; and the end
  std::vector<uint32_t> numbers; // by neuron, as users know it
  uint32_t lowest = 0, end = 0;  // of the numbers, and behind them
};

/// What a visit of a band did. Callers keep one object for all visits.
struct BandUpdate {
  CubaTotals totals;
  std::vector<uint64_t> active; // by group of the band
  Span<uint32_t> spiked;        // neurons of the band, rising

  // Memory of visits.
  CubaList list;
  std::vector<uint8_t> flags;
  std::vector<uint32_t> words;
};

/// The bands of two groups or more among those on `cores`.
std::vector<Band> findBands(const Machine &machine, CoreShare cores);

/// Does what updateGroup() does for each group of the band. Returns false, and
/// does nothing, where that is for updateGroup() alone: input of several steps
/// is due, or one that vector loops do not take.
bool updateBand(State &state, const Band &band, uint64_t tick, uint64_t step,
                BandUpdate &update);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_BANDS_H
