// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer of a router, or the receive queue of a core, in a replay.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_FLITBUFFER_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_FLITBUFFER_H

#include "targets/support/Time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith {

/// Slots are taken and freed in turn, so that the next one to be taken is the
/// one that was freed first.
///
/// What a replay asks for at every turn, the first flit and when there is room,
/// stands beside the counts, so that it seldom has to look at the slots.
class FlitBuffer {
public:
  struct Flit {
    uint64_t at = 0;      // when it is there
    uint64_t service = 0; // what the endpoint `to` takes to serve it
    uint32_t to = 0, out = 0;
  };
  /// What was never entered since the last time is as it was then: most buffers
  /// of a chip are not used in a step.
  void reset(uint64_t count) {
    const auto wanted = size_t(std::clamp<uint64_t>(count, 1, kMostSlots));
    if (!isUsed && slots.size() == wanted)
      return;
    slots.assign(wanted, {});
    head = tail = held = 0;
    roomAt = 0;
    isUsed = false;
  }
  bool empty() const { return held == 0; }
  bool full() const { return held == slots.size(); }
  const Flit &front() const { return first; }
  /// When a slot can be taken, if nothing else happens; a place, so that those
  /// who wait for it need not ask again.
  const uint64_t &room() const { return roomAt; }
  void enter(const Flit &flit) {
    if (held == 0)
      first = flit;
    slots[tail].flit = flit;
    tail = next(tail);
    ++held;
    isUsed = true;
    findRoom();
  }
  void leave(uint64_t slotUsable) {
    slots[head].usable = slotUsable;
    head = next(head);
    --held;
    first = slots[head].flit; // of no meaning where none is left
    findRoom();
  }

private:
  // A buffer of more flits is as good as one of so many.
  static constexpr uint64_t kMostSlots = 1024;

  struct Slot {
    Flit flit;
    uint64_t usable = 0; // when it may be taken
  };

  uint32_t next(uint32_t slot) const {
    return slot + 1 == slots.size() ? 0 : slot + 1;
  }
  void findRoom() { roomAt = full() ? never : slots[tail].usable; }

  Flit first;
  uint64_t roomAt = 0;
  uint32_t head = 0, tail = 0, held = 0;
  bool isUsed = true;
  std::vector<Slot> slots;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_FLITBUFFER_H
