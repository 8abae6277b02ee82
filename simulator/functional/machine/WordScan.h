// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a visit asks of all state words of a group, besides running the program.
// Which neurons have one that is not 0? How many words stand at an end of their
// range, and how far do they go? Neurons are looked at eight at a time.
//
// The plain twins are loops over words and neurons, which WordScanTest holds
// equal. tests/bench/jit.py runs networks whose visits have many state words.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_WORDSCAN_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_WORDSCAN_H

#include "runtime/arrays/LittleEndian.h"
#include "simulator/functional/neuron/CubaStep.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dendrolith::sim {

// Finds the neurons that spiked among the flags of a visit, 64 flags at a time.
// Where the next one is, is as good as random, so a branch for each flag would
// often be mispredicted.
//
// The plain twin is a loop over all flags that counts the active ones and stops
// at each spike. SpikeScanTest holds both equal. tests/bench/study.py shows the
// gain: with the twin, the networks of 10,000 and 100,000 neurons run 11 % and
// 8 % longer.

/// Calls `spike(neuron, active)` for each neuron whose flags have kSpiked, in
/// order; `active` is how many of neurons [0, neuron] have kActive. The number
/// of flags is a multiple of 8.
template <typename Spike>
void eachSpike(const std::vector<uint8_t> &flags, Spike spike) {
  constexpr uint64_t ones = ~uint64_t(0) / 255; // 1 in each byte
  uint32_t active = 0;
  for (uint32_t first = 0; first < flags.size(); first += 64) {
    uint64_t acts[8], spikes = 0;
    uint32_t before[8]; // active neurons before each eight
    for (uint32_t w = 0; w < 8 && first + 8 * w < flags.size(); ++w) {
      const uint64_t eight = loadLittle<uint64_t>(
          reinterpret_cast<const char *>(flags.data() + first + 8 * w));
      acts[w] = eight & (ones * kActive);
      before[w] = active;
      // The product sums the bytes in the highest one.
      active += uint32_t(acts[w] * ones >> 56);
      // The product brings the low bits of the bytes together on top.
      const uint64_t fired = (eight / kSpiked & ones) * 0x0102040810204080;
      spikes |= fired >> 56 << (8 * w);
    }
    for (; spikes; spikes &= spikes - 1) {
      const auto n = static_cast<uint32_t>(__builtin_ctzll(spikes));
      const uint64_t upTo = ~uint64_t(0) >> (8 * (7 - n % 8));
      const uint64_t count = (acts[n / 8] & upTo) * ones >> 56;
      spike(first + n, before[n / 8] + uint32_t(count));
    }
  }
}

// How far the states of programs go in a run is compared with what calibration
// saw. So only states that the image says are calibrated are looked at
// (Machine::Watched), by scanWords(). For fixed-function neurons, whose reset
// would hide it, stepShared() and updateCuba() do so.

/// The magnitude of x, where negative numbers count from -1 downwards: one less
/// for those, so that it needs as many bits as x.
template <typename Int> Int sizeOf(Int x) {
  return x ^ (x >> (8 * sizeof(Int) - 1));
}

/// Words as [word][neuron], in rows of `row` words, which are whole eights but
/// for a single neuron.
struct WordRows {
  const int64_t *first = nullptr;
  size_t row = 0;
  uint32_t neurons = 0;
};

/// No word is at an end of such a range.
constexpr int64_t kNoEnds = -1;

/// Words of one kind that lie behind one another, and what is seen of them.
struct WordRange {
  uint32_t words = 0;
  int64_t high = kNoEnds; // the upper end
  bool narrow = false;    // whether all of them have room in 32 bits
  uint64_t ends = 0;      // how many words are `high` or -high - 1
  int64_t most = 0;       // the largest size (Peaks.h)
};

/// Looks at `count` ranges, which lie behind one another, and makes bits[n]
/// other than 0 if a word of neuron n is. There are whole eights of bits, of
/// which those beyond the neurons may become anything. All of it needs every
/// word, and to read them is what takes the time.
void scanWords(const WordRows &rows, WordRange *ranges, size_t count,
               int64_t *bits);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_WORDSCAN_H
