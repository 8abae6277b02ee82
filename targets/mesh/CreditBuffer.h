// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finite buffer behind a link: the flits that were sent to it, oldest first,
// and when each of its slots may be taken again.

#ifndef DENDROLITH_TARGETS_MESH_CREDITBUFFER_H
#define DENDROLITH_TARGETS_MESH_CREDITBUFFER_H

#include "targets/mesh/Flit.h"
#include "targets/support/Time.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace dendrolith {

/// Slots are taken in turn and freed in the same order, so the slot that is
/// next in turn carries the sender's credit: the time from which it may be
/// taken. No event is spent on a credit, and nothing is counted.
class CreditBuffer {
public:
  static constexpr uint32_t unlimited = UINT32_MAX;

  struct Slot {
    uint64_t time = 0; // when the flit arrives, or the slot may be taken
    FlitRoute route;   // of the flit
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
  Slot &front() { return ring[head & mask]; }
  const Slot &front() const { return ring[head & mask]; }

  /// From when on a slot can be taken; `never` if full().
  uint64_t next() const {
    if (room < limit)
      return 0;
    return full() ? never : credit().time;
  }

  /// Takes a slot, not before next(). Nobody wants another one before
  /// `soonest`; the answer is from when on they can have it.
  uint64_t put(const Slot &slot, uint64_t soonest) {
    ring[tail++ & mask] = slot;
    if ((size() == room) | (credit().time > soonest))
      return std::max(soonest, nextOrGrow());
    return soonest;
  }

  /// The oldest flit leaves; its slot may be taken from `time` on.
  void leave(uint64_t time) { ring[head++ & mask].time = time; }

private:
  /// The slot whose place the next flit takes, if it is free: the ring, whose
  /// size is a power of two, may be longer.
  const Slot &credit() const { return ring[(tail - room) & mask]; }

  /// No slot that has memory is free at once.
  __attribute__((noinline)) uint64_t nextOrGrow() {
    if (room == limit)
      return full() ? never : credit().time;
    grow();
    return 0;
  }

  /// Makes memory for more slots: those that were never taken come before those
  /// that may not be back yet.
  void grow() {
    const uint32_t size = mask ? 2 * (mask + 1) : 4;
    std::unique_ptr<Slot[]> larger(new Slot[size]);
    for (uint32_t i = tail - room; i != tail; ++i)
      larger[i & (size - 1)] = ring[i & mask];
    ring = std::move(larger);
    mask = size - 1;
    room = std::min(limit, size);
  }

  std::unique_ptr<Slot[]> ring;
  uint32_t mask = 0;
  uint32_t limit = 0, room = 0; // how many slots there are, and have memory
  uint32_t head = 0, tail = 0;  // how many flits have left, and have entered
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_CREDITBUFFER_H
