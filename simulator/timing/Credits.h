// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sender's view of a finite buffer. A slot is taken when a flit is sent and
// may be used again some time after the flit has left the buffer.

#ifndef NEURITE_SIMULATOR_TIMING_CREDITS_H
#define NEURITE_SIMULATOR_TIMING_CREDITS_H

#include "simulator/timing/Ring.h"

#include <cstdint>

namespace neurite::sim {

/// No event: later than every time.
constexpr uint64_t never = UINT64_MAX;

/// Slots that return are looked at only when somebody needs one: no event is
/// spent on a credit that nobody waits for. `round` numbers the rounds of
/// arbitration of a run: a slot freed in a round is usable from the next round
/// on, even at the same instant, so that the order in which the routers of one
/// round are visited cannot show.
class Credits {
public:
  static constexpr uint64_t unlimited = UINT64_MAX;

  void reset(uint64_t slots) { free = slots; }

  /// When a slot is there, as far as known: `now` if at once (possibly in the
  /// next round only, see ready()), `never` if none is on its way back.
  uint64_t next(uint64_t now) const {
    if (free)
      return now;
    return returning.empty() ? never : returning.front().time;
  }

  bool ready(uint64_t now, uint64_t round) {
    while (!returning.empty() && returning.front().time <= now &&
           returning.front().round != round) {
      returning.pop();
      ++free;
    }
    return free != 0;
  }

  /// Takes a slot that ready() has promised.
  void take() {
    if (free != unlimited)
      --free;
  }

  /// A slot that may be used again from `time` on.
  void giveBack(uint64_t time, uint64_t round) {
    if (free != unlimited)
      returning.push({time, round});
  }

  /// Set by a sender that found no slot on its way back: the next one to be
  /// given back must wake it.
  bool starved = false;

private:
  struct Return {
    uint64_t time, round;
  };
  uint64_t free = 0;
  Ring<Return> returning;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_CREDITS_H
