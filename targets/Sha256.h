// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (FIPS 180-4), used to name files and programs by content.

#ifndef NEURITE_TARGETS_SHA256_H
#define NEURITE_TARGETS_SHA256_H

#include <string>
#include <string_view>

namespace neurite {

/// The digest of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace neurite

#endif // NEURITE_TARGETS_SHA256_H
