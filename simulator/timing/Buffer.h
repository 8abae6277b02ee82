// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finite buffer behind a link: the flits that were sent to it, oldest first,
// and when each of its slots may be taken again.

#ifndef NEURITE_SIMULATOR_TIMING_BUFFER_H
#define NEURITE_SIMULATOR_TIMING_BUFFER_H

#include "simulator/timing/Time.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace neurite::sim {

/// Slots are taken in turn and freed in the same order, so the slot that is
/// next in turn carries the sender's credit: the time from which it may be
/// taken. No event is spent on a credit, and nothing is counted. `round`
/// numbers the rounds of arbitration of a run: a slot freed in a round is
/// usable from the next round on, even at the same instant, so that the order
/// in which the routers of one round are visited cannot show.
class Buffer {
public:
  static constexpr uint32_t unlimited = UINT32_MAX;

  struct Slot {
    uint64_t time = 0;    // taken: when the flit arrives; free: usable from
    uint32_t flit = 0;    // free: the round that freed it
    uint32_t towards = 0; // the port by which the flit leaves its router
  };

  /// Memory for all slots is made when they are needed.
  void reset(uint32_t count) {
    limit = count;
    grow();
  }

  bool empty() const { return taken == 0; }
  uint32_t size() const { return taken; }
  bool full() const { return taken == limit; }
  /// The oldest flit's; what is in it is stale if empty().
  const Slot &front() const { return slots[head]; }

  /// When a slot is there at the earliest: `now` if at once (possibly in the
  /// next round only, see ready()). `never` if full().
  uint64_t next(uint64_t now) {
    if (full())
      return never;
    return made < limit ? now : std::max(now, slots[tail].time);
  }

  bool ready(uint64_t now, uint64_t round) {
    const Slot &slot = slots[tail];
    const bool back = (slot.time < now) |
                      ((slot.time == now) & (slot.flit != uint32_t(round)));
    return ((taken < made) & back) || (made < limit && grow());
  }

  /// The slot that ready() has promised.
  Slot &take() {
    Slot &slot = slots[tail];
    tail = after(tail);
    ++taken;
    return slot;
  }

  /// The oldest flit leaves; its slot may be taken from `time` on, now in
  /// `round`.
  void leave(uint64_t time, uint64_t round) {
    slots[head].time = time;
    slots[head].flit = static_cast<uint32_t>(round);
    head = after(head);
    --taken;
  }

private:
  uint32_t after(uint32_t slot) const {
    return slot + 1 == made ? 0 : slot + 1;
  }

  /// Slots that were never taken come before those that may not be back yet.
  __attribute__((noinline)) bool grow() {
    const uint32_t size = std::min(limit, made ? 2 * made : 4);
    std::unique_ptr<Slot[]> more(new Slot[size]);
    for (uint32_t i = 0, from = head; i < made; ++i, from = after(from))
      more[i < taken ? i : i + size - made] = slots[from];
    slots = std::move(more);
    head = 0;
    tail = taken;
    made = size;
    return true;
  }

  std::unique_ptr<Slot[]> slots;
  uint32_t made = 0, limit = 0;
  uint32_t head = 0, tail = 0, taken = 0;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_BUFFER_H
