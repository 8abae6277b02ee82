// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers that are a function of a seed and a counter: any of them can
// be made at any time, so that a network need not be kept to be written.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_DRAW_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_DRAW_H

#include <cstdint>

namespace dendrolith::study {

enum Stream : uint64_t {
  Targets = 1,
  Weights = 2,
  Spikes = 3,
  Cores = 4,
  Sources = 5,
  Delays = 6,
  SourceSeeds = 7
};

/// Draws number k of a stream: splitmix64 of a counter.
inline uint64_t draw(uint64_t seed, Stream stream, uint64_t k) {
  uint64_t z = seed + 0x9E3779B97F4A7C15 * ((uint64_t(stream) << 40) + k + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// A number from 0 to n - 1, for n below 2^32.
inline uint32_t below(uint64_t random, uint64_t n) {
  return uint32_t(((random >> 32) * n) >> 32);
}

/// Nearly normal, in integers, so that it is the same on every machine: the sum
/// of the four 16-bit parts of a number less its mean. The standard deviation
/// is kBellDeviation.
inline int64_t bell(uint64_t random) {
  int64_t sum = -2 * 65535;
  for (unsigned part = 0; part < 4; ++part)
    sum += int64_t(random >> (16 * part) & 0xffff);
  return sum;
}
constexpr int64_t kBellDeviation = 37837; // 65536 / sqrt(3)

/// `value` times what bell() gives, as a share of its standard deviation,
/// rounded to the nearest integer.
inline int64_t spread(int64_t value, uint64_t random) {
  const int64_t product = value * bell(random);
  const int64_t half = kBellDeviation / 2;
  return (product + (product < 0 ? -half : half)) / kBellDeviation;
}

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_DRAW_H
