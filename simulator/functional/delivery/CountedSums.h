// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synaptic input on its way, in 32 bits a bucket, for networks whose sums
// provably have room there: a bucket holds the sum of weights times payloads,
// before their common shift, above a few low bits that count the
// contributions. So one addition a synapse does what Accumulators does with
// two stores, in less than half of the memory.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
#define NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H

#include "simulator/functional/machine/Machine.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace neurite::sim {

class CountedSums {
public:
  /// Nothing if the machine has another form. `slots`: steps of the ring, a
  /// power of two.
  CountedSums(const Machine &machine, uint64_t slots)
      : form(machine.counted), positions(machine.positions()),
        slotMask(slots - 1), ring(form.bits ? slots * positions : 0) {}

  /// Adds entries in a word each, with the weight in the low `Bits` bits and
  /// the position above, to the buckets due at step `due`.
  template <unsigned Bits>
  void add(Range<uint32_t> entries, int64_t payload, uint64_t due) {
    if (payload == 1)
      addTimes<Bits, true>(entries, 1, due);
    else
      addTimes<Bits, false>(entries, static_cast<uint32_t>(payload), due);
  }

  /// All positions' buckets due at one step.
  uint32_t *words(uint64_t due) {
    return ring.data() + static_cast<size_t>(due & slotMask) * positions;
  }

  /// Adds the buckets of `count` positions due at one step to sums and marks
  /// as Accumulators has them, and leaves them empty.
  void move(uint64_t due, uint32_t position, size_t count, int64_t *sums,
            uint8_t *marks);

  void clear() { std::fill(ring.begin(), ring.end(), 0); }

private:
  // Entries are taken apart several at a time, and added one by one.
  static constexpr int kLanes = 4, kBlock = 2 * kLanes;
  typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
  typedef int32_t Signed __attribute__((vector_size(4 * kLanes)));

  template <unsigned Bits, bool One>
  void addTimes(Range<uint32_t> entries, uint32_t factor, uint64_t due) {
    constexpr unsigned up = 32 - Bits;
    const int down = static_cast<int>(up - form.bits);
    uint32_t *to = words(due), position[kBlock], more[kBlock];
    const uint32_t *at = entries.begin();
    for (; entries.end() - at >= kBlock; at += kBlock) {
      for (int k = 0; k < kBlock; k += kLanes) {
        Words entry;
        std::memcpy(&entry, at + k, sizeof entry);
        const Words positions = entry >> Bits;
        const Signed weights = reinterpret_cast<Signed>(entry << up) >> down;
        Words sum = reinterpret_cast<Words>(weights);
        if (!One)
          sum *= factor;
        sum += 1;
        std::memcpy(position + k, &positions, sizeof positions);
        std::memcpy(more + k, &sum, sizeof sum);
      }
      // Through memory: words picked out of vector registers cost twice that.
      asm("" : "+m"(position), "+m"(more), "+r"(to));
      for (int k = 0; k < kBlock; ++k)
        to[position[k]] += more[k];
    }
    for (; at != entries.end(); ++at) {
      const int32_t weight = static_cast<int32_t>(*at << up) >> down;
      to[*at >> Bits] += static_cast<uint32_t>(weight) * factor + 1;
    }
  }

  Machine::Counted form;
  size_t positions;
  uint64_t slotMask;
  std::vector<uint32_t> ring; // [slot][position]
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
