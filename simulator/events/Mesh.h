// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways over the mesh: XY routes between tiles, x first.

#ifndef NEURITE_SIMULATOR_EVENTS_MESH_H
#define NEURITE_SIMULATOR_EVENTS_MESH_H

#include "simulator/events/Counts.h"
#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace neurite::sim {

/// The tile at which host messages enter and leave the mesh.
inline uint64_t hostTile(const Target &) { return 0; }

Hops tileHops(const Target &target, uint64_t from, uint64_t to);

/// The links (from, to) of the route, in order.
std::vector<std::pair<uint32_t, uint32_t>>
tileRoute(const Target &target, uint64_t from, uint64_t to);

/// Flits of a message whose payload has that many bits: 1 unless it exceeds
/// the target's flit.
uint64_t flitsOf(const Target &target, uint32_t payloadBits);

/// What the emissions of a source of a group's neurons are.
struct SpikeForm {
  Counter counter = Counter::SpikesBinary;
  bool graded = false;
  uint32_t payloadBits = 1;
};
SpikeForm spikeForm(const Machine::Group &group, uint32_t source);

/// Adds the work of programs to a core's counters.
void countWork(CoreCounts &counts, const micro::Work &work, uint64_t issued);

/// Tiles that hold a core of the machine.
uint64_t usedTiles(const Machine &machine, const Target &target);

/// Throws Error when the program uses a core the target does not have, or the
/// target has multicast, which no engine models.
void checkFits(const Machine &machine, const Target &target);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_EVENTS_MESH_H
