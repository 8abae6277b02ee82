// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a visit asks of all state words of a group, besides running the program:
// which neurons have one that is not 0, and how many stand at an end of their
// range. Neurons are looked at eight at a time.
//
// The plain twins are loops over words and neurons, which WordScanTest holds
// equal. tests/bench/jit.py runs networks whose visits have many state words.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_WORDSCAN_H
#define NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_WORDSCAN_H

#include <cstddef>
#include <cstdint>

namespace neurite::sim {

/// Words as [word][neuron], in rows of `row` words, which are whole eights but
/// for a single neuron.
struct WordRows {
  const int64_t *first = nullptr;
  size_t row = 0;
  uint32_t words = 0, neurons = 0;
};

/// Makes bits[n] other than 0 if a word of neuron n is. There are whole eights
/// of bits, of which those beyond the neurons may become anything.
void collectWords(const WordRows &rows, int64_t *bits);

/// How many words are `high` or -high - 1; high >= 0.
uint64_t countEnds(const WordRows &rows, int64_t high);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_WORDSCAN_H
