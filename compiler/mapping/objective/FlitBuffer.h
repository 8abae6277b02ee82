// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer of a router, or the receive queue of a core, in a replay.

#ifndef NEURITE_COMPILER_MAPPING_OBJECTIVE_FLITBUFFER_H
#define NEURITE_COMPILER_MAPPING_OBJECTIVE_FLITBUFFER_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace neurite {

constexpr uint64_t never = ~uint64_t(0);

/// Slots are taken and freed in turn, so that the next one to be taken is the
/// one that was freed first.
class FlitBuffer {
public:
  struct Flit {
    uint64_t at = 0; // when it is there
    uint32_t message = 0, out = 0;
  };
  void reset(uint64_t slots) {
    const auto size = size_t(std::clamp<uint64_t>(slots, 1, kMostSlots));
    flits.resize(size);
    usable.assign(size, 0);
    head = tail = held = 0;
  }
  bool empty() const { return held == 0; }
  bool full() const { return held == flits.size(); }
  const Flit &front() const { return flits[head]; }
  /// When a slot can be taken, if nothing else happens.
  uint64_t room() const { return full() ? never : usable[tail]; }
  void enter(const Flit &flit) {
    flits[tail] = flit;
    tail = next(tail);
    ++held;
  }
  void leave(uint64_t slotUsable) {
    usable[head] = slotUsable;
    head = next(head);
    --held;
  }

private:
  // A buffer of more flits is as good as one of so many.
  static constexpr uint64_t kMostSlots = 1024;

  size_t next(size_t slot) const {
    return slot + 1 == flits.size() ? 0 : slot + 1;
  }

  size_t head = 0, tail = 0, held = 0;
  std::vector<Flit> flits;
  std::vector<uint64_t> usable; // by slot, when it may be taken
};

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_OBJECTIVE_FLITBUFFER_H
