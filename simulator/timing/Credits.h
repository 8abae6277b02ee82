// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sender's view of a finite buffer. A slot is taken when a flit is sent and
// may be used again some time after the flit has left the buffer.

#ifndef NEURITE_SIMULATOR_TIMING_CREDITS_H
#define NEURITE_SIMULATOR_TIMING_CREDITS_H

#include "simulator/timing/Ring.h"
#include "simulator/timing/Time.h"

#include <cstdint>

namespace neurite::sim {

/// Slots that return are looked at only when somebody needs one: no event is
/// spent on a credit that nobody waits for. `round` numbers the rounds of
/// arbitration of a run: a slot freed in a round is usable from the next round
/// on, even at the same instant, so that the order in which the routers of one
/// round are visited cannot show.
class Credits {
public:
  static constexpr uint32_t unlimited = UINT32_MAX;

  void reset(uint32_t slots) { free = slots; }

  /// When a slot is there at the earliest: `now` if at once (possibly in the
  /// next round only, see ready()). `never` if none is on its way back: the
  /// next giveBack() tells.
  uint64_t next(uint64_t now) {
    if (free || fresh)
      return now;
    if (!returning.empty())
      return returning.front();
    starved = true;
    return never;
  }

  bool ready(uint64_t now, uint64_t round) {
    // What has returned is counted when nothing else is left: that there is
    // something left is almost always the right guess.
    return free != 0 || recount(now, round);
  }

  /// Takes a slot that ready() has promised.
  void take() {
    if (free != unlimited)
      --free;
  }

  /// A slot that may be used again from `time` on, now in round `round`. True
  /// if somebody has been told `never`.
  bool giveBack(uint64_t time, uint64_t now, uint64_t round) {
    if (free == unlimited)
      return false;
    const bool waited = starved;
    starved = false;
    // One that returns later returns in a later round too.
    if (time > now) {
      returning.push(time);
      return waited;
    }
    if (freshRound != round) {
      free += fresh;
      fresh = 0;
      freshRound = round;
    }
    ++fresh;
    return waited;
  }

private:
  bool recount(uint64_t now, uint64_t round) {
    for (; !returning.empty() && returning.front() <= now; ++free)
      returning.drop();
    if (!free && fresh && freshRound != round) {
      free = fresh;
      fresh = 0;
    }
    return free != 0;
  }

  Ring<uint64_t> returning; // rising times
  uint64_t freshRound = 0;  // of `fresh`
  uint32_t free = 0;
  uint32_t fresh = 0; // returned at once, in that round
  bool starved = false;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_CREDITS_H
