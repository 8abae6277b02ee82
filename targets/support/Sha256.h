// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (FIPS 180-4), used to name files and programs by content.

#ifndef NEURITE_TARGETS_SUPPORT_SHA256_H
#define NEURITE_TARGETS_SUPPORT_SHA256_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace neurite {

/// The digest of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same of bytes that come in pieces.
class Sha256 {
public:
  void add(std::string_view bytes);
  /// Of all that was added; nothing is added after it.
  std::string digest();

private:
  // FIPS 180-4, 5.3.3.
  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  std::string rest; // less than a block
  uint64_t size = 0;
};

} // namespace neurite

#endif // NEURITE_TARGETS_SUPPORT_SHA256_H
