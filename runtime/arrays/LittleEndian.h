// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in byte strings, the same on every host.

#ifndef DENDROLITH_RUNTIME_ARRAYS_LITTLEENDIAN_H
#define DENDROLITH_RUNTIME_ARRAYS_LITTLEENDIAN_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace dendrolith {

/// The unsigned number in the sizeof(T) bytes at `at`.
template <typename T> T loadLittle(const char *at) {
  static_assert(std::is_unsigned<T>::value, "convert signs explicitly");
  T value = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // One load, which gcc does not make of the loop.
  std::memcpy(&value, at, sizeof value);
#else
  for (size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(
        value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(at[i]))
                               << (8 * i)));
#endif
  return value;
}

/// Appends the sizeof(T) bytes of `value`.
template <typename T> void appendLittle(std::string &bytes, T value) {
  static_assert(std::is_unsigned<T>::value, "convert signs explicitly");
  for (size_t i = 0; i < sizeof(T); ++i)
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
}

/// Stores numbers as "<i4" of NumPy, up to the first that is no integer of 32
/// bits; returns how many those are. A block at a time, which gcc makes vectors
/// of.
template <typename Number>
size_t packInt32(const Number *values, size_t count, char *to) {
  constexpr size_t most = 256;
  int32_t block[most];
  for (size_t at = 0; at < count; at += most, values += most) {
    const size_t size = count - at < most ? count - at : most;
    bool good = true;
    for (size_t i = 0; i < size; ++i) {
      const bool fits = values[i] >= Number(INT32_MIN) && // false for NaN
                        values[i] <= Number(INT32_MAX);
      block[i] = fits ? static_cast<int32_t>(values[i]) : 0;
      good &= Number(block[i]) == values[i];
    }
    for (size_t i = 0; i < size && !good; ++i)
      if (Number(block[i]) != values[i])
        return at + i;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    std::memcpy(to + 4 * at, block, 4 * size);
#else
    for (size_t b = 0; b < 4 * size; ++b)
      to[4 * at + b] =
          static_cast<char>(static_cast<uint32_t>(block[b / 4]) >> b % 4 * 8);
#endif
  }
  return count;
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_LITTLEENDIAN_H
