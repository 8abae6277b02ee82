// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synaptic input on its way, in 32 bits a bucket, for networks whose sums
// provably have room there (Rows::findCounted): a bucket holds the sum of
// weights times payloads, before their common shift, above a few low bits that
// count the contributions. So one addition a synapse does what Accumulators
// does with two stores, in less than half of the memory.
//
// The plain twin is Accumulators::addPacked (machine/State.h). CountedSumsTest
// holds both equal, entry by entry, and AgreementTest whole runs.
// tests/bench/study.py shows the gain: with the twin, the networks of 10,000
// and 100,000 neurons run 24 % and 65 % longer.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
#define NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H

#include "runtime/host/Zeroed.h"
#include "simulator/functional/delivery/PackedEntry.h"
#include "simulator/functional/delivery/Range.h"
#include "simulator/functional/neuron/CountedForm.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace neurite::sim {

class CountedSums {
public:
  /// Holds nothing if `form` has no bits. `slots`: steps of the ring, a power
  /// of two.
  CountedSums(const CountedForm &form, size_t accumulators, uint64_t slots)
      : form(form), accumulators(accumulators), slotMask(slots - 1),
        ring(form.bits ? slots * accumulators : 0) {}

  /// Adds packed entries, whose weights have `Bits` bits, to the buckets due at
  /// step `due`.
  template <unsigned Bits>
  void add(Range<uint32_t> entries, int64_t payload, uint64_t due) {
    // What is shifted out of a word beside the weight are bits of the
    // accumulator, which are 0 in most programs.
    const bool bare = (accumulators - 1) >> (32 - Bits - form.bits) == 0;
    if (payload != 1)
      addTimes<Bits, false, false>(entries, static_cast<uint32_t>(payload),
                                   due);
    else if (bare)
      addTimes<Bits, true, true>(entries, 1, due);
    else
      addTimes<Bits, true, false>(entries, 1, due);
  }

  /// The buckets of all accumulators that fall due at one step.
  uint32_t *words(uint64_t due) {
    return ring.data() + static_cast<size_t>(due & slotMask) * accumulators;
  }

  /// Adds the buckets of `count` accumulators due at one step to sums and marks
  /// as Accumulators has them, and leaves them empty.
  void move(uint64_t due, uint32_t accumulator, size_t count, int64_t *sums,
            uint8_t *marks);

  /// Empties the buckets of so many accumulators.
  void clear(uint32_t first, uint32_t count) {
    for (size_t at = first; at < ring.size(); at += accumulators)
      std::fill_n(ring.data() + at, count, 0);
  }

private:
  template <unsigned Bits, bool One, bool Bare>
  void addTimes(Range<uint32_t> entries, uint32_t factor, uint64_t due) {
    constexpr uint32_t weight = ~uint32_t(0) << (32 - Bits);
    const unsigned down = 32 - Bits - form.bits;
    uint32_t *const to = words(due);
#pragma GCC unroll 8
    for (const uint32_t entry : entries) {
      auto more = static_cast<uint32_t>(
          static_cast<int32_t>(Bare ? entry : entry & weight) >> down);
      to[accumulatorOf(entry, Bits)] += (One ? more : more * factor) + 1;
      // The empty statement keeps the compiler from vector code, which would
      // pick targets out of vector registers one by one: 1.3 times as long.
      asm volatile("");
    }
  }

  CountedForm form;
  size_t accumulators;
  uint64_t slotMask;
  ZeroedVector<uint32_t> ring; // [slot][accumulator]
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
