// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/WordScan.h"

#include "simulator/functional/machine/Peaks.h"
#include "simulator/functional/neuron/Versions.h"

#include <algorithm>
#include <cstring>

namespace neurite::sim {
namespace {

constexpr uint32_t kFour = 4, kEight = 8;
/// What a register of AVX2 holds: of wider ones, GCC 12 makes code that goes
/// through memory.
typedef int64_t Four __attribute__((vector_size(8 * kFour)));
/// The same bits as halves, for words that have room in the lower one. The
/// upper one repeats the sign, so that its size is 0. AVX2 takes the larger of
/// two halves in one instruction, which of two words takes several.
typedef int32_t Halves __attribute__((vector_size(8 * kFour)));

/// What four neurons side by side have.
template <bool Narrow> struct Column {
  Four any{}, most{};

  inline void see(const int64_t *at) {
    Four word;
    std::memcpy(&word, at, sizeof word);
    any |= word;
    // Negative numbers count from -1 downwards. A comparison gives -1.
    if constexpr (Narrow) {
      const Halves halves = (Halves)word, size = halves ^ (halves >> 31);
      const Halves so = (Halves)most;
      most = (Four)(size > so ? size : so);
    } else {
      const Four size = word ^ (word < 0);
      most = size > most ? size : most;
    }
  }

  /// Keeps what the neurons before `end` have, where `lane` says which this is.
  inline void cut(const Four &lane, int64_t end) { most &= lane < end; }
};

template <bool Narrow>
void scanEights(const WordRows &given, int64_t *const &bits, int64_t &found) {
  const WordRows rows = given;
  const Four left{0, 1, 2, 3}, right{4, 5, 6, 7};
  Four all{};
  for (uint32_t n = 0; n < rows.neurons; n += kEight) {
    Column<Narrow> a, b;
    const int64_t *at = rows.first + n;
    for (uint32_t w = 0; w < rows.words; ++w, at += rows.row) {
      a.see(at);
      b.see(at + kFour);
    }
    Four anyA, anyB;
    std::memcpy(&anyA, bits + n, sizeof anyA);
    std::memcpy(&anyB, bits + n + kFour, sizeof anyB);
    anyA |= a.any;
    anyB |= b.any;
    std::memcpy(bits + n, &anyA, sizeof anyA);
    std::memcpy(bits + n + kFour, &anyB, sizeof anyB);
    if (rows.neurons - n < kEight) {
      a.cut(left, int64_t(rows.neurons - n));
      b.cut(right, int64_t(rows.neurons - n));
    }
    const Four most = a.most > b.most ? a.most : b.most;
    all = most > all ? most : all;
  }
  for (uint32_t k = 0; k < kFour; ++k)
    found = std::max<int64_t>(found, all[k]);
}

/// How far the words of several neurons go.
int64_t scan(const WordRows &rows, int64_t *bits) {
  static const auto narrow = versionsOf<scanEights<true>>().of(bestIsa());
  static const auto wide = versionsOf<scanEights<false>>().of(bestIsa());
  int64_t most = 0;
  (rows.narrow ? narrow : wide)(rows, bits, most);
  return most;
}

uint64_t countEnds(const WordRows &rows, int64_t high) {
  uint64_t ends = 0;
  for (uint32_t w = 0; w < rows.words; ++w)
    for (uint32_t n = 0; n < rows.neurons; ++n)
      ends += sizeOf(rows.first[w * rows.row + n]) == high;
  return ends;
}

} // namespace

void scanWords(const WordRows &rows, int64_t high, int64_t *bits,
               WordsSeen &seen) {
  int64_t most = 0;
  if (rows.neurons > 1) {
    most = scan(rows, bits);
  } else {
    // The words of a single neuron as rows of eight, and those left over.
    const uint32_t whole = rows.words / kEight;
    int64_t eight[kEight] = {};
    most = scan({rows.first, kEight, whole, kEight, rows.narrow}, eight);
    for (int64_t any : eight)
      bits[0] |= any;
    for (uint32_t w = whole * kEight; w < rows.words; ++w) {
      bits[0] |= rows.first[w];
      most = std::max(most, sizeOf(rows.first[w]));
    }
  }
  seen.most = std::max(seen.most, most);
  // Few words ever stand at an end, which no word goes beyond.
  if (high >= 0 && most >= high)
    seen.ends += countEnds(rows, high);
}

} // namespace neurite::sim
