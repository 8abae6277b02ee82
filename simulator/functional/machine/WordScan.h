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

#include <cstddef>
#include <cstdint>

namespace dendrolith::sim {

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
