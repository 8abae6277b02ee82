// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long things take on a chip. All times are unsigned 64-bit picoseconds;
// the loader bounds each by 10^15 so that sums of a thousand cannot wrap.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_TIMING_H
#define DENDROLITH_TARGETS_LOADER_CHIP_TIMING_H

#include "targets/loader/chip/Microcode.h"
#include "targets/loader/chip/Record.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// One port of a router. `north`, `south`, `east`, `west` name the direction a
/// flit travels; `local` joins a core and its router. Mesh ports have neither
/// inject nor eject.
struct PortTiming {
  uint64_t forward = 0;  // ps, router to router; local: port to its router
  uint64_t credit = 0;   // ps from freeing a slot to the sender using it again
  uint64_t interval = 0; // ps, least distance of two flits through this port
  uint64_t inject = 0;   // ps, core to its injection port (tile entry)
  uint64_t eject = 0;    // ps, router to its core (tile exit)
  uint64_t buffer = 1;   // flits held by the input buffer behind this port
};

/// The mesh: a message over dx, dy takes, unloaded,
/// local.inject + local.forward + |dx| * forward(E/W) + |dy| * forward(N/S)
/// + local.eject.
struct NocTiming {
  uint64_t grid = 0; // 0 = self-timed; T = everything happens at multiples of T
  /// Whose turn it is where several want one output: 0 = that of the input
  /// behind the one that was served last; T = all routers turn to the next
  /// input every T ps, whatever happens.
  uint64_t turn = 0;
  PortTiming north, south, east, west, local;
  /// That of the links from chip to chip of a board, in all four directions.
  PortTiming crossing;
};

/// How the end of a step is agreed on.
struct BarrierTiming {
  enum class Rule { Fixed, Formula, Table, Tree };
  Rule rule = Rule::Fixed;
  /// Fixed: base. Formula: base + floor(span * (tiles - 1) / over).
  uint64_t base = 0, span = 0, over = 1;
  /// Table: (tiles, ps), rising; the entry with the next larger-or-equal tile
  /// count holds, the last one beyond the end.
  std::vector<std::pair<uint64_t, uint64_t>> table;
  /// Tree: base + 2 * level * ceil(log_arity(tiles)), up to the root and down.
  uint64_t level = 0, arity = 2;

  /// Duration in ps for `tiles` tiles in use (0 counts as 1).
  uint64_t time(uint64_t tiles) const;
};

/// Unloaded, from core to core over so many links within chips, and between
/// them.
uint64_t zeroLoad(const NocTiming &noc, uint64_t hopsEw, uint64_t hopsNs,
                  uint64_t crossings = 0);

/// One unit that carries what cores send each other, beside the cores' own
/// work. `entries` are synapses that a core's spike has on other cores.
struct SequencerTiming {
  uint64_t perCore = 0;  // ps, of each core of the chip, in every step
  uint64_t perSpike = 0; // ps, of each spike of a step
  uint64_t idle = 0;     // ps in a step before which no entries were sent
  uint64_t busy = 0;     // ps in one before which some were, and
  uint64_t perEntry = 0; // ps, of each of them
};

/// A step of a core that first serves what the step before has sent, and then
/// updates its neurons.
struct SerialPhases {
  bool allSlots = false; // a core visits all neuron slots, used or not
  bool hostLists = true; // lists that the host's messages name take time
  uint64_t perSpike = 0; // ps, of each spike that the core sent itself
  uint64_t perDue = 0;   // ps, of each synapse whose delay ends in the step
  /// With it, entries for other cores take its time instead of the core's.
  std::optional<SequencerTiming> sequencer;
};

/// A named set of times. Chosen at run time, stored with the result.
struct TimingSet {
  std::string name;
  std::string family; // compared with CostTable::family when pricing
  uint64_t updateInactive = 0, updateActive = 0; // per neuron slot
  uint64_t spikeEmit = 0;                        // added to an active update
  uint64_t messageOut = 0, messageIn = 0;        // per message
  /// What the host takes for each message, where its port has a rate of its
  /// own; else it sends like a core.
  std::optional<uint64_t> hostMessage = std::nullopt;
  struct PerSynapse {
    uint64_t dense = 0, sparse = 0, conv = 0;
    /// The time for a list with one weight for neighbouring targets, on a chip
    /// that keeps the weight once. Absent where such a list takes the time of
    /// its kind.
    std::optional<uint64_t> uniform = std::nullopt;
  } perSynapse;
  PerSynapse firstEntry; // added for the first synapse of a list
  uint64_t perWord = 0;  // per synapse memory word of a served list
  uint64_t reset = 0;    // once per sample boundary
  /// The least time of a step, for a chip that works in real time: a step takes
  /// what its work and barrier take, or this where it is more. 0 is none.
  uint64_t tick = 0;
  NocTiming noc;
  BarrierTiming barrier;
  BarrierTiming board; // what agreeing among several chips takes beside it
  /// What the system around the cores adds to each step, by tiles in use: its
  /// management processors, and all else of the least step that was measured.
  /// No part of the time of cores and mesh.
  BarrierTiming management;
  std::optional<SerialPhases> serial; // absent: serving and updating overlap
  MicrocodeTiming microcode;          // zero on targets without that engine
  /// Cores whose engines are slower or faster than the set says: id to
  /// thousandths of the time.
  std::map<uint64_t, uint64_t> timeScale;
  std::vector<Record> records; // each number with kind and source
  std::string hash;            // SHA-256 (hex) over name and all values

  /// What the barrier takes where so many chips are in use, and so many tiles
  /// of the one that has most of them in use.
  uint64_t barrierTime(uint64_t tiles, uint64_t chips) const;

  /// What a message of the host takes before its port has it.
  uint64_t hostTime() const { return hostMessage.value_or(messageOut); }

  /// Divides times by a speed, each to the nearest ps: those of the engines by
  /// `cores`, those of the mesh, the barrier and the reset by `chip`. The tick
  /// stays, for it is real time, and so does what is not the chip's own: the
  /// board, management processors and host. Returns the longest time.
  double hasten(double cores, double chip);

  /// The set as core `id` has it: the times of its engines scaled, each number
  /// rounded down. Mesh and barrier are everybody's.
  TimingSet forCore(uint64_t id) const;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_TIMING_H
