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

/// What four neurons side by side have.
struct Column {
  Four any{}, ends{}, most{};

  inline void see(const int64_t *at, const Four &top) {
    Four word;
    std::memcpy(&word, at, sizeof word);
    any |= word;
    // Negative numbers count from -1 downwards. A comparison gives -1.
    const Four size = word ^ (word < 0);
    ends -= size == top;
    most = size > most ? size : most;
  }

  /// Keeps what the neurons before `end` have, where `lane` says which this is.
  inline void cut(const Four &lane, int64_t end) {
    ends &= lane < end;
    most &= lane < end;
  }
};

void scanEights(const WordRows &given, const int64_t &high,
                int64_t *const &bits, WordsSeen &seen) {
  const WordRows rows = given;
  const Four top = Four{} + high, left{0, 1, 2, 3}, right{4, 5, 6, 7};
  Column all;
  for (uint32_t n = 0; n < rows.neurons; n += kEight) {
    Column a, b;
    const int64_t *at = rows.first + n;
    for (uint32_t w = 0; w < rows.words; ++w, at += rows.row) {
      a.see(at, top);
      b.see(at + kFour, top);
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
    all.ends += a.ends + b.ends;
    const Four most = a.most > b.most ? a.most : b.most;
    all.most = most > all.most ? most : all.most;
  }
  for (uint32_t k = 0; k < kFour; ++k) {
    seen.ends += static_cast<uint64_t>(all.ends[k]);
    seen.most = std::max<int64_t>(seen.most, all.most[k]);
  }
}

} // namespace

void scanWords(const WordRows &rows, int64_t high, int64_t *bits,
               WordsSeen &seen) {
  static const auto scan = versionsOf<scanEights>().of(bestIsa());
  if (rows.neurons > 1)
    return scan(rows, high, bits, seen);
  // The words of a single neuron as rows of eight, and those left over.
  const WordRows eights{rows.first, kEight, rows.words / kEight, kEight};
  int64_t eight[kEight] = {};
  scan(eights, high, eight, seen);
  for (int64_t any : eight)
    bits[0] |= any;
  for (uint32_t w = eights.words * kEight; w < rows.words; ++w) {
    const int64_t word = rows.first[w], size = sizeOf(word);
    bits[0] |= word;
    seen.ends += size == high;
    seen.most = std::max(seen.most, size);
  }
}

} // namespace neurite::sim
