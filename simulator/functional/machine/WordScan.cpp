// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/WordScan.h"

#include "simulator/functional/neuron/Versions.h"

#include <cstring>

namespace neurite::sim {
namespace {

constexpr uint32_t kEight = 8;
typedef int64_t Eight __attribute__((vector_size(8 * kEight)));

void scanEights(const WordRows &given, const int64_t &high,
                int64_t *const &bits, uint64_t &ends) {
  const WordRows rows = given;
  const int64_t top = high;
  for (uint32_t n = 0; n < rows.neurons; n += kEight) {
    Eight any, count{};
    std::memcpy(&any, bits + n, sizeof any);
    const int64_t *at = rows.first + n;
    for (uint32_t w = 0; w < rows.words; ++w, at += rows.row) {
      Eight word;
      std::memcpy(&word, at, sizeof word);
      any |= word;
      // Negative numbers count from -1 downwards. A comparison gives -1.
      count -= (word ^ (word >> 63)) == top;
    }
    std::memcpy(bits + n, &any, sizeof any);
    for (uint32_t k = 0; k < kEight && n + k < rows.neurons; ++k)
      ends += static_cast<uint64_t>(count[k]);
  }
}

} // namespace

uint64_t scanWords(const WordRows &rows, int64_t high, int64_t *bits) {
  uint64_t ends = 0;
  if (rows.neurons > 1) {
    versionsOf<scanEights>().of(bestIsa())(rows, high, bits, ends);
    return ends;
  }
  // The words of a single neuron as rows of eight, and those left over.
  const WordRows eights{rows.first, kEight, rows.words / kEight, kEight};
  int64_t eight[kEight] = {};
  versionsOf<scanEights>().of(bestIsa())(eights, high, eight, ends);
  for (int64_t any : eight)
    bits[0] |= any;
  for (uint32_t w = eights.words * kEight; w < rows.words; ++w) {
    const int64_t word = rows.first[w];
    bits[0] |= word;
    ends += (word ^ (word >> 63)) == high;
  }
  return ends;
}

} // namespace neurite::sim
