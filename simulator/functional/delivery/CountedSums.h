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
#include "simulator/functional/delivery/Range.h"
#include "simulator/functional/neuron/CountedForm.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace neurite::sim {

class CountedSums {
public:
  /// Holds nothing if `form` has no bits. `slots`: steps of the ring, a power
  /// of two.
  CountedSums(const CountedForm &form, size_t accumulators, uint64_t slots)
      : form(form), accumulators(accumulators), slotMask(slots - 1),
        ring(form.bits ? slots * accumulators : 0) {}

  /// Adds entries that take a word each, with the weight in the low `Bits` bits
  /// and the accumulator above, to the buckets due at step `due`.
  template <unsigned Bits>
  void add(Range<uint32_t> entries, int64_t payload, uint64_t due) {
    if (payload == 1)
      addTimes<Bits, true>(entries, 1, due);
    else
      addTimes<Bits, false>(entries, static_cast<uint32_t>(payload), due);
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
  // Entries are taken apart several at a time, and added one by one.
  static constexpr int kLanes = 4, kBlock = 2 * kLanes;
  typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
  typedef int32_t Signed __attribute__((vector_size(4 * kLanes)));

  template <unsigned Bits, bool One>
  void addTimes(Range<uint32_t> entries, uint32_t factor, uint64_t due) {
    constexpr unsigned up = 32 - Bits;
    const int down = static_cast<int>(up - form.bits);
    uint32_t *to = words(due), target[kBlock], more[kBlock];
    const uint32_t *at = entries.begin();
    for (; entries.end() - at >= kBlock; at += kBlock) {
      for (int k = 0; k < kBlock; k += kLanes) {
        Words entry;
        std::memcpy(&entry, at + k, sizeof entry);
        const Words targets = entry >> Bits;
        const Signed weights = reinterpret_cast<Signed>(entry << up) >> down;
        Words sum = reinterpret_cast<Words>(weights);
        if (!One)
          sum *= factor;
        sum += 1;
        std::memcpy(target + k, &targets, sizeof targets);
        std::memcpy(more + k, &sum, sizeof sum);
      }
      // The empty statement makes the compiler pass the words through memory.
      // Left alone it picks them out of vector registers one by one, and the
      // network of 10,000 neurons runs 2 % longer.
      asm("" : "+m"(target), "+m"(more), "+r"(to));
      for (int k = 0; k < kBlock; ++k)
        to[target[k]] += more[k];
    }
    for (; at != entries.end(); ++at) {
      const int32_t weight = static_cast<int32_t>(*at << up) >> down;
      to[*at >> Bits] += static_cast<uint32_t>(weight) * factor + 1;
    }
  }

  CountedForm form;
  size_t accumulators;
  uint64_t slotMask;
  ZeroedVector<uint32_t> ring; // [slot][accumulator]
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
