// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sender's view of a finite buffer. A slot is taken when a flit is sent and
// may be used again some time after the flit has left the buffer.

#ifndef NEURITE_SIMULATOR_TIMING_CREDITS_H
#define NEURITE_SIMULATOR_TIMING_CREDITS_H

#include "simulator/timing/Alarms.h"
#include "simulator/timing/Ring.h"

#include <cstdint>

namespace neurite::sim {

/// Slots that return are looked at only when somebody needs one: no event is
/// spent on a credit that nobody waits for. `round` numbers the rounds of
/// arbitration of a run (modulo 2^32: at worst a slot is seen one round late):
/// a slot freed in a round is usable from the next round on, even at the same
/// instant, so that the order in which the routers of one round are visited
/// cannot show.
class Credits {
public:
  static constexpr uint32_t unlimited = UINT32_MAX;

  void reset(uint32_t slots) { free = slots; }

  /// When a slot is there, as far as known: `now` if at once (possibly in the
  /// next round only, see ready()), `never` if none is on its way back.
  uint64_t next(uint64_t now) const {
    if (free || fresh)
      return now;
    return returning.empty() ? never : returning.front();
  }

  bool ready(uint64_t now, uint32_t round) {
    // One at a time: as many return as are taken, and the branches are almost
    // always the same.
    if (!returning.empty() && returning.front() <= now) {
      returning.pop();
      ++free;
    }
    if (!free && fresh && freshRound != round) {
      free = fresh;
      fresh = 0;
    }
    return free != 0;
  }

  /// Takes a slot that ready() has promised.
  void take() {
    if (free != unlimited)
      --free;
  }

  /// A slot that may be used again from `time` on, now in round `round`.
  void giveBack(uint64_t time, uint64_t now, uint32_t round) {
    if (free == unlimited)
      return;
    // One that returns later returns in a later round too.
    if (time > now) {
      returning.push(time);
      return;
    }
    if (freshRound != round) {
      free += fresh;
      fresh = 0;
      freshRound = round;
    }
    ++fresh;
  }

private:
  Ring<uint64_t> returning; // rising times
  uint32_t free = 0;
  uint32_t fresh = 0, freshRound = 0; // returned at once, in that round

public:
  /// Set by a sender that found no slot on its way back: the next one to be
  /// given back must wake it.
  bool starved = false;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_CREDITS_H
