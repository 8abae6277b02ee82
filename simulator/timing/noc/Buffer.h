// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finite buffer behind a link: the flits that were sent to it, oldest first,
// and when each of its slots may be taken again.

#ifndef NEURITE_SIMULATOR_TIMING_NOC_BUFFER_H
#define NEURITE_SIMULATOR_TIMING_NOC_BUFFER_H

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
    uint64_t time = 0;    // when the flit arrives, or the slot may be taken
    uint32_t flit = 0;    // which flit, or the round that freed the slot
    uint32_t towards = 0; // the port by which the flit leaves its router
  };

  /// Empties the buffer. Slots get memory when they are needed.
  void reset(uint32_t slots) {
    limit = slots;
    grow();
  }

  /// Has all slots of an empty buffer back at once.
  void freeAll() {
    for (uint32_t i = 0; ring && i <= mask; ++i)
      ring[i].time = 0;
  }

  bool empty() const { return head == tail; }
  uint32_t size() const { return tail - head; }
  bool full() const { return size() == limit; }
  /// The slot of the oldest flit. What is in it is stale if empty().
  const Slot &front() const { return ring[head & mask]; }

  /// When a slot can be taken at the earliest: `now` if at once (possibly in
  /// the next round only, see ready()), and `never` if full().
  uint64_t next(uint64_t now) const {
    if (full())
      return never;
    return room < limit ? now : std::max(now, credit().time);
  }

  /// Whether a slot can be taken now, in `round`.
  bool ready(uint64_t now, uint64_t round) {
    const Slot &slot = credit();
    const bool back = (slot.time < now) |
                      ((slot.time == now) & (slot.flit != uint32_t(round)));
    return ((size() < room) & back) || (room < limit && grow());
  }

  /// Takes the slot that ready() has promised.
  Slot &take() { return ring[tail++ & mask]; }

  /// The oldest flit leaves in `round`; its slot may be taken from `time` on.
  void leave(uint64_t time, uint64_t round) {
    Slot &slot = ring[head++ & mask];
    slot.time = time;
    slot.flit = static_cast<uint32_t>(round);
  }

private:
  /// The slot whose place the next flit takes, if it is free: the ring, whose
  /// size is a power of two, may be longer.
  const Slot &credit() const { return ring[(tail - room) & mask]; }

  /// Makes memory for more slots: those that were never taken come before those
  /// that may not be back yet.
  __attribute__((noinline)) bool grow() {
    const uint32_t size = mask ? 2 * (mask + 1) : 4;
    std::unique_ptr<Slot[]> larger(new Slot[size]);
    for (uint32_t i = tail - room; i != tail; ++i)
      larger[i & (size - 1)] = ring[i & mask];
    ring = std::move(larger);
    mask = size - 1;
    room = std::min(limit, size);
    return true;
  }

  std::unique_ptr<Slot[]> ring;
  uint32_t mask = 0;
  uint32_t limit = 0, room = 0; // how many slots there are, and have memory
  uint32_t head = 0, tail = 0;  // how many flits have left, and have entered
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_NOC_BUFFER_H
