// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in byte strings, the same on every host.

#ifndef NEURITE_RUNTIME_ARRAYS_LITTLEENDIAN_H
#define NEURITE_RUNTIME_ARRAYS_LITTLEENDIAN_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace neurite {

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

} // namespace neurite

#endif // NEURITE_RUNTIME_ARRAYS_LITTLEENDIAN_H
