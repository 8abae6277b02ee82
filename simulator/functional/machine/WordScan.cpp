// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/WordScan.h"

#include "targets/support/Versions.h"

#include <algorithm>
#include <cstring>

namespace dendrolith::sim {
namespace {

constexpr uint32_t kFour = 4, kEight = 8;
/// What a register of AVX2 holds: of wider ones, GCC 12 makes code that goes
/// through memory.
typedef int64_t FourWords __attribute__((vector_size(8 * kFour)));
/// The same bits as halves, for words that have room in the lower one. The
/// upper one repeats the sign, so that its size is 0. AVX2 takes the larger of
/// two halves in one instruction, which of two words takes several.
typedef int32_t Halves __attribute__((vector_size(8 * kFour)));

/// What four neurons side by side have. Negative numbers count from -1
/// downwards; a comparison gives -1.
template <bool Narrow>
inline void see(const int64_t *at, FourWords &any, FourWords &most) {
  FourWords word;
  std::memcpy(&word, at, sizeof word);
  any |= word;
  if constexpr (Narrow) {
    const Halves halves = (Halves)word, size = halves ^ (halves >> 31);
    const Halves before = (Halves)most;
    most = (FourWords)(size > before ? size : before);
  } else {
    const FourWords size = word ^ (word < 0);
    most = size > most ? size : most;
  }
}

/// Eight neurons side by side.
struct Eight {
  FourWords any[2]{}, most[2]{};

  template <bool Narrow>
  inline void see(const int64_t *at, uint32_t words, size_t row) {
    for (uint32_t w = 0; w < words; ++w, at += row) {
      sim::see<Narrow>(at, any[0], most[0]);
      sim::see<Narrow>(at + kFour, any[1], most[1]);
    }
  }
};

void scanEights(const WordRows &given, WordRange *const &ranges,
                const size_t &count, int64_t *const &bits) {
  const WordRows rows = given;
  const FourWords lanes[2] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  for (uint32_t n = 0; n < rows.neurons; n += kEight) {
    const int64_t *at = rows.first + n;
    const auto end = int64_t(rows.neurons - n);
    Eight eight;
    std::memcpy(eight.any, bits + n, sizeof eight.any);
    for (WordRange *r = ranges; r < ranges + count; ++r) {
      eight.most[0] = eight.most[1] = FourWords{};
      if (r->narrow)
        eight.see<true>(at, r->words, rows.row);
      else
        eight.see<false>(at, r->words, rows.row);
      at += r->words * rows.row;
      const FourWords a = eight.most[0] & (lanes[0] < end);
      const FourWords b = eight.most[1] & (lanes[1] < end);
      const FourWords most = a > b ? a : b;
      r->most = std::max({r->most, int64_t(most[0]), int64_t(most[1]),
                          int64_t(most[2]), int64_t(most[3])});
    }
    std::memcpy(bits + n, eight.any, sizeof eight.any);
  }
}

/// The words of a single neuron as rows of eight, and those left over.
void scanAlone(const int64_t *first, WordRange &range, int64_t &any) {
  static const auto scan = versionsOf<scanEights>().of(bestIsa());
  WordRange whole = range;
  whole.words = range.words / kEight;
  int64_t eight[kEight] = {};
  scan({first, kEight, kEight}, &whole, 1, eight);
  for (int64_t word : eight)
    any |= word;
  range.most = whole.most;
  for (uint32_t w = whole.words * kEight; w < range.words; ++w) {
    any |= first[w];
    range.most = std::max(range.most, sizeOf(first[w]));
  }
}

uint64_t countEnds(const WordRows &rows, const WordRange &range) {
  uint64_t ends = 0;
  for (uint32_t w = 0; w < range.words; ++w)
    for (uint32_t n = 0; n < rows.neurons; ++n)
      ends += sizeOf(rows.first[w * rows.row + n]) == range.high;
  return ends;
}

} // namespace

void scanWords(const WordRows &rows, WordRange *ranges, size_t count,
               int64_t *bits) {
  if (!rows.first) // there are no words, so no place to count from
    return;
  static const auto scan = versionsOf<scanEights>().of(bestIsa());
  const bool alone = rows.neurons == 1;
  if (!alone)
    scan(rows, ranges, count, bits);
  WordRows next = rows;
  for (WordRange *r = ranges; r < ranges + count; ++r) {
    if (alone)
      scanAlone(next.first, *r, bits[0]);
    // Few words ever stand at an end.
    if (r->high >= 0 && r->most >= r->high)
      r->ends += countEnds(next, *r);
    next.first += r->words * rows.row;
  }
}

} // namespace dendrolith::sim
