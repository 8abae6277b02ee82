// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers that are a function of a seed and a counter: any of them can
// be made at any time, so that a network need not be kept to be written.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_DRAW_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_DRAW_H

#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/Zip.h"

#include <cstdint>
#include <functional>

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

// Arrays of an archive whose numbers are made while they are written.

/// Takes the next numbers of an array.
template <typename T>
using Numbers = std::function<void(const T *first, size_t count)>;

/// The array `name` of `count` numbers (int16_t to int64_t) in an archive.
/// `make` hands all of them over, and the same ones each time it is called.
template <typename T>
zip::Packed packed(const std::string &name, uint64_t count,
                   std::function<void(const Numbers<T> &)> make) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                "numbers lie in the file as in memory");
  const std::string header =
      npy::formatHeader("<i" + std::to_string(sizeof(T)), {count});
  return {name + ".npy", header.size() + count * sizeof(T),
          [header, make](const ByteSink &sink) {
            sink(header);
            std::string piece;
            make([&](const T *first, size_t numbers) {
              piece.append(reinterpret_cast<const char *>(first),
                           numbers * sizeof(T));
              if (piece.size() < (1 << 16))
                return;
              sink(piece);
              piece.clear();
            });
            sink(piece);
          }};
}

/// One that lies in memory, which outlives it.
template <typename T>
zip::Packed packed(const std::string &name, const std::vector<T> &values) {
  return packed<T>(name, values.size(), [&values](const Numbers<T> &out) {
    out(values.data(), values.size());
  });
}

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_DRAW_H
