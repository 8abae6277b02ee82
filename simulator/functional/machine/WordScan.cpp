// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/WordScan.h"

#include "simulator/functional/neuron/Versions.h"

#include <algorithm>
#include <cstring>

namespace neurite::sim {
namespace {

constexpr uint32_t kEight = 8;
typedef int64_t Eight __attribute__((vector_size(8 * kEight)));

void collectEights(const WordRows &given, int64_t *const &bits) {
  const WordRows rows = given;
  for (uint32_t n = 0; n < rows.neurons; n += kEight) {
    Eight any;
    std::memcpy(&any, bits + n, sizeof any);
    const int64_t *at = rows.first + n;
    for (uint32_t w = 0; w < rows.words; ++w, at += rows.row) {
      Eight word;
      std::memcpy(&word, at, sizeof word);
      any |= word;
    }
    std::memcpy(bits + n, &any, sizeof any);
  }
}

void countEights(const WordRows &given, const int64_t &high, uint64_t &ends) {
  const WordRows rows = given;
  const int64_t top = high;
  for (uint32_t n = 0; n < rows.neurons; n += kEight) {
    Eight count{};
    const int64_t *at = rows.first + n;
    for (uint32_t w = 0; w < rows.words; ++w, at += rows.row) {
      Eight word;
      std::memcpy(&word, at, sizeof word);
      // Negative numbers count from -1 downwards. A comparison gives -1.
      count -= (word ^ (word >> 63)) == top;
    }
    for (uint32_t k = 0; k < kEight && n + k < rows.neurons; ++k)
      ends += static_cast<uint64_t>(count[k]);
  }
}

/// The words of a single neuron as rows of eight, and how many are left over.
WordRows aloneAsEights(const WordRows &rows) {
  return {rows.first, kEight, rows.words / kEight, kEight};
}

} // namespace

void collectWords(const WordRows &rows, int64_t *bits) {
  if (rows.neurons > 1)
    return versionsOf<collectEights>().of(bestIsa())(rows, bits);
  int64_t eight[kEight] = {};
  const WordRows eights = aloneAsEights(rows);
  versionsOf<collectEights>().of(bestIsa())(eights, eight);
  for (int64_t any : eight)
    bits[0] |= any;
  for (uint32_t w = eights.words * kEight; w < rows.words; ++w)
    bits[0] |= rows.first[w];
}

uint64_t countEnds(const WordRows &rows, int64_t high) {
  uint64_t ends = 0;
  const bool alone = rows.neurons == 1;
  versionsOf<countEights>().of(bestIsa())(alone ? aloneAsEights(rows) : rows,
                                          high, ends);
  for (uint32_t w = alone ? rows.words / kEight * kEight : rows.words;
       w < rows.words; ++w)
    ends += rows.first[w] == high || rows.first[w] == -high - 1;
  return ends;
}

} // namespace neurite::sim
