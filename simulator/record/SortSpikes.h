// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spikes come step by step, each step in the order of groups, and results have
// them in the order of ticks, populations and numbers of neurons.

#ifndef DENDROLITH_SIMULATOR_RECORD_SORTSPIKES_H
#define DENDROLITH_SIMULATOR_RECORD_SORTSPIKES_H

#include "simulator/record/NumberSet.h"
#include "simulator/result/SpikeList.h"

#include <cstddef>
#include <vector>

namespace dendrolith::sim {

/// What one thread has kept. No two of them write to one line of the cache.
struct alignas(64) KeptSpikes {
  SpikeList spikes;
  // Memory of a visit.
  NumberSet numbers;
  std::vector<uint32_t> ordered;
};

/// The spikes of `count` lists, which are left empty, in their order. Where
/// they do not come in it, ticks are put beside each other first and then
/// sorted by themselves, by as many threads as there are lists. The plain twin
/// is std::sort() of all, to which SortSpikesTest holds it.
SpikeList sortSpikes(KeptSpikes *lists, size_t count);

/// Whether each list is in order and has nothing but 1, and the spikes of such
/// ones.
bool canMerge(const KeptSpikes *lists, size_t count);
SpikeList mergeSpikes(KeptSpikes *lists, size_t count);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RECORD_SORTSPIKES_H
