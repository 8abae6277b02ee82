// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spikes come step by step, each step in the order of groups, and results have
// them in the order of ticks, populations and numbers of neurons.

#ifndef NEURITE_SIMULATOR_RECORD_SORTSPIKES_H
#define NEURITE_SIMULATOR_RECORD_SORTSPIKES_H

#include "simulator/RunResult.h"

#include <cstddef>
#include <vector>

namespace neurite::sim {

/// What one thread has kept. No two of them write to one line of the cache.
struct alignas(64) KeptSpikes {
  std::vector<SpikeEvent> events;
};

/// The spikes of `count` lists, which are left empty, in their order. Ticks are
/// put beside each other first and then sorted by themselves, by as many
/// threads as there are lists. The plain twin is std::sort() of all, to which
/// SortSpikesTest holds it.
std::vector<SpikeEvent> sortSpikes(KeptSpikes *lists, size_t count);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_RECORD_SORTSPIKES_H
