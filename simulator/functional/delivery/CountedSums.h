// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synaptic input on its way, in 32 bits a bucket, for networks whose sums
// provably have room there (Rows::findCounted). A bucket holds the sum of
// weights times payloads, before their common shift. Below it a few low bits
// count the contributions. So one addition a synapse does what Accumulators
// does with two stores, in less than half of the memory.
//
// The plain twin is Accumulators::addPacked (machine/State.h). CountedSumsTest
// holds both equal, entry by entry, and AgreementTest whole runs.
// tests/bench/study.py shows the gain: with the twin, the networks of 10,000
// and 100,000 neurons run 24 % and 65 % longer.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H

#include "runtime/host/Heap.h"
#include "simulator/functional/neuron/CountedForm.h"
#include "targets/support/Span.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith::sim {

// A walk over the entries of a row, while the row that comes soon is fetched:
// one line of the cache for each line that is walked. Where all lines are asked
// for at once, they fill buffers that the sums of this row need, too.
//
// The plain twin is a loop over the entries, which is all that a walk computes
// (CountedSumsTest, RowsTest). tests/bench/study.py shows the gain: with a row
// asked for at once, the network of 100,000 neurons runs 4 % longer, and that
// of 10,000 as long.

/// Calls add(entry) for each, in order. What is fetched lies `away` words from
/// them, and need not be there at all.
template <typename Add>
inline void walkRow(Span<uint32_t> entries, int64_t away, Add add) {
  constexpr unsigned line = 16;
  const uint32_t *at = entries.begin(), *const end = entries.end();
  const auto fetch = [bytes = static_cast<uintptr_t>(away) *
                              sizeof *at](const uint32_t *from) {
    __builtin_prefetch(reinterpret_cast<const void *>(
        reinterpret_cast<uintptr_t>(from) + bytes));
  };
  for (; end - at >= line; at += line) {
    fetch(at);
#pragma GCC unroll 16
    for (unsigned k = 0; k < line; ++k) {
      add(at[k]);
      // The empty statement keeps the compiler from vector code, which would
      // pick targets out of vector registers one by one: 1.3 times as long.
      asm volatile("");
    }
  }
  fetch(at);
#pragma GCC unroll 1
  for (; at != end; ++at) {
    add(*at);
    asm volatile("");
  }
}

// A synapse in one word of 32 bits: the weight in so many high bits, and the
// accumulator in the others. A shift to the right alone then gives a weight at
// any place below.

/// `bits` are those of the weight, of which `weight` has no more but its sign.
inline uint32_t packEntry(uint32_t accumulator, uint32_t weight,
                          unsigned bits) {
  return weight << (32 - bits) | accumulator;
}

inline uint32_t accumulatorOf(uint32_t entry, unsigned bits) {
  return entry & ((uint32_t(1) << (32 - bits)) - 1);
}

inline int32_t weightOf(uint32_t entry, unsigned bits) {
  return static_cast<int32_t>(entry) >> (32 - bits);
}

class CountedSums {
public:
  /// Holds nothing if `form` has no bits. `slots`: steps of the ring, a power
  /// of two.
  CountedSums(const CountedForm &form, size_t accumulators, uint64_t slots)
      : form(form), accumulators(accumulators), slotMask(slots - 1),
        ring(form.bits ? slots * accumulators : 0) {}

  /// The bit that packed entries of `weightBits` carry to be counted, the
  /// lowest one of what they add here. 0 where accumulators take that bit, so
  /// that counting is an addition of its own.
  static uint32_t countBit(const CountedForm &form, size_t accumulators,
                           unsigned weightBits) {
    const unsigned down = 32 - weightBits - form.bits;
    return accumulators > size_t(1) << down ? 0 : uint32_t(1) << down;
  }

  /// Adds packed entries, whose weights have `Bits` bits, to the buckets due at
  /// step `due`. `away` as for walkRow().
  template <unsigned Bits>
  void add(Span<uint32_t> entries, int64_t payload, uint64_t due,
           int64_t away = 0) {
    addAll<Bits>(payload, due, [=](auto add) { walkRow(entries, away, add); });
  }

  /// Calls walk(add), which calls add(entry) for each packed entry to add.
  template <unsigned Bits, typename Walk>
  void addAll(int64_t payload, uint64_t due, Walk walk) {
    uint32_t *const to = words(due);
    const unsigned down = 32 - Bits - form.bits;
    const uint32_t bit = countBit(form, accumulators, Bits);
    if (payload == 1 && bit == uint32_t(1) << 16)
      // Halves take an instruction less than any other two parts.
      return walk([to](uint32_t entry) {
        to[static_cast<uint16_t>(entry)] +=
            static_cast<uint32_t>(static_cast<int32_t>(entry) >> 16);
      });
    if (payload == 1 && bit)
      return walk([to, down, bit](uint32_t entry) {
        to[entry & (bit - 1)] +=
            static_cast<uint32_t>(static_cast<int32_t>(entry) >> down);
      });
    constexpr uint32_t weight = ~uint32_t(0) << (32 - Bits);
    const uint32_t target = bit ? bit - 1 : ~weight;
    const auto factor = static_cast<uint32_t>(payload);
    const auto more = [down](uint32_t entry) {
      return static_cast<uint32_t>(static_cast<int32_t>(entry & weight) >>
                                   down);
    };
    if (payload == 1)
      walk([=](uint32_t entry) { to[entry & ~weight] += more(entry) + 1; });
    else
      walk([=](uint32_t entry) {
        to[entry & target] += more(entry) * factor + 1;
      });
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
  CountedForm form;
  size_t accumulators;
  uint64_t slotMask;
  ZeroedVector<uint32_t> ring; // [slot][accumulator]
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_COUNTEDSUMS_H
