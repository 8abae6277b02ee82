// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks have counted and recorded, brought to the first one. Each neuron
// is on one rank, so what several ranks have of one array are numbers beside
// zeros, and their sum is what a single process would have written.

#ifndef DENDROLITH_SIMULATOR_RANKS_GATHER_H
#define DENDROLITH_SIMULATOR_RANKS_GATHER_H

#include "runtime/host/Ranks.h"
#include "simulator/events/EventCounter.h"
#include "simulator/record/Recorder.h"

namespace dendrolith::sim {

/// The first rank's counter gets what the others' have counted, which are empty
/// afterwards.
void gather(Ranks &ranks, const Machine &machine, EventCounter &events);

/// The first rank's recorder gets all that the others' have of `samples`.
void gather(Ranks &ranks, Recorder &recorder, uint64_t samples);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RANKS_GATHER_H
