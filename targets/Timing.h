// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long things take on a chip. All times are unsigned 64-bit picoseconds;
// the loader bounds each by 10^15 so that sums of a thousand cannot wrap.

#ifndef NEURITE_TARGETS_TIMING_H
#define NEURITE_TARGETS_TIMING_H

#include "targets/Microcode.h"
#include "targets/Record.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace neurite {

/// One port of a router. `north`, `south`, `east`, `west` name the direction a
/// flit travels; `local` joins a core and its router. Fields that make no sense
/// for a port (inject/eject on a mesh port, forward on the local one) are 0.
struct PortTiming {
  uint64_t forward = 0;  // ps, router to router through this port
  uint64_t credit = 0;   // ps from freeing a slot to the sender using it again
  uint64_t interval = 0; // ps, least distance of two flits through this port
  uint64_t inject = 0;   // ps, core to its router (tile entry)
  uint64_t eject = 0;    // ps, router to its core (tile exit)
  uint64_t buffer = 1;   // flits held by the input buffer behind this port
};

/// The mesh: a message over dx, dy takes, unloaded,
/// local.inject + |dx| * forward(E/W) + |dy| * forward(N/S) + local.eject.
struct NocTiming {
  uint64_t grid = 0; // 0 = self-timed; T = everything happens at multiples of T
  PortTiming north, south, east, west, local;
};

/// How long the barrier takes, by the number of tiles with a used core.
struct BarrierTiming {
  enum class Form { Formula, Table };
  Form form = Form::Formula;
  /// Formula: base + floor(span * (tiles - 1) / over).
  uint64_t base = 0, span = 0, over = 1;
  /// Table: (tiles, ps), rising; the entry with the next larger-or-equal tile
  /// count holds, the last one beyond the end.
  std::vector<std::pair<uint64_t, uint64_t>> table;

  /// Duration in ps for `tiles` tiles in use; 0 counts as 1.
  uint64_t time(uint64_t tiles) const;
};

/// A named set of times. Chosen at run time, stored with the result.
struct TimingSet {
  std::string name;
  std::string family; // compared with CostTable::family when pricing
  uint64_t updateInactive = 0, updateActive = 0; // per compartment
  uint64_t spikeEmit = 0;                        // added to an active update
  uint64_t messageOut = 0, messageIn = 0;        // per message
  struct PerSynapse {
    uint64_t dense = 0, sparse = 0, conv = 0;
  } perSynapse;
  uint64_t perWord = 0; // per synapse memory word of a served list
  uint64_t reset = 0;   // once per sample boundary
  NocTiming noc;
  BarrierTiming barrier;
  MicrocodeTiming microcode;   // zero on targets without that engine
  std::vector<Record> records; // each number with kind and source
  std::string hash;            // SHA-256 (hex) over name and all values
};

} // namespace neurite

#endif // NEURITE_TARGETS_TIMING_H
